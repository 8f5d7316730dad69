// Writes data that arrives in pieces, to standard output or to a file. The file gets its name only when it is complete.
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PdppError } from "../../contract/errors.ts";

export interface OutputPiece {
  bytes: Uint8Array;
  records?: number;
}

export interface OutputTotals {
  /** Set if the source counts its records. */
  records?: number;
  bytes: number;
  sha256?: string;
}

export async function writeOut(pieces: AsyncIterable<OutputPiece>): Promise<OutputTotals> {
  const written = { bytes: 0 };
  for await (const { bytes } of pieces) {
    written.bytes += bytes.byteLength;
    if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
  }
  return written;
}

export async function writeAside(path: string, pieces: AsyncIterable<OutputPiece>): Promise<OutputTotals> {
  const aside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.part`);
  const hash = createHash("sha256");
  const written: OutputTotals = { bytes: 0 };
  try {
    const file = await open(aside, "wx", 0o600);
    try {
      for await (const { bytes, records } of pieces) {
        hash.update(bytes);
        written.bytes += bytes.byteLength;
        if (records !== undefined) written.records = (written.records ?? 0) + records;
        await file.writeFile(bytes);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
    return { ...written, sha256: hash.digest("hex") };
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** Builds the error for a transfer that ended early. */
export function brokenOff(server: string, error: unknown, next_step: string): PdppError {
  if (error instanceof PdppError) return error;
  const { message } = ((error as { cause?: Error }).cause ?? error) as Error;
  return new PdppError("store_unavailable", `the transfer from ${new URL(server).origin} was interrupted: ${message}`, {
    next_step,
  });
}
