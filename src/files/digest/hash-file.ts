// Digests of one open file: of both ends, which tell most files apart, and of the whole content.
import { createHash } from "node:crypto";
import type { OpenHandle } from "../disk-access.ts";

/** The number of bytes read from each end. A file no longer than both ends together is hashed in full right away. */
const END_BYTES = 4096;
const CHUNK_BYTES = 1024 * 1024;

export const isShort = (size: number): boolean => size <= 2 * END_BYTES;

export async function hashEnds(handle: OpenHandle, size: number): Promise<Buffer> {
  const hash = createHash("sha256").update(String(size));
  const buffer = Buffer.allocUnsafe(END_BYTES);
  for (const position of isShort(size) ? [0, END_BYTES] : [0, size - END_BYTES]) {
    const { bytesRead } = await handle.read(buffer, 0, END_BYTES, position);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest().subarray(0, 16);
}

/** Returns undefined if `isStopped` returns true or the file has become shorter. */
export async function hashWhole(
  handle: OpenHandle,
  size: number,
  onBytes: (count: number) => Promise<boolean>,
): Promise<Buffer | undefined> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, size)));
  let read = 0;
  while (read < size) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, read);
    if (bytesRead === 0) return undefined;
    hash.update(buffer.subarray(0, bytesRead));
    read += bytesRead;
    if (!(await onBytes(bytesRead))) return undefined;
  }
  return hash.digest();
}
