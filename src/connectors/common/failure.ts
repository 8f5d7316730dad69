// An error that the owner can act on, and a function that redacts secrets.

/** The message says what happened and what to do next. */
export class CollectFailure extends Error {}

const SHORTEST = 4;

/** Returns `text` with all secrets redacted. */
export function redacted(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= SHORTEST) clean = clean.replaceAll(secret, "[redacted]");
  return clean.slice(0, 1000);
}

export const isCertificateError = (code: string, message: string): boolean =>
  /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/.test(code) ||
  /certificate/i.test(message);
