// A list of 32-bit numbers that grows without boxing.

export class GrowingNumbers {
  values: Uint32Array;
  length = 0;

  constructor(capacity = 256) {
    this.values = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Uint32Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  trimmed(): Uint32Array {
    return this.values.slice(0, this.length);
  }
}
