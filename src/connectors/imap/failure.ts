// Describes failures of a mail server in plain words and without secrets, and decides if a retry is worthwhile.
import { CollectFailure, isCertificateError } from "../common/failure.ts";

interface ServerError extends Error {
  code?: string;
  authenticationFailed?: boolean;
  responseStatus?: string;
  responseText?: string;
  serverResponseCode?: string;
}

/** The connection was lost or not established, but the next one may work. */
const LOST = new Set([
  "NoConnection",
  "EConnectionClosed",
  "StateLogout",
  "ClosedAfterConnectText",
  "ClosedAfterConnectTLS",
  "CONNECT_TIMEOUT",
  "GREETING_TIMEOUT",
  "UPGRADE_TIMEOUT",
  "ETIMEOUT",
  "ETIMEDOUT",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "EAI_AGAIN",
  "ETHROTTLE",
]);

export const isLost = (error: unknown): boolean =>
  !(error as ServerError).authenticationFailed && LOST.has((error as ServerError).code ?? "");

export const isLoginRefusal = (error: unknown): boolean => (error as ServerError).authenticationFailed === true;

/** The server refused a command, but the connection can continue. */
export const isRefusal = (error: unknown): boolean =>
  ["NO", "BAD"].includes((error as ServerError).responseStatus ?? "") && !isLost(error);

export function words(error: unknown, { host, port, security }: { host: string; port: number; security: string }) {
  const { message, code = "", authenticationFailed, responseText, serverResponseCode } = error as ServerError;
  const place = `${host}:${port}`;
  if (error instanceof CollectFailure) return message;
  if (authenticationFailed) {
    const said = responseText ? ` It said: ${responseText}` : "";
    return serverResponseCode === "UNAVAILABLE"
      ? `${host} cannot check passwords at the moment.${said}`
      : `${host} did not accept the user name or the password. Many providers require an app password here, not the password for their website.${said}`;
  }
  if (code === "ENOTFOUND") return `there is no server named ${host}`;
  if (code === "ECONNREFUSED") return `nothing responds at ${place}`;
  if (isCertificateError(code, message)) return `the certificate of ${host} is not trusted: ${message}`;
  if (/wrong version number|packet length too long|ERR_SSL/i.test(`${message} ${code}`))
    return `${place} does not speak TLS from the first byte: try setting security to starttls, or use another port (${message})`;
  if (code === "GREETING_TIMEOUT" && security !== "tls")
    return `${place} does not respond: it may require TLS; set security to tls`;
  if (/starttls/i.test(message)) return `${host} does not offer STARTTLS: try setting security to tls and port to 993`;
  return responseText ? `${host} responded: ${responseText}` : `${host}: ${message}`;
}
