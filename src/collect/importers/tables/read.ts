// Reads the tables in a file of any format: column names, and rows one at a time.
import type { JsonValue } from "../../../contract/json.ts";
import { scanJson } from "../../../core/json-depth.ts";
import { setMember } from "../../../core/set-member.ts";
import { type Entry, headOf, linesOf } from "../../entry.ts";
import { HEAD_BYTES } from "../../importer.ts";
import { csvRows } from "../csv-rows.ts";
import { decodeHead, encodingOf, textOf } from "../decode.ts";
import { isSqlite } from "../foreign-sqlite.ts";
import { type JsonPath, jsonItems } from "../json-items.ts";
import type { NamedCells, TableCell } from "./shape.ts";
import { openTables } from "./sqlite.ts";
import { besidesLists, listsIn, wrapsList } from "./wrapped.ts";

export type TableFormat = "CSV" | "JSON" | "wrapped JSON" | "NDJSON" | "SQLite";
export type TableRow = { row: NamedCells; offset: number } | { problem: string; offset: number };

export interface SourceTable {
  /** The name in a database or a JSON object. Absent if the file has a single table. */
  name?: string;
  /** If absent, the columns are taken from the rows. */
  columns?: string[];
  key?: string[];
  /** Columns that are skipped, because the database computes their values. */
  generated?: readonly string[];
  /** True if cells are text from which types are parsed. */
  isText: boolean;
  /** True if cells can be bytes. */
  hasBytes?: true;
  count?: number;
  /** Other contents of the file besides tables, for the report. */
  besides?: string;
  rows(): AsyncIterable<TableRow>;
}

