// The vectors of passages, stored in chunks, with their codes in memory. They belong to one model, and to specific
// versions of records.
import type { SearchSegmentStore } from "../types.ts";
import {
  BODY,
  CHUNK,
  type ChunkBody,
  emptyBody,
  emptyHead,
  readBody,
  readHead,
  writeBody,
  writeHead,
} from "./chunk.ts";
import { quantise } from "./quantise.ts";
import { VectorTable } from "./vector-table.ts";

/** An indexed passage: a window of a field, as UTF-16 offsets. */
export interface EmbeddedPassage {
  field: string;
  start: number;
  end: number;
  vector: Float32Array;
}

interface VectorManifest {
  format: 1;
  model: string;
  dimensions: number;
  through: number;
  /** Chunk names are numbers that are never reused. */
  next: number;
  fields: string[];
  rows: number;
  /** The names of the chunks. */
  chunks: number[];
  /** For each stream, the searched fields when its records were embedded. */
  shapes: [number, string][];
}

/** How many bodies are kept in memory: those that one search reads, and the one being filled. */
const BODIES = 1024;
/** How often to check whether another process added vectors. */
const LOOK_MS = 5000;

export class Vectors {
  readonly #store: SearchSegmentStore;
  #saved: Uint8Array | undefined;
  #model: string | undefined;
  #table: VectorTable | undefined;
  /** In chunk order. The last chunk may not be full. */
  #chunks: { name: number; changed: boolean }[] = [];
  #bodies = new Map<number, ChunkBody>();
  #fields: string[] = [];
  #shapes = new Map<number, string>();
  #next = 0;
  #through = 0;
  #isBegun = false;
  #changed = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(store: SearchSegmentStore) {
    this.#store = store;
  }

  get table(): VectorTable | undefined {
    return this.#table;
  }

  /** True if embedding has started, here or in another process. There may have been nothing to embed. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#changed = true;
  }

  get through(): number {
    return this.#through;
  }

  /** The number of passages that have a vector. */
  get passages(): number {
    let rows = 0;
    for (let row = 0; row < (this.#table?.size ?? 0); row++) if (this.#table!.versionAt(row) !== 0) rows++;
    return rows;
  }

  /** The memory used by codes and loaded bodies. */
  get bytes(): number {
    const { bytes = 0, dimensions = 0 } = this.#table ?? {};
    return bytes + this.#bodies.size * BODY * (dimensions + 4);
  }

  fieldName(number: number): string {
    return this.#fields[number]!;
  }

  /** Loads the stored vectors for this model. Vectors from another model are not comparable. */
  async use(model: string): Promise<void> {
    if (this.#model === model && (this.#changed || performance.now() - this.#lookedAt < LOOK_MS)) return;
    this.#lookedAt = performance.now();
    const stored = await this.#store.loadManifest();
    if (this.#model === model && sameBytes(stored, this.#saved)) return;
    this.#clear(model);
    this.#saved = stored;
    const manifest = readManifest(stored);
    this.#next = manifest?.next ?? 0;
    if (manifest?.model === model) await this.#restore(manifest);
  }

  /** Deletes everything, including stored vectors and those not saved yet. */
  async forget(): Promise<void> {
    this.#clear(undefined);
    const stored = await this.#store.loadManifest();
    if (stored === undefined) return;
    this.#saved = stored;
    this.#next = readManifest(stored)?.next ?? 0;
    this.#changed = true;
    await this.save();
  }

  /** Returns true if a record has exactly these passages. */
  has(version: number, passages: readonly { field: string; start: number; end: number }[]): boolean {
    const table = this.#table;
    const first = table?.rowOf(version) ?? -1;
    if (table === undefined || first < 0) return false;
    return (
      passages.every(({ field, start, end }, index) => {
        const row = first + index;
        if (table.versionAt(row) !== version) return false;
        const found = table.rowAt(row);
        return this.#fields[found.field] === field && found.start === start && found.end === end;
      }) && table.versionAt(first + passages.length) !== version
    );
  }

  /**
   * If a stream's searched fields have changed, all records are checked again. Their vectors are kept if their passages
   * are the same.
   */
  compareShapes(shapes: ReadonlyMap<number, string>): void {
    for (const [streamNo, shape] of shapes) {
      const known = this.#shapes.get(streamNo);
      if (known === shape) continue;
      this.#shapes.set(streamNo, shape);
      if (known === undefined) continue;
      this.#through = 0;
      this.#changed = true;
    }
  }

  /** Adds the vectors of whole records. Everything up to `through` is then done. */
  async add(
    records: readonly { version: number; passages: readonly EmbeddedPassage[] }[],
    dimensions: number,
    through: number,
  ): Promise<void> {
    if (this.#table !== undefined && this.#table.dimensions !== dimensions) {
      // This is another model under the same name, so everything is embedded again.
      this.#clear(this.#model);
      this.#changed = true;
      return;
    }
    this.#table ??= new VectorTable(dimensions);
    for (const { version, passages } of records) {
      await this.remove(version);
      for (const passage of passages) await this.#append(version, passage);
    }
    this.#through = through;
    this.#changed = true;
  }

  /** Everything up to here is done, and there was nothing to add. */
  skipTo(through: number): void {
    if (through === this.#through) return;
    this.#through = through;
    this.#changed = true;
  }

  async remove(version: number): Promise<void> {
    const table = this.#table;
    if (table === undefined) return;
    for (let row = table.rowOf(version); row >= 0 && table.versionAt(row) === version; row++) {
      const body = await this.#body(Math.floor(row / BODY));
      body.scales[row % BODY] = 0;
      body.bytes.fill(0, (row % BODY) * table.dimensions, ((row % BODY) + 1) * table.dimensions);
      table.remove(row);
      this.#chunks[Math.floor(row / CHUNK)]!.changed = true;
      this.#changed = true;
    }
  }

  /** Removes vectors whose record was deleted or has another version. Returns how many. */
  async sweep(alive: (version: number) => boolean): Promise<number> {
    const table = this.#table;
    let removed = 0;
    for (let row = 0; row < (table?.size ?? 0); row++) {
      const version = table!.versionAt(row);
      if (version === 0 || alive(version)) continue;
      await this.remove(version);
      removed++;
    }
    return removed;
  }

  /** The cosine of each of these rows with a vector of length 1. */
  async similarities(rows: readonly number[], query: Float32Array): Promise<Float64Array> {
    const { dimensions } = this.#table!;
    const found = new Float64Array(rows.length);
    const byBody = Map.groupBy(rows.keys(), (index) => Math.floor(rows[index]! / BODY));
    await Promise.all(
      [...byBody].map(async ([number, indexes]) => {
        const { scales, bytes } = await this.#body(number);
        for (const index of indexes) {
          const at = rows[index]! % BODY;
          let sum = 0;
          for (let place = 0, from = at * dimensions; place < dimensions; place++)
            sum += query[place]! * bytes[from + place]!;
          found[index] = sum * scales[at]!;
        }
      }),
    );
    return found;
  }

  /** Writes the changes since the last save, if there are any. */
  async save(): Promise<void> {
    if (!this.#changed) return;
    const put: { name: string; bytes: Uint8Array }[] = [];
    const before = new Set(namesIn(readManifest(this.#saved)));
    for (const [index, chunk] of this.#chunks.entries()) {
      if (!chunk.changed) continue;
      const bodies = await this.#bodiesOf(index);
      chunk.name = this.#next++;
      const names = partNames(chunk.name);
      put.push({ name: names.head, bytes: writeHead(this.#table!.head(index * CHUNK, CHUNK)) });
      bodies.forEach((body, at) => {
        put.push({ name: names.bodies[at]!, bytes: writeBody(body) });
      });
    }
    const manifest: VectorManifest = {
      format: 1,
      model: this.#model ?? "",
      dimensions: this.#table?.dimensions ?? 0,
      through: this.#through,
      next: this.#next,
      fields: this.#fields,
      rows: this.#table?.size ?? 0,
      chunks: this.#chunks.map(({ name }) => name),
      shapes: [...this.#shapes],
    };
    const bytes = new TextEncoder().encode(JSON.stringify(manifest));
    for (const name of namesIn(manifest)) before.delete(name);
    if (await this.#store.save({ expected: this.#saved, manifest: bytes, put, drop: [...before] })) {
      this.#saved = bytes;
      for (const chunk of this.#chunks) chunk.changed = false;
      this.#trim();
    } else {
      // Another process saved first. Its vectors are as good as ours.
      this.#model = undefined;
    }
    this.#changed = false;
  }

  async #append(version: number, { field, start, end, vector }: EmbeddedPassage): Promise<void> {
    const table = this.#table!;
    const row = table.size;
    const number = Math.floor(row / BODY);
    if (row % CHUNK === 0) this.#chunks.push({ name: -1, changed: true });
    if (row % BODY === 0) this.#bodies.set(number, emptyBody(table.dimensions));
    const { code, bytes, scale } = quantise(vector);
    const body = await this.#body(number);
    body.scales[row % BODY] = scale;
    body.bytes.set(bytes, (row % BODY) * table.dimensions);
    table.append({ version, field: this.#fieldNumber(field), start, end }, code);
    this.#chunks.at(-1)!.changed = true;
  }

  #fieldNumber(name: string): number {
    const known = this.#fields.indexOf(name);
    return known >= 0 ? known : this.#fields.push(name) - 1;
  }

  async #body(number: number): Promise<ChunkBody> {
    const known = this.#bodies.get(number);
    if (known !== undefined) {
      // Moves the body to the end, because the least recently used body is dropped first.
      this.#bodies.delete(number);
      this.#bodies.set(number, known);
      return known;
    }
    const { dimensions } = this.#table!;
    const { name } = this.#chunks[Math.floor(number / PER_CHUNK)]!;
    const part = partNames(name).bodies[number % PER_CHUNK]!;
    const body = readBody(await this.#store.read(part), dimensions) ?? this.#lost(number);
    this.#bodies.set(number, body);
    this.#trim();
    return body;
  }

  /** Removes the lost rows and restarts the walk over the records, which finds those without vectors. */
  #lost(number: number): ChunkBody {
    const table = this.#table!;
    for (let row = number * BODY; row < Math.min(table.size, (number + 1) * BODY); row++) table.remove(row);
    this.#through = 0;
    return emptyBody(table.dimensions);
  }

  /** A chunk's bodies. Those after the last row are empty. */
  async #bodiesOf(chunk: number): Promise<ChunkBody[]> {
    const bodies: ChunkBody[] = [];
    for (let number = chunk * PER_CHUNK; number < (chunk + 1) * PER_CHUNK; number++)
      bodies.push(number * BODY < this.#table!.size ? await this.#body(number) : emptyBody(this.#table!.dimensions));
    return bodies;
  }

  #trim(): void {
    for (const number of this.#bodies.keys()) {
      if (this.#bodies.size <= BODIES) return;
      if (!this.#chunks[Math.floor(number / PER_CHUNK)]!.changed) this.#bodies.delete(number);
    }
  }

  #clear(model: string | undefined): void {
    this.#model = model;
    this.#table = undefined;
    this.#chunks = [];
    this.#bodies.clear();
    this.#fields = [];
    this.#shapes.clear();
    this.#through = 0;
    this.#isBegun = false;
    this.#changed = false;
  }

  async #restore({ dimensions, through, fields, rows, chunks, shapes }: VectorManifest): Promise<void> {
    this.#fields = fields;
    this.#shapes = new Map(shapes);
    this.#through = through;
    this.#isBegun = true;
    if (dimensions === 0) return;
    const table = new VectorTable(dimensions);
    this.#table = table;
    for (const [number, name] of chunks.entries()) {
      const head = readHead(await this.#store.read(partNames(name).head), dimensions);
      // A damaged head is treated like a damaged body: the walk finds the records without vectors.
      if (head === undefined) this.#through = 0;
      const { versions, fields, starts, ends, codes } = head ?? emptyHead(CHUNK, dimensions);
      for (let at = 0; at < CHUNK && number * CHUNK + at < rows; at++) {
        const row = { version: versions[at]!, field: fields[at]!, start: starts[at]!, end: ends[at]! };
        table.append(row, codes.subarray(at * table.words, (at + 1) * table.words));
      }
      this.#chunks.push({ name, changed: false });
    }
  }
}

const PER_CHUNK = CHUNK / BODY;

const partNames = (name: number) => ({
  head: `${name}.head`,
  bodies: Array.from({ length: PER_CHUNK }, (_, at) => `${name}.${at}`),
});

const namesIn = (manifest: VectorManifest | undefined): string[] =>
  (manifest?.chunks ?? []).flatMap((name) => {
    const { head, bodies } = partNames(name);
    return [head, ...bodies];
  });

/** Returns undefined if nothing is stored or it cannot be read. Everything is then embedded again. */
function readManifest(stored: Uint8Array | undefined): VectorManifest | undefined {
  if (stored === undefined) return undefined;
  try {
    const manifest = JSON.parse(new TextDecoder().decode(stored)) as VectorManifest;
    return manifest.format === 1 ? manifest : undefined;
  } catch {
    return undefined;
  }
}

const sameBytes = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && Buffer.compare(one, other) === 0);
