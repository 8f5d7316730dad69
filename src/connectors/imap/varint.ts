// Encodes numbers and strings as a sequence of bytes. Small numbers take one byte.

export function createWriter() {
  let buffer = Buffer.alloc(64 * 1024);
  let length = 0;
  function room(bytes: number): void {
    if (length + bytes <= buffer.length) return;
    const larger = Buffer.alloc(Math.max(buffer.length * 2, length + bytes));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  }
  const writer = {
    byte(value: number): void {
      room(1);
      buffer[length++] = value;
    },
    number(value: number): void {
      let rest = value;
      for (; rest >= 128; rest = Math.floor(rest / 128)) writer.byte((rest % 128) | 128);
      writer.byte(rest);
    },
    /** Writes up to 6 bytes. */
    fixed(value: number, bytes: number): void {
      room(bytes);
      length = buffer.writeUIntBE(value, length, bytes);
    },
    text(value: string): void {
      const bytes = Buffer.from(value);
      writer.number(bytes.length);
      room(bytes.length);
      length += bytes.copy(buffer, length);
    },
    bytes: (): Buffer => buffer.subarray(0, length),
  };
  return writer;
}

export type VarintReader = ReturnType<typeof createReader>;

/** Throws a RangeError beyond the end. */
export function createReader(bytes: Buffer) {
  let at = 0;
  const reader = {
    byte: (): number => bytes.readUInt8(at++),
    number(): number {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const byte = reader.byte();
        value += (byte & 127) * factor;
        if (byte < 128) return value;
      }
    },
    fixed(length: number): number {
      const value = bytes.readUIntBE(at, length);
      at += length;
      return value;
    },
    text(): string {
      const length = reader.number();
      if (at + length > bytes.length) throw new RangeError("a string extends beyond the end of the data");
      at += length;
      return bytes.toString("utf8", at - length, at);
    },
  };
  return reader;
}
