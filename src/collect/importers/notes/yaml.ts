// A parser for front-matter YAML: maps, lists, strings, numbers. Anchors, tags and additional documents are read as
// text.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";

const DEPTH_MAX = 20;

interface YamlLine {
  indent: number;
  text: string;
}

/** Returns the values that could be parsed, and the number of lines that could not. */
export function parseYaml(source: string): { value: JsonObject; unread: number } {
  const rows = source.split("\n").map((line) => {
    const text = line.replace(/\r$/, "").replaceAll("\t", "  ");
    return { indent: text.length - text.trimStart().length, text: text.trim() };
  });
  const reader = { rows, at: 0, unread: 0 };
  const value = readMap(reader, 0, 0);
  return { value, unread: reader.unread };
}

interface YamlReader {
  rows: YamlLine[];
  at: number;
  unread: number;
}

const isBlank = ({ text }: YamlLine): boolean => text === "" || text.startsWith("#");
const isItem = ({ text }: YamlLine): boolean => text === "-" || text.startsWith("- ");

function next(reader: YamlReader): YamlLine | undefined {
  while (reader.at < reader.rows.length && isBlank(reader.rows[reader.at]!)) reader.at++;
  return reader.rows[reader.at];
}

function readMap(reader: YamlReader, indent: number, depth: number): JsonObject {
  const fields = new Map<string, JsonValue>();
  for (let row = next(reader); row !== undefined && row.indent >= indent; row = next(reader)) {
    const field = isItem(row) || row.indent > indent ? undefined : splitKey(row.text);
    reader.at++;
    if (field === undefined) reader.unread++;
    else fields.set(field.key, readValue(reader, field.rest, indent, depth));
  }
  return Object.fromEntries(fields);
}

function readList(reader: YamlReader, indent: number, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  for (let row = next(reader); row !== undefined && row.indent === indent && isItem(row); row = next(reader)) {
    const inner = row.text.slice(1).trimStart();
    const field = splitKey(inner);
    if (field !== undefined && depth < DEPTH_MAX) {
      // `- name: x` starts a map whose other lines are aligned with `name`.
      const own = indent + row.text.length - inner.length;
      reader.rows[reader.at] = { indent: own, text: inner };
      items.push(readMap(reader, own, depth + 1));
    } else {
      reader.at++;
      items.push(readValue(reader, inner, indent, depth));
    }
  }
  return items;
}

/** Reads the value after a key or a dash, on the same line or indented below. */
function readValue(reader: YamlReader, rest: string, indent: number, depth: number): JsonValue {
  if (/^[|>][+-]?\d?$/.test(rest)) return readBlock(reader, indent, rest.startsWith(">"));
  if (rest !== "" && !rest.startsWith("#")) return scalar(withLinesBelow(reader, rest, indent));
  const row = next(reader);
  if (row === undefined || depth >= DEPTH_MAX) return null;
  if (isItem(row) && row.indent >= indent) return readList(reader, row.indent, depth + 1);
  if (row.indent <= indent) return null;
  if (splitKey(row.text) !== undefined) return readMap(reader, row.indent, depth + 1);
  reader.at++;
  return scalar(withLinesBelow(reader, row.text, indent));
}

