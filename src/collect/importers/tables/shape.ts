// Derives the columns of a table from a sample: types, the key, the time, and which columns can be searched and
// grouped.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { parseDay, parseInstant } from "../../../core/instant.ts";
import { setMember } from "../../../core/set-member.ts";

/** A cell: JSON, or bytes from a database. Text tables contain only text, with `undefined` for empty cells. */
export type TableCell = JsonValue | Uint8Array | undefined;
export type NamedCells = Record<string, TableCell>;

/** A column can have the name of a property that every object has, such as `constructor`. */
export const cellIn = (row: NamedCells, name: string): TableCell => (Object.hasOwn(row, name) ? row[name] : undefined);

export type ColumnType = "integer" | "number" | "boolean" | "date" | "date-time" | "string" | "any";

export interface TableColumn {
  /** The column's name in the table. */
  source: string;
  /** The column's name in the record. */
  field: string;
  type: ColumnType;
  isText: boolean;
  unique: boolean;
  groupable: boolean;
  searchable: boolean;
}

export interface Shape {
  columns: TableColumn[];
  /** The key fields. If empty, a row is identified by its content. */
  key: string[];
  /** Fields that could be the key. */
  candidates: string[];
  /** True if the key is more than a guess. */
  isSure: boolean;
  time?: string;
}

/** A reserved field name that no column is given. */
export const CONTENT_KEY = "_row";
export const UNFIT = "_other";
const COLUMNS_MAX = 300;
const FIELD_MAX = 150;

const INTEGER = /^-?(?:0|[1-9]\d{0,14})$/;
const NUMBER = /^-?(?:0|[1-9]\d*)?(?:(?<=\d)|\.\d+)(?:[eE][+-]?\d{1,2})?$/;

/** `isText` means that the table contains only text, from which types are parsed. */
export function shapeOf(
  names: readonly string[],
  rows: readonly NamedCells[],
  isText: boolean,
  declaredKey: readonly string[] = [],
): Shape {
  const fields = fieldNames(names.slice(0, COLUMNS_MAX));
  const columns = fields.map(({ source, field }) => columnOf(source, field, rows, isText));
  const declared = declaredKey.map((name) => columns.find(({ source }) => source === name));
  const candidates = columns
    .filter(({ unique, type }) => unique && (type === "integer" || type === "string"))
    .map(({ field }) => ({ field, score: keyScore(field) }))
    .sort((one, other) => other.score - one.score);
  const best = candidates[0];
  const isDeclared =
    declared.length > 0 &&
    declared.length <= 8 &&
    declared.every(
      (column) => column !== undefined && ["integer", "string", "number", "date", "date-time"].includes(column.type),
    );
  const key = isDeclared
    ? declared.map((column) => column!.field)
    : best !== undefined && best.score > 0
      ? [best.field]
      : [];
  const time = timeOf(columns);
  return {
    columns,
    key,
    candidates: candidates.map(({ field }) => field),
    isSure: isDeclared || (best?.score ?? 0) >= 80,
    ...(time === undefined ? {} : { time }),
  };
}

function fieldNames(names: readonly string[]): { source: string; field: string }[] {
  const taken = new Set([CONTENT_KEY, UNFIT, "__proto__"]);
  return names.map((source, index) => {
    const plain =
      source
        .toWellFormed()
        .replace(/[\u0000-\u001f\u007f]/g, " ")
        .trim()
        .slice(0, FIELD_MAX) || `column_${index + 1}`;
    let field = plain;
    for (let turn = 2; taken.has(field); turn++) field = `${plain}_${turn}`;
    taken.add(field);
    return { source, field };
  });
}

