// Reads settings that connectors share: strings and certificates. Also recognises servers on this machine.
import { isIPv4 } from "node:net";
import { rootCertificates, type SecureContextOptions } from "node:tls";
import type { JsonObject } from "../../contract/json.ts";
import { CollectFailure } from "./failure.ts";

/** Returns a setting as trimmed text. A setting without a default is required. */
export function wordIn(given: JsonObject, name: string, usual?: string): string {
  const value = given[name] ?? usual;
  if (typeof value !== "string" || (value.trim() === "" && usual === undefined))
    throw new CollectFailure(`the setting ${name} is missing`);
  return value.trim();
}

/** Splits a comma-separated list of names. */
export const namesIn = (given: JsonObject, name: string): string[] =>
  wordIn(given, name, "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

export const quote = (text: string): string => JSON.stringify(text.slice(0, 100));

/** Nothing sent to a loopback address leaves the machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host.replace(/^\[|\]$/g, "") === "::1" || (isIPv4(host) && host.startsWith("127."));

/** The PEM certificate for a server whose certificate is not signed by a known authority. */
export function certificateIn(given: JsonObject): string | undefined {
  const ca = wordIn(given, "ca_certificate", "");
  if (ca !== "" && !ca.includes("-----BEGIN CERTIFICATE-----"))
    throw new CollectFailure("ca_certificate must be a PEM certificate, which begins with -----BEGIN CERTIFICATE-----");
  return ca === "" ? undefined : ca;
}

/** The same for every connector: the server's certificate is verified, with TLS 1.2 or newer. */
export const tlsOptions = (
  ca: string | undefined,
): SecureContextOptions & { rejectUnauthorized: true; minVersion: "TLSv1.2" } => ({
  rejectUnauthorized: true,
  minVersion: "TLSv1.2",
  ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
});