/** A string or `[list` can continue on lines that are indented further. */
function withLinesBelow(reader: YamlReader, rest: string, indent: number): string {
  let whole = rest;
  const quote = /^["']/.exec(rest)?.[0];
  const isOpen = (): boolean =>
    quote !== undefined ? whole.length < 2 || !whole.endsWith(quote) : /^[[{]/.test(whole) && !/[\]}]$/.test(whole);
  const goesOn = (row: YamlLine | undefined): boolean =>
    row !== undefined &&
    row.text !== "" &&
    (isOpen() || (row.indent > indent && !isItem(row) && splitKey(row.text) === undefined));
  while (goesOn(reader.rows[reader.at])) whole += ` ${reader.rows[reader.at++]!.text}`;
  return whole;
}

function readBlock(reader: YamlReader, indent: number, isFolded: boolean): string {
  const lines: YamlLine[] = [];
  for (
    let row = reader.rows[reader.at];
    row !== undefined && (row.text === "" || row.indent > indent);
    row = reader.rows[reader.at]
  ) {
    lines.push(row);
    reader.at++;
  }
  const margin = Math.min(...lines.filter(({ text }) => text !== "").map((row) => row.indent));
  const texts = lines.map((row) => (row.text === "" ? "" : " ".repeat(row.indent - margin) + row.text));
  return texts.join(isFolded ? " " : "\n").trimEnd();
}

/** `key: value`. The colon must be at the end of the line or followed by a space, and outside quotes. */
function splitKey(text: string): { key: string; rest: string } | undefined {
  const quote = text[0] === '"' || text[0] === "'" ? text[0] : undefined;
  let from = 0;
  if (quote !== undefined) {
    from = text.indexOf(quote, 1) + 1;
    if (from === 0) return undefined;
  } else if (text.startsWith("[") || text.startsWith("{")) return undefined;
  for (let colon = text.indexOf(":", from); colon !== -1; colon = text.indexOf(":", colon + 1)) {
    if (colon + 1 < text.length && text[colon + 1] !== " ") continue;
    const key = text.slice(0, colon).trim();
    if (quote !== undefined && key.length !== from) return undefined;
    return key === ""
      ? undefined
      : { key: quote === undefined ? key : key.slice(1, -1), rest: text.slice(colon + 1).trim() };
  }
  return undefined;
}

function scalar(text: string): JsonValue {
  const quoted = unquoted(text);
  if (quoted !== undefined) return quoted;
  const flow = /^[[{]/.test(text) ? readFlow(text) : undefined;
  if (flow !== undefined) return flow;
  const plain = withoutComment(text);
  if (plain === "" || plain === "~" || plain === "null") return null;
  if (plain === "true" || plain === "false") return plain === "true";
  return numberOf(plain) ?? plain;
}

/** A comment needs a space before it: `a#b` is text. */
function withoutComment(text: string): string {
  const at = text.indexOf(" #");
  return at === -1 ? text : text.slice(0, at).trimEnd();
}

/**
 * Accepts only what a double can represent exactly, because an ISBN may have more digits and a version is not a
 * fraction.
 */
function numberOf(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text)) return undefined;
  const number = Number(text);
  return text.replace(/[-.]/g, "").length <= 15 ? number : undefined;
}

function unquoted(text: string): string | undefined {
  const single = /^'((?:[^']|'')*)'(?: +#.*)?$/.exec(text)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  const double = /^("(?:[^"\\]|\\.)*")(?: +#.*)?$/.exec(text)?.[1];
  if (double === undefined) return undefined;
  try {
    return (JSON.parse(double) as string).toWellFormed();
  } catch {
    return double.slice(1, -1);
  }
}

/** Parses `[a, "b", [c]]` and `{a: 1}` on one line. Returns undefined if it is neither, such as `{{date}}`. */
function readFlow(text: string): JsonValue | undefined {
  const end = withoutComment(text);
  const reader = { text: end, at: 0 };
  const value = flowValue(reader, 0);
  return value !== undefined && reader.at === end.length ? value : undefined;
}

function flowValue(reader: { text: string; at: number }, depth: number): JsonValue | undefined {
  const { text } = reader;
  const skip = (): void => {
    while (text[reader.at] === " ") reader.at++;
  };
  skip();
  const opening = text[reader.at];
  if (opening !== "[" && opening !== "{") return flowScalar(reader);
  if (depth >= DEPTH_MAX) return undefined;
  const closing = opening === "[" ? "]" : "}";
  const items: JsonValue[] = [];
  const fields = new Map<string, JsonValue>();
  reader.at++;
  for (;;) {
    skip();
    if (text[reader.at] === closing) break;
    if (opening === "{") {
      const key = flowKey(reader);
      if (key === undefined) return undefined;
      fields.set(key, flowValue(reader, depth + 1) ?? null);
    } else {
      const item = flowValue(reader, depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    skip();
    if (text[reader.at] === ",") reader.at++;
    else if (text[reader.at] !== closing) return undefined;
  }
  reader.at++;
  return opening === "[" ? items : Object.fromEntries(fields);
}

function flowKey(reader: { text: string; at: number }): string | undefined {
  const colon = reader.text.indexOf(":", reader.at);
  const key = colon === -1 ? "" : reader.text.slice(reader.at, colon).trim();
  if (key === "" || /[[\]{},]/.test(key)) return undefined;
  reader.at = colon + 1;
  return unquoted(key) ?? key;
}

function flowScalar(reader: { text: string; at: number }): JsonValue | undefined {
  const rest = reader.text.slice(reader.at);
  const match = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,[\]{}]*)/.exec(rest)![0];
  if (match.trim() === "") return undefined;
  reader.at += match.length;
  return scalar(match.trim());
}
