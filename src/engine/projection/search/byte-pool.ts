// Growing byte arrays, for term dictionaries and postings.

export class BytePool {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  append(source: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    const { bytes } = this;
    let at = this.length;
    // Terms are a few bytes long: a loop is faster than calling `set`.
    if (to - from < 32) for (let index = from; index < to; index++) bytes[at++] = source[index]!;
    else {
      bytes.set(source.subarray(from, to), at);
      at += to - from;
    }
    this.length = at;
  }

  /** Seven bits per byte, lowest first. The high bit means that more bytes follow. */
  varint(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  trimmed(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

export function compareBytes(
  one: Uint8Array,
  oneFrom: number,
  oneTo: number,
  other: Uint8Array,
  otherFrom: number,
  otherTo: number,
): number {
  const length = Math.min(oneTo - oneFrom, otherTo - otherFrom);
  for (let at = 0; at < length; at++) {
    const difference = one[oneFrom + at]! - other[otherFrom + at]!;
    if (difference !== 0) return difference;
  }
  return oneTo - oneFrom - (otherTo - otherFrom);
}
