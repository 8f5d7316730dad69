// Edits JSON settings, with or without comments and trailing commas. The library's own edits reformat neighbouring
// lines, so we edit the text ourselves.
import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { JsonObject } from "../../../contract/json.ts";
import type { SettingsFormat } from "./settings-format.ts";

const BYTE_ORDER_MARK = "\uFEFF";
const OPTIONS = { allowTrailingComma: true } as const;

export const jsonSettings: SettingsFormat = {
  parse(text) {
    const { body } = split(text);
    if (body.trim() === "") return {};
    const errors: ParseError[] = [];
    const value: unknown = parse(body, errors, OPTIONS);
    const [error] = errors;
    if (error !== undefined)
      throw new Error(`${printParseErrorCode(error.error)} in line ${body.slice(0, error.offset).split("\n").length}`);
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("it is not an object");
    return value as JsonObject;
  },
  put(text, under, name, entry) {
    const { mark, body } = split(text);
    if (body.trim() === "") return `${mark}${JSON.stringify({ [under]: { [name]: entry } }, null, 2)}\n`;
    const root = parseTree(body, [], OPTIONS)!;
    const present = findNodeAtLocation(root, [under, name]);
    if (present !== undefined) {
      const value = written(body, entry, indentAt(body, present.parent!.offset));
      return mark + body.slice(0, present.offset) + value + body.slice(endOf(present));
    }
    const servers = findNodeAtLocation(root, [under]);
    return (
      mark + (servers === undefined ? added(body, root, under, { [name]: entry }) : added(body, servers, name, entry))
    );
  },
  remove(text, under, name) {
    const { mark, body } = split(text);
    const property = findNodeAtLocation(parseTree(body, [], OPTIONS)!, [under, name])!.parent!;
    return mark + removed(body, property);
  },
};

function split(text: string): { mark: string; body: string } {
  return text.startsWith(BYTE_ORDER_MARK) ? { mark: BYTE_ORDER_MARK, body: text.slice(1) } : { mark: "", body: text };
}

const endOf = ({ offset, length }: Node): number => offset + length;
const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0];
const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** Returns one level of the file's indentation. */
const stepOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";

function written(text: string, value: JsonObject, indent: string): string {
  return JSON.stringify(value, null, stepOf(text)).replaceAll("\n", `${eolOf(text)}${indent}`);
}

/** Adds a member at the end of the object, on its own lines. */
function added(text: string, object: Node, name: string, value: JsonObject): string {
  const eol = eolOf(text);
  const outer = indentAt(text, object.offset);
  const last = object.children?.at(-1);
  const indent =
    last !== undefined && /^[ \t]*$/.test(text.slice(lineStart(text, last.offset), last.offset))
      ? indentAt(text, last.offset)
      : outer + stepOf(text);
  const comma = last === undefined ? undefined : commaAfter(text, endOf(last));
  const settled = last === undefined ? object.offset + 1 : (comma ?? endOf(last));
  const at = settled + restOfLine(text, settled).length;
  const close = endOf(object) - 1;
  const property = `${indent}${JSON.stringify(name)}: ${written(text, value, indent)}`;
  return [
    text.slice(0, settled),
    last !== undefined && comma === undefined ? "," : "",
    text.slice(settled, at),
    eol,
    property,
    comma === undefined ? "" : ",",
    // A brace on the same line moves to its own line.
    text.slice(at, close).includes("\n") ? "" : `${eol}${outer}`,
    text.slice(at),
  ].join("");
}

/** Returns the spaces and comments up to the end of the line, if nothing else is on it. */
function restOfLine(text: string, at: number): string {
  return /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*)?(?=\r?\n)/.exec(text.slice(at))?.[0] ?? "";
}

/** Returns the position after the following comma, or undefined if no comma follows. */
function commaAfter(text: string, at: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  return text[scanner.getTokenOffset()] === "," ? scanner.getTokenOffset() + 1 : undefined;
}

function removed(text: string, property: Node): string {
  const siblings = property.parent!.children!;
  const before = siblings[siblings.indexOf(property) - 1];
  const comma = commaAfter(text, endOf(property));
  const line = lineStart(text, property.offset);
  const start = /^[ \t]*$/.test(text.slice(line, property.offset)) ? line : property.offset;
  const end = comma ?? endOf(property);
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0] ?? "";
  // If the removed member was the last one, the comma before it is no longer needed.
  const dangling = comma === undefined && before !== undefined ? commaAfter(text, endOf(before))! : undefined;
  const head =
    dangling === undefined ? text.slice(0, start) : text.slice(0, dangling - 1) + text.slice(dangling, start);
  return head + text.slice(start === line ? end + rest.length : end);
}
