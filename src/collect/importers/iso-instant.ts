// Times as JSON exports write them: RFC 3339, always with an offset.

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** In UTC to the millisecond; undefined for what is no time. */
export function isoInstant(text: string | undefined): string | undefined {
  if (text === undefined || !INSTANT.test(text)) return undefined;
  const time = new Date(text);
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999 ? time.toISOString() : undefined;
}
