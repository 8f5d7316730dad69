// TOML settings. An entry is its own table, which replaces the previous one or is appended to the file.
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import type { JsonObject } from "../../../contract/json.ts";
import { entryOf, type SettingsFormat, UnsafeEdit } from "./settings-format.ts";

export const tomlSettings: SettingsFormat = {
  // A clone has the prototypes of plain objects, which comparisons check for.
  parse: (text) => structuredClone(parse(text, { integersAsBigInt: "asNeeded" })) as JsonObject,
  put(text, under, name, entry) {
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const table = stringify({ [under]: { [name]: entry } })
      .trim()
      .split("\n")
      .join(eol);
    if (entryOf(tomlSettings.parse(text), under, name) !== undefined) {
      const { start, end } = tableAt(text, under, name);
      return `${text.slice(0, start)}${table}${eol}${text.slice(end)}`;
    }
    const ended = text === "" || text.endsWith("\n") ? text : `${text}${eol}`;
    return `${ended}${ended === "" ? "" : eol}${table}${eol}`;
  },
  remove(text, under, name) {
    const { start, end } = tableAt(text, under, name);
    // Also removes the blank line that `put` wrote before the table.
    const before = text.slice(0, start).replace(/(^|\n)\r?\n$/, "$1");
    return before + text.slice(end);
  },
};

/**
 * Finds the table, from its header to its last line with a value. A multi-line string can contain the same words, so
 * every possible header is tried until removing one removes the entry and nothing else.
 */
function tableAt(text: string, under: string, name: string): { start: number; end: number } {
  const whole = tomlSettings.parse(text);
  const { [name]: _entry, ...neighbours } = whole[under] as JsonObject;
  const quoted = (key: string): string => `(?:${key}|"${key}"|'${key}')`;
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*${quoted(under)}[ \\t]*\\.[ \\t]*${quoted(name)}[ \\t]*[\\].]`, "gm");
  for (const { index: start } of text.matchAll(header)) {
    for (const end of endsAfter(text, start, header)) {
      const rest = parsedOrNothing(text.slice(0, start) + text.slice(end));
      if (rest === undefined) continue;
      const { [under]: left = {}, ...others } = rest;
      const { [under]: _servers, ...expected } = whole;
      if (isDeepStrictEqual(left, neighbours) && isDeepStrictEqual(others, expected)) return { start, end };
    }
  }
  throw new UnsafeEdit(`[${under}.${name}] was not found as a separate table`);
}

/** Yields the line ends after `start`, nearest first, up to the next header of another table. */
function* endsAfter(text: string, start: number, header: RegExp): Generator<number> {
  let at = start;
  while (at < text.length) {
    const next = text.indexOf("\n", at);
    at = next === -1 ? text.length : next + 1;
    yield at;
    const line = text.slice(at, text.indexOf("\n", at) === -1 ? undefined : text.indexOf("\n", at));
    if (
      /^[ \t]*\[/.test(line) &&
      !new RegExp(header.source).test(line) &&
      parsedOrNothing(text.slice(0, at)) !== undefined
    )
      return;
  }
}

function parsedOrNothing(text: string): JsonObject | undefined {
  try {
    return tomlSettings.parse(text);
  } catch {
    return undefined;
  }
}
