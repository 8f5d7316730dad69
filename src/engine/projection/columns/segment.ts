// A sealed segment: immutable rows whose columns are in memory, in the store, or both.
import type { ColumnKind } from "../../../core/fields.ts";
import { type Block, decodeBlock, encodeBlock } from "./block.ts";
import type { Column } from "./column.ts";
import { type IdIndex, indexIds } from "./id-index.ts";
import { orderByKey } from "./radix-sort.ts";
import type { Rows } from "./rows.ts";
import type { ColumnSegmentStore, SegmentBlob, StoredColumn } from "./segment-store.ts";
import type { ColumnsShape } from "./shape.ts";
import { type StringTable, sizeOf, stringAt, tableOf } from "./string-table.ts";
import { orderByText } from "./text-order.ts";
import { Unit, type UnitCache } from "./unit-cache.ts";
import { type ZoneMap, zoneOf } from "./zone.ts";

/** A blob of a stored segment is missing, damaged or not the one that was saved. */
export class UnreadableSegment extends Error {
  readonly seq: number;
  readonly column: string;
  readonly checksum: number | undefined;

  constructor(seq: number, column: StoredColumn | { name: string; checksum?: undefined }) {
    super(`column ${column.name} of segment ${seq} is unreadable`);
    this.seq = seq;
    this.column = column.name;
    this.checksum = column.checksum;
  }
}

const IDS = "ids";
const VERSIONS = "versions";
const ZONES = "zones";
/** A prefix distinguishes fields from our own blobs. */
const blobName = (field: string) => `field:${field}`;
/** The blob with the start of each row's list. */
const startsName = (field: string) => `starts:${field}`;

export class ColumnSegment {
  readonly seq: number;
  readonly rows: number;
  readonly bytes: number;
  readonly zones: ReadonlyMap<string, ZoneMap>;
  readonly ids: Unit<StringTable>;
  readonly versions: Unit<Float64Array>;
  readonly #columns = new Map<string, Unit<Column>>();
  readonly #orders = new Map<string, Unit<Uint16Array>>();
  readonly #index: Unit<IdIndex>;
  readonly #byId: Unit<Uint32Array>;
  readonly #read: (column: StoredColumn) => Promise<Block>;
  #stored: ReadonlyMap<string, StoredColumn> | undefined;

