// Any table: CSV, TSV, JSON, NDJSON or SQLite. For files that no other importer recognises, with a declaration derived
// from a sample.
import type { JsonObject } from "../../../contract/json.ts";
import { DECLARATION_STREAMS_MAX } from "../../../contract/limits.ts";
import type { Entry } from "../../entry.ts";
import type { ImportAnswers, ImportContext, ImportEvent, Importer, ImporterQuestion } from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { ordinals } from "../ordinals.ts";
import { digestOf, replayedRun } from "../replay.ts";
import { type DeclaredTable, declareTables } from "./declaration.ts";
import { formatOf, type SourceTable, withTables } from "./read.ts";
import { seenKeys } from "./seen-keys.ts";
import { CONTENT_KEY, cellIn, dataOf, type NamedCells, shapeOf, type TableColumn, UNFIT } from "./shape.ts";

const SAMPLE_ROWS = 1000;
const SCORES = { CSV: 15, JSON: 12, "wrapped JSON": 11, NDJSON: 14, SQLite: 20 } as const;
const REASONS = {
  CSV: "CSV table",
  JSON: "JSON table",
  "wrapped JSON": "JSON with a list of objects",
  NDJSON: "NDJSON table",
  SQLite: "SQLite database",
} as const;
const KEY_BYTES_MAX = 1000;

interface Shaped extends DeclaredTable {
  table: SourceTable;
  columnNames: ReadonlySet<string>;
}

async function shaped(table: SourceTable, base: string, stream: string, answers: ImportAnswers): Promise<Shaped> {
  const rows: NamedCells[] = [];
  try {
    for await (const found of table.rows()) {
      if ("row" in found) rows.push(found.row);
      if (rows.length >= SAMPLE_ROWS) break;
    }
  } catch (error) {
    // The rows before the broken one can still serve as a sample. The run will report the error.
    if (rows.length === 0 && table.name === undefined) throw error;
  }
  const columns = table.columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const shape = shapeOf(columns, rows, table.isText, table.key);
  const answer = answers[`key:${stream}`];
  if (answer === "content") shape.key = [];
  else if (answer !== undefined && shape.candidates.includes(answer)) shape.key = [answer];
  return {
    table,
    stream,
    name: table.name ?? base,
    shape,
    columnNames: new Set(shape.columns.map(({ source }) => source)),
  };
}

async function shapedTables(tables: readonly SourceTable[], path: string, answers: ImportAnswers): Promise<Shaped[]> {
  const base = baseName(path);
  const taken = new Set<string>();
  const found: Shaped[] = [];
  for (const table of tables.slice(0, DECLARATION_STREAMS_MAX)) {
    const plain = slug(table.name ?? base);
    let stream = plain;
    for (let turn = 2; taken.has(stream); turn++) stream = `${plain}_${turn}`;
    taken.add(stream);
    found.push(await shaped(table, base, stream, answers));
  }
  return found;
}

/** `Orders (1).csv` and `orders-2024-05-31.csv` are two exports of the same table. */
function baseName(path: string): string {
  const name = path
    .split("/")
    .at(-1)!
    .replace(/\.[a-z0-9]{1,8}$/i, "");
  const plain = name
    .replace(/\s*\(\d+\)$/, "")
    .replace(/[\s_.-]*(?:\d{4}-?\d\d(?:-?\d\d)?(?:[T_ -]?\d{2,6})*Z?|copy|export)$/i, "");
  return plain.trim() || name;
}

function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_]+/g, "_")
    .replace(/^_+(?=.)|_+$/g, "")
    .slice(0, 60)
    .toLowerCase();
  return plain === "" || plain === "_"
    ? `table_${digestOf(name)
        .slice(0, 8)
        .replace(/[^A-Za-z0-9]/g, "0")}`
    : plain;
}

/** Combines name and layout, because a file with the same name but other columns is a different source. */
const identityOf = (path: string, tables: readonly Shaped[]): string => {
  const layout = tables.flatMap(({ stream, shape: { columns, key, time } }) => [
    stream,
    ...columns.map(({ source }) => source),
    `key ${key.join()}`,
    `time ${time ?? ""} ${columns.find(({ field }) => field === time)?.type ?? ""}`,
  ]);
  return `${slug(baseName(path))}-${digestOf(...layout).slice(0, 8)}`;
};

function keyQuestion({ stream, name, shape }: Shaped): ImporterQuestion[] {
  if (shape.isSure) return [];
  return [
    {
      id: `key:${stream}`,
      text: `What identifies a row of ${name}?`,
      options: [
        ...shape.candidates.map((field) => ({ value: field, label: field })),
        { value: "content", label: "all of its cells together" },
      ],
      default: shape.key[0] ?? "content",
    },
  ];
}

function generatedWarning({ name, table: { generated } }: Shaped): string[] {
  return generated === undefined
    ? []
    : [
        `Generated columns of ${name} are not imported, because reading them runs expressions from the file: ${generated.join(", ")}`,
      ];
}

