// Reads a file in chunks of growing size, so that reading the head costs little and a long file needs few reads.
import type { PathLike } from "node:fs";
import { open } from "node:fs/promises";

const FIRST_BYTES = 64 * 1024;
const MOST_BYTES = 512 * 1024;

/** Starting with the second chunk, the next chunk is read while the current one is processed. For `lent`, see Entry. */
export async function* fileBytes(path: PathLike, { lent = false }: { lent?: boolean } = {}): AsyncGenerator<Buffer> {
  const file = await open(path);
  const buffers: Buffer[] = [];
  let reads = 0;
  let next: Promise<Buffer> | undefined;
  try {
    for (let size = FIRST_BYTES; ; size = Math.min(size * 2, MOST_BYTES)) {
      const piece = await (next ?? read(size));
      if (piece.length === 0) return;
      next = size === FIRST_BYTES ? undefined : read(size);
      yield piece;
    }
  } finally {
    await next?.catch(() => undefined);
    await file.close();
  }

  async function read(size: number): Promise<Buffer> {
    const { buffer, bytesRead } = await file.read(room(size), 0, size, null);
    return buffer.subarray(0, bytesRead);
  }

  /**
   * Lent buffers alternate: one is processed while the other is filled. New buffers would pile up, because the garbage
   * collector frees unreferenced memory late.
   */
  function room(size: number): Buffer {
    if (!lent) return Buffer.allocUnsafeSlow(size);
    const turn = reads++ % 2;
    const used = buffers[turn];
    const buffer = used !== undefined && used.length >= size ? used : Buffer.allocUnsafeSlow(size);
    buffers[turn] = buffer;
    return buffer;
  }
}
