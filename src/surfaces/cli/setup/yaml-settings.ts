// YAML settings. An entry is a block at the end of its map, with the map's own indentation.
import { isMap, isPair, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from "yaml";
import type { JsonObject } from "../../../contract/json.ts";
import { type SettingsFormat, UnsafeEdit } from "./settings-format.ts";

const INDENT = "  ";

export const yamlSettings: SettingsFormat = {
  parse(text) {
    const document = parseDocument(text);
    const [error] = document.errors;
    if (error !== undefined) throw new Error(error.message.split("\n")[0]!);
    const value: unknown = document.toJS() ?? {};
    if (typeof value !== "object" || Array.isArray(value)) throw new Error("it is not a map");
    return value as JsonObject;
  },
  put(text, under, name, entry) {
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const found = pairOf(text, under);
    if (found === undefined) {
      const ended = text === "" || text.endsWith("\n") ? text : `${text}${eol}`;
      return `${ended}${block({ [under]: { [name]: entry } }, "", eol)}`;
    }
    const servers = found.value;
    if (!isMap(servers) || servers.items.length === 0) {
      const { start, end } = linesOf(text, found);
      return `${text.slice(0, start)}${block({ [under]: { [name]: entry } }, "", eol)}${text.slice(end)}`;
    }
    const own = servers.items.find((pair) => keyOf(pair) === name);
    if (servers.flow === true) throw new UnsafeEdit(`its ${under} is written in braces`);
    const { start, end } = own === undefined ? afterLast(text, servers) : linesOf(text, own);
    const before = end > 0 && text[end - 1] !== "\n" && own === undefined ? eol : "";
    return `${text.slice(0, start)}${before}${block({ [name]: entry }, indentOf(text, servers), eol)}${text.slice(end)}`;
  },
  remove(text, under, name) {
    const found = pairOf(text, under);
    const servers = found?.value;
    if (!isMap(servers) || servers.flow === true) throw new UnsafeEdit(`its ${under} is written in braces`);
    const own = servers.items.find((pair) => keyOf(pair) === name)!;
    // Without entries, the map would no longer parse as a map, so its key is removed as well.
    const { start, end } = linesOf(text, servers.items.length === 1 ? found! : own);
    return text.slice(0, start) + text.slice(end);
  },
};

const block = (value: JsonObject, indent: string, eol: string): string =>
  stringify(value, { lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map((line) => `${indent}${line}${eol}`)
    .join("");

const keyOf = ({ key }: Pair): unknown => (isScalar(key) ? key.value : key);

function pairOf(text: string, under: string): Pair | undefined {
  const { contents } = parseDocument(text);
  return isMap(contents) ? contents.items.find((item) => isPair(item) && keyOf(item) === under) : undefined;
}

const startOf = ({ key }: Pair): number => (key as { range: [number, number, number] }).range[0];

function endOf(text: string, { key, value }: Pair): number {
  const [, end] = ((value ?? key) as { range: [number, number, number] }).range;
  if (end > 0 && text[end - 1] === "\n") return end;
  const next = text.indexOf("\n", end);
  return next === -1 ? text.length : next + 1;
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const linesOf = (text: string, pair: Pair) => ({ start: lineStart(text, startOf(pair)), end: endOf(text, pair) });

function afterLast(text: string, map: YAMLMap): { start: number; end: number } {
  const end = endOf(text, map.items.at(-1)!);
  return { start: end, end };
}

function indentOf(text: string, map: YAMLMap): string {
  const at = startOf(map.items[0]!);
  const indent = text.slice(lineStart(text, at), at);
  return /^ *$/.test(indent) ? indent : INDENT;
}
