// Hashes the given files in the parent while the parser process starts, so that a first import need not wait for the
// digests.
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { fileBytes } from "./file-bytes.ts";
import type { FileDigest } from "./messages.ts";

/** The parent may be a server, which has other work to do. The parser process hashes larger inputs itself. */
const BYTES_MAX = 256 * 1024 * 1024;

interface HashingParent {
  send(digest: FileDigest): void;
  /** Called for each chunk, because the parser is silent while it waits. */
  onProgress(): void;
  hasEnded(): boolean;
}

export async function hashGiven(files: readonly string[], parent: HashingParent): Promise<void> {
  let left = BYTES_MAX;
  for (const file of files) {
    left -= await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    const sha256 = left < 0 || parent.hasEnded() ? undefined : await digestOf(file, parent).catch(() => undefined);
    parent.send({ file, ...(sha256 === undefined ? {} : { sha256 }) });
  }
}

/** Returns undefined if the parser has ended in the meantime. */
async function digestOf(file: string, { onProgress, hasEnded }: HashingParent): Promise<string | undefined> {
  const hash = createHash("sha256");
  for await (const piece of fileBytes(file, { lent: true })) {
    if (hasEnded()) return undefined;
    hash.update(piece);
    onProgress();
  }
  return hash.digest("hex");
}