async function* eventsOf(entry: Entry, context: ImportContext): AsyncGenerator<ImportEvent> {
  yield* withTables(entry, false, async function* (tables) {
    for (const one of await shapedTables(tables, entry.path, context.answers)) yield* tableEvents(entry, one, context);
    for (const { besides } of tables)
      if (besides !== undefined) yield { kind: "skip", entry, count: 0, reason: besides };
    const rest = tables.length - DECLARATION_STREAMS_MAX;
    if (rest > 0)
      yield {
        kind: "skip",
        entry,
        count: rest,
        reason: `only the first ${DECLARATION_STREAMS_MAX} tables are imported`,
      } as const;
  });
}

async function* tableEvents(entry: Entry, one: Shaped, context: ImportContext): AsyncGenerator<ImportEvent> {
  const keyOf = keysOf(one, context.makeId);
  const { columns } = one.shape;
  for await (const found of one.table.rows()) {
    const { offset } = found;
    if ("problem" in found) {
      yield { kind: "error", entry, offset, message: inTable(one, found.problem) };
      continue;
    }
    const data = dataOf(found.row, columns, one.columnNames);
    if (one.table.hasBytes) await keepBytes(data, found.row, columns, context);
    yield recordOf(entry, one, data, keyOf(data), offset);
  }
}

async function keepBytes(
  data: JsonObject,
  row: NamedCells,
  columns: readonly TableColumn[],
  context: ImportContext,
): Promise<void> {
  for (const { source, field, type } of columns) {
    const cell = cellIn(row, source);
    if (!(cell instanceof Uint8Array)) continue;
    const reference = await context.blob(cell, "application/octet-stream");
    if (type === "any") data[field] = reference;
    else data[UNFIT] = { ...((data[UNFIT] ?? {}) as JsonObject), [field]: reference };
  }
}

const inTable = ({ table }: Shaped, message: string): string =>
  table.name === undefined ? message : `${table.name}: ${message}`;

type FoundKey = { key: string[] } | { problem: string };

function recordOf(entry: Entry, one: Shaped, data: JsonObject, found: FoundKey, offset: number): ImportEvent {
  if ("problem" in found) return { kind: "error", entry, offset, message: inTable(one, found.problem) };
  const key = found.key.length === 1 ? found.key[0]! : found.key;
  return { kind: "record", stream: one.stream, key, data, entry, offset };
}

/**
 * Returns the key of a row, and adds it to the data if it is derived from the content. A repeated key is reported as a
 * problem, because it would silently replace a row.
 */
function keysOf({ shape: { key } }: Shaped, makeId: MakeId): (data: JsonObject) => FoundKey {
  if (key.length === 0) {
    const ordinal = ordinals();
    return (data) => {
      const digest = digestOf(JSON.stringify(data));
      const id = makeId(`${digest}.${ordinal(digest)}`);
      data[CONTENT_KEY] = id;
      return { key: [id] };
    };
  }
  const isNew = seenKeys();
  return (data) => {
    const parts = key.map((field) => data[field]);
    if (parts.some((part) => (typeof part !== "string" && typeof part !== "number") || part === ""))
      return { problem: `the row has no ${key.join(", ")}` };
    const own = parts.map(String);
    const text = own.length === 1 ? own[0]! : JSON.stringify(own);
    if (Buffer.byteLength(text) > KEY_BYTES_MAX || text === "." || text === "..")
      return { problem: `${key.join(", ")} is not a key: ${text.slice(0, 50)}` };
    return isNew(text) ? { key: own } : { problem: `${key.join(", ")} ${text} is in more than one row` };
  };
}

export const tablesImporter: Importer = {
  name: "tables",
  title: "Tables (CSV, TSV, JSON, NDJSON, SQLite)",
  from: ["Any CSV, TSV, JSON or NDJSON file, or a SQLite database"],
  recognise({ path, head }) {
    const format = formatOf(path, head);
    return (
      format && {
        score: SCORES[format],
        reason: REASONS[format],
        group: path,
      }
    );
  },
  async plan({ entries }, answers) {
    const entry = entries[0]!;
    for await (const tables of withTables(entry, true, async function* (found) {
      yield await shapedTables(found, entry.path, answers);
    })) {
      const id = identityOf(entry.path, tables);
      const name = baseName(entry.path);
      return {
        account: { key: id, name },
        declaration: declareTables(id, name, tables),
        ownLayout: true,
        streams: tables.map(({ stream, table: { count } }) => ({ stream, ...(count === undefined ? {} : { count }) })),
        questions: tables.flatMap(keyQuestion),
        warnings: tables.flatMap(generatedWarning),
      };
    }
    throw new Error("it contains no table");
  },
  run: (input, context) => replayedRun(input, context, (entry) => eventsOf(entry, context)),
};
