// English month names, as in exports and on pages.

export const MONTHS: readonly string[] =
  "January February March April May June July August September October November December".split(" ");

/** Jan, Feb … */
export const SHORT_MONTHS: readonly string[] = MONTHS.map((name) => name.slice(0, 3));

/** Returns 1 to 12 for the long or the short name in any case, or 0 if it is not a month. */
export function monthNumber(name: string): number {
  const lower = name.toLowerCase();
  const isNamed = (month: string): boolean => [month, month.slice(0, 3)].some((one) => one.toLowerCase() === lower);
  return MONTHS.findIndex(isNamed) + 1;
}
