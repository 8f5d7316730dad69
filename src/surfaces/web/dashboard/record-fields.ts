// The fields of a record by type: times, numbers, links, lists and tables. Long texts are shown in windows that can
// move both ways.
import type { JsonObject, JsonValue } from "../../../contract/record.ts";
import { cutWindow } from "../../../core/window.ts";
import { webAddress } from "../web-address.ts";
import { type Pairs, pair, type RecordPlace, recordAddress } from "./explore/addresses.ts";
import type { StreamField } from "./explore/stream-fields.ts";
import { blobIn } from "./explore/values.ts";

export interface RecordField {
  name: string;
  label: string;
  kind: "none" | "time" | "day" | "number" | "boolean" | "url" | "text" | "list" | "table" | "json";
  /** The value as text; for a list, table or JSON, the JSON text. */
  value: string;
  /** For a link, its target if that is a web page. */
  href?: string;
  items?: string[];
  /** Set for objects. A single object has no columns; its rows are names and values. */
  table?: { columns: string[]; rows: string[][] };
  /** Set if only this part is shown. */
  part?: { from: number; to: number; total: number; before?: string; after?: string };
}

/** The number of characters in one window. Longer texts continue behind a link. */
const SHOWN_MAX = 4000;
/** Larger values are shown as JSON. */
const TABLE = { rows: 50, columns: 8, cell: 500 };

export interface FieldPosition {
  field: string | null;
  offset: number;
}

/** Lists the fields, except files, which have their own section on the page. */
export function recordFields(
  data: JsonObject,
  fields: readonly StreamField[],
  place: RecordPlace,
  moved: FieldPosition,
): RecordField[] {
  const known = new Map(fields.map((field) => [field.name, field]));
  return Object.entries(data)
    .filter(([, value]) => !isFile(value))
    .map(([name, value]) => {
      const { label = name, kind = "text" } = known.get(name) ?? {};
      const offset = moved.field === name ? moved.offset : 0;
      return { name, label, ...shown(value, kind, (text) => windowOf(text, name, place, offset)) };
    });
}

const isFile = (value: JsonValue): boolean => isObject(value) && blobIn(value) !== undefined;
const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: JsonValue): boolean => typeof value !== "object" || value === null;

type FieldContent = Omit<RecordField, "name" | "label">;

function shown(value: JsonValue, kind: StreamField["kind"], part: (text: string) => FieldContent): FieldContent {
  if (value === null || value === "") return { kind: "none", value: "" };
  if (typeof value === "boolean") return { kind: "boolean", value: value ? "Yes" : "No" };
  if (typeof value === "number") return { kind: "number", value: String(value) };
  if (typeof value === "string") {
    const href = webAddress(value);
    if (href !== undefined) return { kind: "url", value, href };
    if ((kind === "time" || kind === "day") && !Number.isNaN(Date.parse(value))) return { kind, value };
    return { ...part(value), kind: "text" };
  }
  const json = JSON.stringify(value, null, 2);
  if (json.length > SHOWN_MAX) return { ...part(json), kind: "json" };
  return structured(value, json) ?? { kind: "json", value: json };
}

function structured(value: JsonValue, json: string): FieldContent | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return { kind: "none", value: "" };
    if (value.every(isScalar)) return { kind: "list", value: json, items: value.map(cellText) };
    return tableOf(value, json);
  }
  if (!isObject(value) || !Object.values(value).every(isScalar)) return undefined;
  return {
    kind: "table",
    value: json,
    table: { columns: [], rows: Object.entries(value).map(([key, own]) => [key, cellText(own)]) },
  };
}

function tableOf(values: readonly JsonValue[], json: string): FieldContent | undefined {
  const rows = values.filter(isObject);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const flat = rows.every((row) => Object.values(row).every((own) => isScalar(own) || isFile(own)));
  if (rows.length !== values.length || rows.length > TABLE.rows || columns.length > TABLE.columns || !flat)
    return undefined;
  return {
    kind: "table",
    value: json,
    table: { columns, rows: rows.map((row) => columns.map((column) => cellText(row[column] ?? null))) },
  };
}

function cellText(value: JsonValue): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const text = isObject(value) ? (blobIn(value)?.mime_type ?? "") : String(value);
  return text.length > TABLE.cell ? `${text.slice(0, TABLE.cell)}…` : text;
}

function windowOf(text: string, field: string, place: RecordPlace, asked: number): FieldContent {
  if (text.length <= SHOWN_MAX) return { kind: "text", value: text };
  const total = [...text].length;
  const window = cutWindow(text, { offset: asked < total ? asked : 0, limit: SHOWN_MAX });
  const { start_chars: from, end_chars: to } = window;
  const at = (offset: number): string => {
    const pairs: Pairs = offset === 0 ? [] : [pair("field", field), pair("offset", String(offset))];
    return `${recordAddress(place, pairs)}#field-${encodeURIComponent(field)}`;
  };
  return {
    kind: "text",
    value: window.text,
    part: {
      from,
      to,
      total,
      ...(from === 0 ? {} : { before: at(Math.max(0, from - SHOWN_MAX)) }),
      ...(window.next_offset_chars === undefined ? {} : { after: at(window.next_offset_chars) }),
    },
  };
}
