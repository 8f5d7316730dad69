// The codes of all passages in memory, and the rows of each record by its version.
import { type ChunkHead, emptyHead } from "./chunk.ts";
import { codeWords } from "./quantise.ts";

/** Rows per block. Blocks are added one at a time, so that growing never copies existing rows. */
const SHIFT = 14;
const BLOCK = 1 << SHIFT;
const NOBODY = -1;

export interface VectorRow {
  version: number;
  /** The number that stands for the field's name. */
  field: number;
  start: number;
  end: number;
}

export class VectorTable {
  readonly dimensions: number;
  readonly words: number;
  /** The number of rows, including removed ones. */
  size = 0;
  /** Changes with every addition and removal. */
  generation = 0;
  readonly #blocks: ChunkHead[] = [];
  /** The first row of each record, by a hash of the version (open addressing). */
  #slots = new Int32Array(1024).fill(NOBODY);
  #records = 0;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.words = codeWords(dimensions);
  }

  get bytes(): number {
    const perRow = 8 + 4 + 4 + 2 + 4 * this.words;
    return this.#blocks.length * BLOCK * perRow + this.#slots.byteLength;
  }

  /** A record's rows must be consecutive. */
  append({ version, field, start, end }: VectorRow, code: Uint32Array): void {
    if (this.size >>> SHIFT === this.#blocks.length) this.#blocks.push(emptyHead(BLOCK, this.dimensions));
    const row = this.size++;
    const at = row & (BLOCK - 1);
    const block = this.#blocks[row >>> SHIFT]!;
    block.versions[at] = version;
    block.fields[at] = field;
    block.starts[at] = start;
    block.ends[at] = end;
    block.codes.set(code, at * this.words);
    this.generation++;
    if (version !== 0 && (row === 0 || this.versionAt(row - 1) !== version)) this.#index(row, version);
  }

  /** The first row of a record, or -1. */
  rowOf(version: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(version) & mask; this.#slots[slot] !== NOBODY; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]!;
      if (this.versionAt(row) === version) return row;
    }
    return NOBODY;
  }

  versionAt(row: number): number {
    return row < this.size ? this.#blocks[row >>> SHIFT]!.versions[row & (BLOCK - 1)]! : 0;
  }

  rowAt(row: number): VectorRow {
    const { versions, fields, starts, ends } = this.#blocks[row >>> SHIFT]!;
    const at = row & (BLOCK - 1);
    return { version: versions[at]!, field: fields[at]!, start: starts[at]!, end: ends[at]! };
  }

  fieldAt(row: number): number {
    return this.#blocks[row >>> SHIFT]!.fields[row & (BLOCK - 1)]!;
  }

  /** The block that contains a row. */
  blockOf(row: number): ChunkHead {
    return this.#blocks[row >>> SHIFT]!;
  }

  placeOf(row: number): number {
    return row & (BLOCK - 1);
  }

  /** Deletes the vector and leaves its row empty. */
  remove(row: number): void {
    const { versions, starts, ends, codes } = this.blockOf(row);
    const at = this.placeOf(row);
    versions[at] = 0;
    starts[at] = 0;
    ends[at] = 0;
    codes.fill(0, at * this.words, (at + 1) * this.words);
    this.generation++;
  }

  /** A copy of some rows, in storage format. */
  head(from: number, rows: number): ChunkHead {
    const head = emptyHead(rows, this.dimensions);
    for (let index = 0; index < rows; index++) {
      const { version, field, start, end } = this.rowAt(from + index);
      head.versions[index] = version;
      head.fields[index] = field;
      head.starts[index] = start;
      head.ends[index] = end;
      const at = this.placeOf(from + index) * this.words;
      head.codes.set(this.blockOf(from + index).codes.subarray(at, at + this.words), index * this.words);
    }
    return head;
  }

  #index(row: number, version: number): void {
    if (++this.#records * 2 > this.#slots.length) this.#grow();
    this.#put(row, version);
  }

  #put(row: number, version: number): void {
    const mask = this.#slots.length - 1;
    let slot = hashOf(version) & mask;
    while (this.#slots[slot] !== NOBODY) slot = (slot + 1) & mask;
    this.#slots[slot] = row;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2).fill(NOBODY);
    for (const row of before) {
      const version = row === NOBODY ? 0 : this.versionAt(row);
      if (version !== 0) this.#put(row, version);
    }
  }
}

function hashOf(version: number): number {
  return Math.imul((version ^ (version / 2 ** 32)) | 0, 0x9e3779b1) >>> 8;
}
