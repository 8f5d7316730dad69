// The server's certificate and key. They are read at the start, and again when the files change, without a restart.
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { PdppError } from "../../contract/errors.ts";

export interface TlsFiles {
  cert: string;
  key: string;
}

/**
 * Certificates are renewed days before they expire, so polling is fast enough. It also notices a symbolic link that now
 * points to another file.
 */
const CHECK_MS = 5000;

/** The pair is checked before it is used, so that a key for another certificate is refused here. */
export function readTlsFiles({ cert, key }: TlsFiles): SecureContextOptions {
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw new PdppError("invalid_request", `${cert} and ${key} cannot be used for TLS: ${(error as Error).message}`, {
      next_step: "Specify the certificate with its chain, and its private key, as PEM files that this user can read.",
    });
  }
}

/** If a renewal has replaced only one of the two files so far, the previous pair stays in use. */
export function watchTlsFiles(
  files: TlsFiles,
  use: (pair: SecureContextOptions) => void,
  log: (text: string) => void,
  everyMs = CHECK_MS,
): () => void {
  const check = (): void => {
    try {
      use(readTlsFiles(files));
    } catch (error) {
      log(`${(error as Error).message}; the previous certificate stays in use`);
    }
  };
  const paths = [files.cert, files.key];
  for (const path of paths) watchFile(path, { interval: everyMs, persistent: false }, check);
  return () => {
    for (const path of paths) unwatchFile(path, check);
  };
}