export function formatOf(path: string, head: Uint8Array): TableFormat | undefined {
  if (isSqlite(head)) return "SQLite";
  if (head.length === 0) return undefined;
  const text = decodeHead(head);
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  if (["ndjson", "jsonl", "json"].includes(extension) && /^\ufeff?\s*\{[^\n]*\}\s*\n\s*\{/.test(text)) return "NDJSON";
  if (["ndjson", "jsonl"].includes(extension) && /^\ufeff?\s*\{/.test(text)) return "NDJSON";
  if (extension === "json" && /^\ufeff?\s*\[\s*\{/.test(text)) return "JSON";
  if (extension === "json" && wrapsList(text)) return "wrapped JSON";
  const isBinary = head.includes(0) && !encodingOf(head).startsWith("utf-16");
  return ["csv", "tsv", "tab"].includes(extension) && !isBinary ? "CSV" : undefined;
}

/** Calls `use` with the tables of a file. A database is open only during the call. */
export async function* withTables<T>(
  entry: Entry,
  forPlan: boolean,
  use: (tables: SourceTable[]) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const head = await headOf(entry, HEAD_BYTES);
  const format = formatOf(entry.path, head);
  if (format === undefined) throw new Error("it is not a known table");
  if (format === "wrapped JSON") {
    yield* use(await wrappedTables(await inUtf8(entry)));
    return;
  }
  if (format !== "SQLite") {
    yield* use([format === "CSV" ? csvTable(entry, head) : jsonTable(entry, format)]);
    return;
  }
  const { tables, close } = await openTables(entry, forPlan);
  try {
    yield* use(tables);
  } finally {
    await close();
  }
}

function csvTable(entry: Entry, head: Uint8Array): SourceTable {
  const text = decodeHead(head);
  const delimiter = delimiterOf(text);
  return {
    isText: true,
    async *rows() {
      let columns: string[] | undefined;
      for await (const found of csvRows(() => textOf(entry), delimiter)) {
        if ("problem" in found) {
          yield { problem: found.problem, offset: found.line };
          continue;
        }
        const { cells, line } = found;
        if (columns === undefined) {
          columns = distinctNames(cells, looksLikeHeader(cells));
          if (looksLikeHeader(cells)) continue;
        }
        const row: NamedCells = {};
        for (let index = 0; index < Math.max(cells.length, columns.length); index++) {
          setMember<TableCell>(
            row,
            columns[index] ?? `column_${index + 1}`,
            cells[index] === "" ? undefined : cells[index],
          );
        }
        yield { row, offset: line };
      }
    },
  };
}

/** A header has a name above every cell, and all names differ and are neither numbers nor dates. */
const looksLikeHeader = (cells: readonly string[]): boolean =>
  cells.some((cell) => cell.trim() !== "") &&
  !cells.some((cell) => /^\s*[-+]?[\d.,:/-]+\s*$/.test(cell)) &&
  new Set(cells).size >= cells.length - 1;

function distinctNames(cells: readonly string[], isHeader: boolean): string[] {
  const taken = new Set<string>();
  return cells.map((cell, index) => {
    const plain = (isHeader && cell.trim()) || `column_${index + 1}`;
    let name = plain;
    for (let turn = 2; taken.has(name); turn++) name = `${plain}_${turn}`;
    taken.add(name);
    return name;
  });
}

/** Returns the character that occurs the same number of times in most of the first lines, outside quotes. */
function delimiterOf(head: string): string {
  const lines = head
    .split(/\r\n|\n|\r/)
    .slice(0, 20)
    .filter((line) => line.trim() !== "")
    .map((line) => line.replace(/"[^"]*"/g, ""));
  const scores = [",", ";", "\t", "|"].map((mark) => {
    const counts = lines.map((line) => line.split(mark).length - 1);
    const same = counts.filter((count) => count === counts[0]).length;
    return { mark, score: (counts[0] ?? 0) === 0 ? 0 : same * 100 + Math.min(counts[0]!, 99) };
  });
  return scores.sort((one, other) => other.score - one.score)[0]!.mark;
}

function jsonTable(entry: Entry, format: "JSON" | "NDJSON"): SourceTable {
  return {
    isText: false,
    async *rows() {
      const plain = await inUtf8(entry);
      if (format === "JSON") {
        yield* listed(plain, (path) => path.length === 1);
        return;
      }
      for await (const { bytes, offset, cut } of linesOf(plain)) {
        const line = bytes
          .toString()
          .replace(/^\ufeff/, "")
          .trim();
        if (line === "") continue;
        try {
          yield cut ? { problem: "the line is too long", offset } : rowOf(parseExactly(line), offset);
        } catch {
          yield { problem: "the line is not JSON", offset };
        }
      }
    },
  };
}

/** Each list of objects in an object is a table. */
async function wrappedTables(plain: Entry): Promise<SourceTable[]> {
  const { lists, others } = await listsIn(plain);
  const besides = besidesLists(others);
  return [...lists].map(([name, count], index) => ({
    ...(lists.size === 1 ? {} : { name }),
    isText: false,
    count,
    ...(index > 0 || besides === undefined ? {} : { besides }),
    rows: () => listed(plain, (path) => path.length === 2 && path[0] === name),
  }));
}

async function* listed(plain: Entry, isRow: (path: JsonPath) => boolean): AsyncGenerator<TableRow> {
  for await (const item of jsonItems(plain, isRow, { parse: parseExactly })) {
    yield "problem" in item ? item : rowOf(item.value, item.offset);
  }
}

function rowOf(value: JsonValue, offset: number): TableRow {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return { problem: "it is not an object", offset };
  return { row: value, offset };
}

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;
const parseWith = JSON.parse as (text: string, reviver: Reviver) => JsonValue;

/** Numbers that a double would alter become text. */
function parseExactly(text: string): JsonValue {
  if (!scanJson(text).hasLongNumber) return JSON.parse(text) as JsonValue;
  return parseWith(text, (_name, value, { source }) => {
    if (typeof value !== "number" || source === undefined) return value;
    const isExact = Number.isFinite(value) && (!/^-?\d+$/.test(source) || BigInt(source) === BigInt(value));
    return isExact && source.replace(/\D/g, "").length <= 17 ? value : source;
  });
}

async function inUtf8(entry: Entry): Promise<Entry> {
  const encoding = encodingOf(await headOf(entry, HEAD_BYTES));
  if (encoding === "utf-8") return entry;
  return {
    ...entry,
    async *open() {
      for await (const text of textOf(entry, encoding)) yield Buffer.from(text);
    },
  };
}