function columnOf(source: string, field: string, rows: readonly NamedCells[], isText: boolean): TableColumn {
  const cells = rows
    .map((row) => cellIn(row, source))
    .filter((cell) => cell !== undefined && cell !== null && cell !== "");
  const type = typeOf(cells, isText);
  const texts = cells.map((cell) => String(cell));
  const distinct = new Set(texts).size;
  const length = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
  const groupable =
    type === "boolean" || (type === "string" && distinct <= Math.max(20, rows.length / 5) && length <= 100);
  return {
    source,
    field,
    type,
    isText,
    unique: rows.length > 0 && cells.length === rows.length && distinct === rows.length && length <= 200,
    groupable,
    searchable: type === "string" && (length >= 8 || !groupable),
  };
}

function typeOf(cells: readonly TableCell[], isText: boolean): ColumnType {
  const types = ["integer", "number", "boolean", "date", "date-time", "string"] as const;
  return (
    (cells.length > 0
      ? types.find((type) => cells.every((cell) => fitted(cell, type, isText) !== undefined))
      : undefined) ?? (isText ? "string" : "any")
  );
}

/** Returns the cell as a value of this type, or undefined if it does not fit. */
function fitted(cell: TableCell, type: ColumnType, isText: boolean): JsonValue | undefined {
  if (cell === undefined || cell instanceof Uint8Array) return undefined;
  if (type === "any") return cell;
  if (typeof cell === "string") {
    if (type === "string") return cell.toWellFormed();
    if (type === "date") return parseDay(cell) === undefined ? undefined : cell;
    if (type === "date-time") return parseInstant(cell) === undefined ? undefined : cell;
    if (!isText) return undefined;
    const text = cell.trim();
    if (type === "boolean") return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined;
    if (type === "integer") return INTEGER.test(text) ? Number(text) : undefined;
    // A double cannot represent more digits exactly.
    return NUMBER.test(text) && text.replace(/\D/g, "").length <= 15 ? Number(text) : undefined;
  }
  if (type === "boolean") return typeof cell === "boolean" ? cell : undefined;
  if (typeof cell !== "number" || !Number.isFinite(cell)) return undefined;
  if (type === "integer") return Number.isSafeInteger(cell) ? cell : undefined;
  return type === "number" ? cell : undefined;
}

/** Scores how likely it is that people refer to a row by this field. */
function keyScore(field: string): number {
  if (/^_?(?:id|uuid|guid|key|identifier)$/i.test(field)) return 100;
  if (/(?:uuid|guid)$/i.test(field)) return 90;
  if (/(?:[_\- .]id|[a-z]I[dD])$|^(?:id|ID)[_\- ]/.test(field)) return 80;
  return /(?:number|nummer|^no|^nr|code|sku|isbn|ean|email|slug|url|uri|path|handle)\b/i.test(field) ? 40 : 0;
}

function timeOf(columns: readonly TableColumn[]): string | undefined {
  const timed = columns.filter(({ type }) => type === "date-time" || type === "date");
  const best = timed.find(
    ({ field }) => /creat|post|start|date|time|datum|_at$/i.test(field) && !/birth|due|end/i.test(field),
  );
  return (best ?? timed[0])?.field;
}

/**
 * Converts a row to a record's data. Values that fit no column are stored under UNFIT unchanged, so that nothing is
 * lost or refused.
 */
export function dataOf(row: NamedCells, columns: readonly TableColumn[], known: ReadonlySet<string>): JsonObject {
  const data: JsonObject = {};
  const unfit: JsonObject = {};
  for (const { source, field, type, isText } of columns) {
    const cell = cellIn(row, source);
    if (cell === undefined || cell === null || cell instanceof Uint8Array || (cell === "" && isText)) continue;
    const value = fitted(cell, type, isText);
    if (value === undefined) unfit[field] = typeof cell === "string" ? cell.toWellFormed() : cell;
    else data[field] = value;
  }
  for (const name in row) {
    const cell = row[name];
    if (!known.has(name) && cell !== undefined && !(cell instanceof Uint8Array))
      setMember(unfit, name.slice(0, FIELD_MAX), cell);
  }
  if (Object.keys(unfit).length > 0) data[UNFIT] = unfit;
  return data;
}
