// Reads a byte stream in pieces of given lengths.

export interface BytePieces {
  /** Returns undefined at the end of the stream, and a shorter piece if the stream ends early. */
  next(length: number): Promise<Buffer | undefined>;
}

export function bytePieces(source: AsyncIterable<Uint8Array>): BytePieces {
  const iterator = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  return {
    async next(length) {
      const parts = [held];
      let bytes = held.length;
      while (bytes < length) {
        const { value, done } = await iterator.next();
        if (done) break;
        parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
        bytes += value.byteLength;
      }
      const all = parts.length === 1 ? held : Buffer.concat(parts);
      held = all.subarray(length);
      return all.length === 0 && length > 0 ? undefined : all.subarray(0, length);
    },
  };
}
