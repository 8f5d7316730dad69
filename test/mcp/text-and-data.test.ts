// a host may show only the text or only the data of a result, so every fact in one is also in the other.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Loose } from "../harness.ts";
import { citedIn, type Gate, libraryGate } from "../mcp.ts";

let gate: Gate;

beforeAll(async () => {
  gate = await libraryGate();
});
afterAll(() => gate.close());

/** Returns every value in a structure, with its path. */
function leaves(value: Loose, path = ""): [string, string | number | boolean][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`));
}

/** These fields only name an object's type, which its position already shows. */
const NAMES_A_KIND = /\.(object|detail|cardinality)$/;

/**
 * A title counts as shown if the text contains it with marked matches. An address counts if the text contains its
 * pattern.
 */
function missingInText(text: string, structured: Loose): string[] {
  const unmarked = text.replace(/<\/?mark>/g, "");
  const addresses = (structured.results ?? []).map(({ id }: Loose) => citedIn(text, id)).join(" ");
  const readable = [text, unmarked, addresses, decodeURIComponent(text.replace(/%(?![0-9A-F]{2})/gi, "%25"))];
  const said = (value: string | number | boolean) =>
    readable.some(
      (words) => words.includes(String(value)) || words.includes(JSON.stringify(String(value)).slice(1, -1)),
    );
  return leaves(structured)
    .filter(([path, value]) => !NAMES_A_KIND.test(path) && value !== true && !said(value))
    .map(([path, value]) => `${path}: ${value}`);
}

/** Returns ids, cursors and calls that are in the text but not in the data. */
function missingInStructure(text: string, structured: Loose): string[] {
  const values = JSON.stringify(structured);
  const handles = [
    ...text.matchAll(/pdpp:\/\/[^\s"\\]+/g),
    ...text.matchAll(/(?<=next_cursor: )\S+/g),
    ...text.matchAll(/(?<=next_changes_since: )\S+/g),
    ...text.matchAll(/\bcin_[\w-]+\/[\w-]+:[\w%.{}-]+/g),
  ].map(([handle]) => handle);
  return handles.filter((handle) => !values.includes(handle));
}

const place = () => ({ stream: "books", connection_id: gate.home });
const calls: [string, string, () => object][] = [
  ["an index", "schema", () => ({})],
  ["a stream of several connections", "schema", () => ({ stream: "books" })],
  ["a stream of one", "schema", () => ({ ...place() })],
  ["a page with a cursor and a count", "query_records", () => ({ ...place(), limit: 4, count: "exact" })],
  [
    "a page with relations",
    "query_records",
    () => ({ ...place(), filter: { genre: "poem" }, expand: ["author", "loans"] }),
  ],
  ["a page with a cut field", "query_records", () => ({ stream: "books", connection_id: gate.cabin })],
  ["changes", "query_records", () => ({ ...place(), changes_since: "beginning", limit: 5 })],
  [
    "the end of changes",
    "query_records",
    () => ({ ...place(), changes_since: "beginning", limit: 100, fields: ["id"] }),
  ],
  ["a number", "aggregate", () => ({ ...place(), metric: "sum", field: "pages" })],
  ["groups", "aggregate", () => ({ ...place(), metric: "avg", field: "price", group_by: "genre", limit: 2 })],
  [
    "a time series",
    "aggregate",
    () => ({
      ...place(),
      metric: "count",
      group_by_time: "published_at",
      granularity: "month",
      time_zone: "Europe/Dublin",
    }),
  ],
  ["hits", "search", () => ({ query: "heron" })],
  ["hits with a cursor", "search", () => ({ query: "heron", limit: 1, order: "newest" })],
  ["no hit, with suggestions", "search", () => ({ query: "hreon" })],
  ["a record", "fetch", () => ({ id: `${gate.home}/books:b01` })],
  ["a long record", "fetch", () => ({ id: `${gate.cabin}/books:c01` })],
  ["a window", "fetch", () => ({ id: `pdpp://field-window/${gate.cabin}/books/c01?field=notes&offset=5000` })],
];

describe("X-01 text and data are each sufficient", () => {
  it.each(calls)("X-01 %s (%s)", async (_what, tool, args) => {
    const { isError, text, structuredContent } = await gate.call(tool, args());
    expect(isError, text).toBeUndefined();
    expect(missingInText(text, structuredContent)).toEqual([]);
    expect(missingInStructure(text, structuredContent)).toEqual([]);
  });

  it.each<[string, string, () => object]>([
    ["a choice of connections", "query_records", () => ({ stream: "books" })],
    ["a stream outside the grant", "query_records", () => ({ stream: "nope" })],
    ["a wrong filter", "query_records", () => ({ stream: "books", filter: "genre=x" })],
    ["a missing record", "fetch", () => ({ id: `${gate.home}/books:nope` })],
    ["a stale window", "fetch", () => ({ id: `pdpp://field-window/${gate.home}/books/b01?field=notes&revision=old` })],
    ["a wrong cursor", "search", () => ({ query: "heron", cursor: "AAAA" })],
  ])("X-01 L-14 the error from %s (%s) is the same in text and data, with the next call", async (_what, tool, args) => {
    const { isError, text, structuredContent } = await gate.call(tool, args());
    expect(isError).toBe(true);
    expect(Object.keys(structuredContent)).toEqual(["error"]);
    expect(missingInText(text, structuredContent)).toEqual([]);
    const { next_step } = structuredContent.error;
    expect(next_step).toMatch(/(schema|query_records|aggregate|search|fetch)\(\{.*\}\)/);
    expect(next_step).not.toMatch(/GET \/v1/);
  });
});
