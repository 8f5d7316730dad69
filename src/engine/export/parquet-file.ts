// Writes a Parquet file incrementally, with typed columns from the declaration and row groups of bounded size.

import type { SchemaElement } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import type { JsonValue } from "../../contract/record.ts";
import { parseDay, parseInstant } from "../../core/instant.ts";
import { type ExportColumn, OTHER_FIELDS } from "./columns.ts";
import type { CsvRecord } from "./csv.ts";

/** Larger groups compress slightly better, but the thread keeps this many characters of JSON in memory. */
const GROUP = { rows: 10_000, characters: 4 * 1024 * 1024 };

/** `convert` returns undefined if the value does not fit the column. */
interface ParquetType {
  element: Omit<SchemaElement, "name">;
  convert(value: JsonValue): unknown;
}

const DAY_MS = 86_400_000;
const text = (value: JsonValue) => (typeof value === "string" ? value : undefined);
const KINDS = {
  string: { element: { type: "BYTE_ARRAY", converted_type: "UTF8" }, convert: text },
  instant: {
    element: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
    convert: (value) => {
      const at = typeof value === "string" ? parseInstant(value) : undefined;
      return at === undefined || !Number.isInteger(at) ? undefined : BigInt(at);
    },
  },
  day: {
    element: { type: "INT32", converted_type: "DATE" },
    convert: (value) => {
      const at = typeof value === "string" ? parseDay(value) : undefined;
      return at === undefined ? undefined : Math.floor(at / DAY_MS);
    },
  },
  integer: {
    element: { type: "INT64" },
    convert: (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : undefined),
  },
  number: { element: { type: "DOUBLE" }, convert: (value) => (typeof value === "number" ? value : undefined) },
  boolean: { element: { type: "BOOLEAN" }, convert: (value) => (typeof value === "boolean" ? value : undefined) },
  json: { element: { type: "BYTE_ARRAY", converted_type: "JSON" }, convert: (value) => value },
} as const satisfies Record<string, ParquetType>;

function kindOf({ type, format }: ExportColumn): ParquetType {
  if (type === "string") return format === "date-time" ? KINDS.instant : format === "date" ? KINDS.day : KINDS.string;
  if (type === "integer" || type === "number" || type === "boolean") return KINDS[type];
  return KINDS.json;
}

export class ParquetFile {
  readonly #columns: { column: ExportColumn; kind: ParquetType; values: unknown[] }[];
  #others: unknown[] = [];
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #characters = 0;

  constructor(columns: readonly ExportColumn[]) {
    this.#columns = columns.map((column) => ({ column, kind: kindOf(column), values: [] }));
    const elements: SchemaElement[] = [
      ...this.#columns.map(({ column, kind }) => ({ ...kind.element, name: column.name })),
      { ...KINDS.json.element, name: OTHER_FIELDS },
    ].map((element) => ({ ...element, repetition_type: "OPTIONAL" }));
    const schema: SchemaElement[] = [{ name: "root", num_children: elements.length }, ...elements];
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema });
  }

  /** Accepts records, one JSON line each, and returns the bytes that are ready. */
  add(lines: string): Uint8Array<ArrayBuffer> {
    for (const line of lines.split("\n")) {
      if (line === "") continue;
      this.#addRecord(JSON.parse(line) as CsvRecord);
      this.#characters += line.length;
      if (this.#others.length >= GROUP.rows || this.#characters >= GROUP.characters) this.#endGroup();
    }
    return this.#ready();
  }

  end(): Uint8Array<ArrayBuffer> {
    if (this.#others.length > 0) this.#endGroup();
    this.#writer.finish();
    return this.#ready();
  }

  #addRecord(record: CsvRecord): void {
    const others = new Map(Object.entries(record.data));
    for (const { column, kind, values } of this.#columns) {
      const { name, field } = column;
      const value = field === undefined ? record[name as "id"] : others.get(field);
      const fitting = value === undefined || value === null ? null : kind.convert(value);
      values.push(fitting ?? null);
      // A value that does not fit its column is kept in `other_fields`.
      if (field !== undefined && fitting !== undefined) others.delete(field);
    }
    this.#others.push(others.size === 0 ? null : Object.fromEntries(others));
  }

  #endGroup(): void {
    const data = [
      ...this.#columns.map(({ column, values }) => ({ name: column.name, data: values })),
      { name: OTHER_FIELDS, data: this.#others },
    ] as ColumnSource[];
    this.#writer.write({ columnData: data, rowGroupSize: this.#others.length });
    for (const column of this.#columns) column.values = [];
    this.#others = [];
    this.#characters = 0;
  }

  /** The writer keeps counting its offset; only its buffer is reset. */
  #ready(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.getBytes().slice() as Uint8Array<ArrayBuffer>;
    this.#bytes.index = 0;
    return bytes;
  }
}
