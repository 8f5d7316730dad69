// Stores lines of text as bytes that can be passed to another thread. Strings would live long enough for the garbage
// collector to copy them three times.

const FIRST_BYTES = 64 * 1024;
/** A new buffer is as large as the previous one, because batches are about equally long, but no larger than this. */
const KEPT_BYTES = 2 * 1024 * 1024;
const NEWLINE = 10;

export interface LineBuffer {
  /** The number of bytes in the buffer. */
  length(): number;
  add(line: string): void;
  /** Returns all lines. The next line starts a new buffer. */
  take(): Uint8Array<ArrayBuffer>;
}

export function lineBuffer(): LineBuffer {
  let bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let used = 0;

  function reserve(line: string): void {
    // A UTF-16 unit takes at most three bytes. The exact size is computed only if that might not fit.
    if (bytes.length - used > line.length * 3) return;
    const needed = used + Buffer.byteLength(line) + 1;
    if (needed <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, bytes.length * 2));
    bytes.copy(larger, 0, 0, used);
    bytes = larger;
  }

  return {
    length: () => used,
    add(line) {
      reserve(line);
      used += bytes.write(line, used);
      bytes[used++] = NEWLINE;
    },
    take() {
      const taken = bytes.subarray(0, used);
      bytes = Buffer.allocUnsafeSlow(Math.min(bytes.length, KEPT_BYTES));
      used = 0;
      return taken;
    },
  };
}