  constructor(cache: UnitCache, at: SegmentPlace, zones: ReadonlyMap<string, ZoneMap>, bytes: number) {
    this.seq = at.seq;
    this.rows = at.rows;
    this.bytes = bytes;
    this.zones = zones;
    this.#read = (column) => readBlock(at, column);
    this.ids = new Unit(cache, async () => (await this.#block(IDS)).strings!, tableBytes);
    this.versions = new Unit(cache, async () => (await this.#block(VERSIONS)).keys as Float64Array, byteLength);
    for (const { field, kind, list } of at.shape.columns) {
      const load = async (): Promise<Column> => {
        const column = columnIn(kind, await this.#block(blobName(field)));
        return list ? { ...column, starts: (await this.#block(startsName(field))).keys as Uint32Array } : column;
      };
      const column = new Unit(cache, load, columnBytes);
      this.#columns.set(field, column);
      this.#orders.set(field, new Unit(cache, () => this.#buildOrder(column), byteLength));
    }
    this.#byId = new Unit(cache, async () => orderByText(await this.ids.get()), byteLength);
    this.#index = new Unit(
      cache,
      async () => indexIds(await this.ids.get()),
      ({ slots }) => slots.byteLength,
    );
  }

  column(field: string): Unit<Column> {
    const unit = this.#columns.get(field);
    if (!unit) throw new Error(`no column ${field}`);
    return unit;
  }

  /** Rows by (value, id) in ascending order, null first. */
  order(field: string): Unit<Uint16Array> {
    return this.#orders.get(field)!;
  }

  get index(): Unit<IdIndex> {
    return this.#index;
  }

  async #buildOrder(column: Unit<Column>): Promise<Uint16Array> {
    return new Uint16Array(orderByKey((await column.get()).keys, await this.#byId.get()));
  }

  get stored(): boolean {
    return this.#stored !== undefined;
  }

  has(column: StoredColumn): boolean {
    return this.#stored?.get(column.name)?.checksum === column.checksum;
  }

  /** From now on, columns may be evicted from memory. */
  markStored(columns: readonly StoredColumn[]): void {
    this.#stored = new Map(columns.map((column) => [column.name, column]));
    for (const unit of this.#data()) unit.unpin();
  }

  retire(): void {
    for (const unit of [...this.#data(), ...this.#orders.values(), this.#byId, this.#index]) unit.retire();
  }

  async toRows(): Promise<Rows> {
    const columns: Column[] = [];
    for (const unit of this.#columns.values()) columns.push(await unit.get());
    return { ids: await this.ids.get(), versions: await this.versions.get(), columns };
  }

  async toBlobs(): Promise<SegmentBlob[]> {
    const zones = JSON.stringify([this.bytes, ...this.zones]);
    const blobs = [
      { name: IDS, ...encodeBlock({ strings: await this.ids.get() }) },
      { name: VERSIONS, ...encodeBlock({ keys: await this.versions.get() }) },
      { name: ZONES, ...encodeBlock({ strings: tableOf([zones]) }) },
    ];
    for (const [field, unit] of this.#columns) {
      const { keys, dictionary, starts } = await unit.get();
      blobs.push({ name: blobName(field), ...encodeBlock({ keys, ...(dictionary && { strings: dictionary }) }) });
      if (starts) blobs.push({ name: startsName(field), ...encodeBlock({ keys: starts }) });
    }
    return blobs;
  }

  #data(): Pick<Unit<unknown>, "unpin" | "retire">[] {
    return [this.ids, this.versions, ...this.#columns.values()];
  }

  async #block(name: string): Promise<Block> {
    const stored = this.#stored?.get(name);
    if (!stored) throw new UnreadableSegment(this.seq, { name });
    return this.#read(stored);
  }
}

export interface SegmentPlace {
  store: ColumnSegmentStore;
  streamNo: number;
  shape: ColumnsShape;
  seq: number;
  rows: number;
}

/** How many entries a blob must have. Undefined if any number is valid. */
function lengthOf({ shape, rows }: SegmentPlace, name: string): number | undefined {
  if (name === ZONES || shape.columns.some(({ field, list }) => list && name === blobName(field))) return undefined;
  return name.startsWith("starts:") ? rows + 1 : rows;
}

async function readBlock(at: SegmentPlace, column: StoredColumn): Promise<Block> {
  const { store, streamNo, seq } = at;
  const bytes = await store.blob(streamNo, seq, column.name);
  const block = bytes && decodeBlock(bytes, column.checksum);
  const length = block && (block.keys ? block.keys.length : sizeOf(block.strings!));
  if (!block || (lengthOf(at, column.name) ?? length) !== length) throw new UnreadableSegment(seq, column);
  return block;
}

/** Creates a segment from rows that are only in memory. The rows must be sorted (rows.ts). */
export function freshSegment(cache: UnitCache, at: SegmentPlace, rows: Rows): ColumnSegment {
  const zones = new Map(at.shape.columns.map(({ field }, i) => [field, zoneOf(rows.columns[i]!)]));
  const bytes = rows.columns.reduce(
    (sum, column) => sum + columnBytes(column),
    tableBytes(rows.ids) + rows.versions.byteLength,
  );
  const segment = new ColumnSegment(cache, at, zones, bytes);
  segment.ids.pin(rows.ids);
  segment.versions.pin(rows.versions);
  at.shape.columns.forEach(({ field }, i) => {
    segment.column(field).pin(rows.columns[i]!);
  });
  return segment;
}

/** Opens a segment from the manifest. Only its zone maps are read now. */
export async function storedSegment(
  cache: UnitCache,
  at: SegmentPlace,
  columns: StoredColumn[],
): Promise<ColumnSegment> {
  const expected = [
    IDS,
    VERSIONS,
    ...at.shape.columns.flatMap(({ field, list }) => [blobName(field), ...(list ? [startsName(field)] : [])]),
  ];
  for (const name of expected) {
    if (!columns.some((column) => column.name === name)) throw new UnreadableSegment(at.seq, { name });
  }
  const zones = columns.find((column) => column.name === ZONES);
  if (!zones) throw new UnreadableSegment(at.seq, { name: ZONES });
  const block = await readBlock(at, zones);
  const [bytes, ...entries] = JSON.parse(stringAt(block.strings!, 0)) as [number, ...[string, ZoneMap][]];
  const segment = new ColumnSegment(cache, at, new Map(entries), bytes);
  segment.markStored(columns);
  return segment;
}

function columnIn(kind: ColumnKind, block: Block): Column {
  return { kind, keys: block.keys!, ...(block.strings && { dictionary: block.strings }) };
}

function byteLength(array: { byteLength: number }): number {
  return array.byteLength;
}

function tableBytes({ bytes, offsets }: StringTable): number {
  return bytes.length + offsets.byteLength;
}

function columnBytes({ keys, dictionary, starts }: Column): number {
  return keys.byteLength + (dictionary ? tableBytes(dictionary) : 0) + (starts?.byteLength ?? 0);
}
