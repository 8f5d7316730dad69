// Describes failures of a calendar or address book server in plain words, and decides if a retry may help.
import { CollectFailure, isCertificateError } from "../common/failure.ts";

/** The server responded with an error. */
export class DavError extends Error {
  readonly status: number;
  /** Preconditions that failed, such as {DAV:}valid-sync-token. */
  readonly conditions: readonly string[];
  /** The sign-in methods that the server offers. */
  readonly schemes: readonly string[];
  readonly url: URL;
  constructor(url: URL, status: number, facts: { conditions?: readonly string[]; schemes?: readonly string[] } = {}) {
    super(`${url.hostname} responded with ${status}`);
    this.url = url;
    this.status = status;
    this.conditions = facts.conditions ?? [];
    this.schemes = facts.schemes ?? [];
  }
}

const LOST = new Set([
  "ETIMEDOUT",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "EAI_AGAIN",
]);

export const isLost = (error: unknown): boolean => LOST.has((error as NodeJS.ErrnoException).code ?? "");
export const isBusy = (error: unknown): boolean =>
  error instanceof DavError && (error.status === 429 || error.status === 503);
export const isLoginRefusal = (error: unknown): boolean => error instanceof DavError && error.status === 401;
export const isGone = (error: unknown): boolean =>
  error instanceof DavError && (error.status === 404 || error.status === 410);
/** The server is reachable but does not support the request. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof DavError && [400, 403, 404, 405, 409, 410, 412, 415, 501, 507].includes(error.status);

/** `what` is "calendars" or "address books". */
export function words(error: unknown, { url, what }: { url: URL | undefined; what: string }): string {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  if (error instanceof CollectFailure) return message;
  const host = (error instanceof DavError ? error.url : url)?.host ?? "the server";
  if (error instanceof DavError) return statusWords(error, host, what);
  if (code === "ENOTFOUND") return `there is no server named ${url?.hostname}: check the address`;
  if (code === "ECONNREFUSED") return `nothing responds at ${host}: check the address and the port`;
  if (isCertificateError(code, message))
    return `the certificate of ${host} is not valid: ${message}. If it is your own server, set its certificate.`;
  if (/wrong version number|packet length too long|ERR_SSL/i.test(`${message} ${code}`))
    return `${host} does not speak TLS: check the address and the port (${message})`;
  return `${host}: ${message}`;
}

function statusWords({ status, schemes }: DavError, host: string, what: string): string {
  if (status === 401 && schemes.length > 0 && !schemes.includes("basic"))
    return `${host} requires sign-in with ${schemes.join(" or ")}, but this connector can only send a user name and a password (Basic): allow that on the server`;
  if (status === 401)
    return `${host} did not accept the user name or the password. Many providers require an app password here, not the password for their website.`;
  if (status === 403) return `${host} does not let this user read its ${what}`;
  if (status === 404 || status === 405)
    return `${host} has no ${what} at this address: check the address, or ask your provider for it`;
  if (status === 429 || status === 503) return `${host} is busy (${status}): the next run will try again`;
  return `${host} responded with error ${status}`;
}
