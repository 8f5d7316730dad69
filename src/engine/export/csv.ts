// CSV as in RFC 4180, and safe in a spreadsheet: text that would be read as a formula is marked as text.
import type { JsonObject, JsonValue } from "../../contract/record.ts";
import { type ExportColumn, OTHER_FIELDS } from "./columns.ts";

export interface CsvRecord {
  connection_id: string;
  stream: string;
  id: string;
  emitted_at: string;
  data: JsonObject;
}

export function csvHeader(columns: readonly ExportColumn[]): string {
  return csvLine([...columns.map(({ name }) => name), OTHER_FIELDS]);
}

export const csvLine = (values: readonly JsonValue[]): string => `${values.map(cell).join(",")}\r\n`;

export function csvRow(columns: readonly ExportColumn[], record: CsvRecord): string {
  const { data } = record;
  const shown = new Set<string>();
  const cells = columns.map(({ name, field }) => {
    if (field === undefined) return cell(record[name as keyof Omit<CsvRecord, "data">]);
    shown.add(field);
    return Object.hasOwn(data, field) ? cell(data[field]!) : "";
  });
  const others = Object.entries(data).filter(([name]) => !shown.has(name));
  cells.push(others.length === 0 ? "" : cell(Object.fromEntries(others)));
  return `${cells.join(",")}\r\n`;
}

/** Includes every delimiter that a program may guess, not only the comma. */
const QUOTED = /[",;\t|\r\n]|^\s|\s$/;

/** A missing value is an empty cell, an empty string is a quoted empty cell, and nested values are JSON. */
function cell(value: JsonValue): string {
  if (value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? defused(value) : defusedJson(JSON.stringify(value));
  return text === "" || QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets evaluate a cell that begins like this as a formula, even with full-width characters. An apostrophe in
 * front turns it back into text. A cell can also begin in the middle of a value: a program that guesses another
 * delimiter or ignores quotes splits there, and removes quotes at the start of the new cell (G-11).
 */
const LEADING = /^(?:"*[=+\-@＝＋－＠]|[\t\r\n])/;
const INSIDE = /([,;\t|\r\n])(?="*[=+\-@＝＋－＠])/g;
const defused = (text: string): string => (LEADING.test(text) ? "'" : "") + text.replace(INSIDE, "$1'");

/**
 * In JSON, an escape has the same effect without changing the value. A negative number in a list gets a leading space.
 */
const QUOTE_OR_FORMULA = /\\.|"|(?<=[,;|]"?)[=+\-@＝＋－＠]/g;
function defusedJson(json: string): string {
  let isInString = false;
  return json.replace(QUOTE_OR_FORMULA, (found) => {
    if (found.startsWith("\\")) return found;
    if (found !== '"') return isInString ? `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}` : ` ${found}`;
    isInString = !isInString;
    return found;
  });
}
