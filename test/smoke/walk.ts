// One pass through the ladder on any data that a server has: discover, preview, window, fetch and export, with a real
// MCP client.
import type { Client } from "@modelcontextprotocol/client";
import { formatHandle, parseHandle, type RecordHandle } from "../../src/contract/handle.ts";
import type { Loose } from "../harness.ts";
import { recordHandles } from "../mcp.ts";

export interface Step {
  name: string;
  ok: boolean;
  /** The result, or the error. */
  detail: string;
}

export interface Walker {
  client: Client;
  /** Sends a GET request with the client's token. */
  download(url: string): Promise<string>;
}

/** The stream to use, chosen from the available ones that have words to search for. */
interface Place {
  stream: string;
  connection_id: string;
  count: number;
  /** The handle of a record that contains the word. */
  handle: string;
  field: string;
  word: string;
  export_id?: string;
}

const TOOLS = ["schema", "query_records", "aggregate", "search", "fetch"];
/** The number of streams to try before giving up, because a smoke test should be quick. */
const STREAMS_TRIED = 12;
/** A larger export is described but not downloaded. */
const RECORDS_FETCHED = 50_000;

/** Reports each step when it is done. A failed step ends the walk, because the next step needs its result. */
export async function* walk(walker: Walker): AsyncGenerator<Step> {
  let place: Place | undefined;
  const steps: [string, () => Promise<string>][] = [
    ["connect", () => checkTools(walker)],
    [
      "discover",
      async () => {
        place = await findPlace(walker);
        const { stream, connection_id, count } = place;
        return `stream ${stream} of ${connection_id}, ${count} records; ${place.field} has searchable text`;
      },
    ],
    ["preview", () => previewOf(walker, place!)],
    ["window", () => windowOf(walker, place!)],
    ["fetch", () => fetchOf(walker, place!)],
    ["count", () => countOf(walker, place!)],
    ["changes", () => changesOf(walker, place!)],
    ["export", () => exportOf(walker, place!)],
    ["refusal", () => refusalOf(walker)],
  ];
  for (const [name, run] of steps) {
    try {
      yield { name, ok: true, detail: await run() };
    } catch (error) {
      yield { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
      return;
    }
  }
}

async function checkTools({ client }: Walker): Promise<string> {
  const names = (await client.listTools()).tools.map(({ name }) => name);
  must(JSON.stringify(names) === JSON.stringify(TOOLS), `the tools are ${names.join(", ")}`);
  must((client.getInstructions() ?? "").includes("discover"), "the instructions do not explain the ladder");
  return `${client.getServerVersion()?.name} ${client.getServerVersion()?.version}, ${names.length} tools`;
}

async function findPlace(walker: Walker): Promise<Place> {
  const { data } = await read(walker, "schema", {});
  must(data.connectors.length > 0, "the grant covers no stream");
  const streams: { stream: string }[] = data.connectors.flatMap((row: Loose) =>
    row.streams.map((stream: string) => ({ stream })),
  );
  for (const { stream } of streams.slice(0, STREAMS_TRIED)) {
    const rows = (await read(walker, "schema", { stream })).data.connectors.flatMap((row: Loose) => row.streams);
    for (const row of rows) {
      const place = await placeIn(walker, stream, row.connection_ids[0], searchedIn(row));
      if (place !== undefined) return place;
    }
  }
  throw new Error("no granted stream has two records with words to search for");
}

/** Returns the searchable fields. The schema lists them, or lists the fields that are not searchable. */
function searchedIn({ capabilities, fields }: Loose): string[] {
  const found = Object.entries(capabilities as Record<string, string[]>).find(([key]) => /\bsearch\b/.test(key));
  if (found === undefined) return [];
  const [key, listed] = found;
  return key.endsWith("all but")
    ? (Object.values(fields).flat() as string[]).filter((name) => !listed.includes(name))
    : listed;
}

async function placeIn(
  walker: Walker,
  stream: string,
  connection_id: string,
  searched: string[],
): Promise<Place | undefined> {
  if (searched.length === 0) return undefined;
  const page = await read(walker, "query_records", { stream, connection_id, limit: 5, count: "exact" });
  const handles = recordHandles(page);
  const candidates = page.data.flatMap(({ data }: Loose, at: number) =>
    searched.flatMap((field) => {
      const text = data?.[field];
      const word = typeof text === "string" ? longestWord(text) : undefined;
      return word === undefined ? [] : [{ handle: handles[at], field, word, length: text.length }];
    }),
  );
  const best = candidates.toSorted((one: Loose, other: Loose) => other.length - one.length)[0];
  if (best === undefined || page.count.value < 2) return undefined;
  // A page that contains everything leaves nothing to export, so read a smaller one.
  const { export_id } = await read(walker, "query_records", { stream, connection_id, limit: 1 });
  return { stream, connection_id, count: page.count.value, ...best, export_id };
}

const longestWord = (text: string): string | undefined =>
  text
    .match(/[\p{L}]{4,24}/gu)
    ?.toSorted((one, other) => other.length - one.length)
    .at(0);

async function previewOf(walker: Walker, { stream, connection_id, word }: Place): Promise<string> {
  const { results, count } = await read(walker, "search", { query: word, connection_id, streams: [stream] });
  must(results.length > 0, `search finds nothing for ${word}`);
  must(
    results.every((hit: Loose) => hit.id && hit.title && hit.url && hit.connection_id === connection_id),
    "bad hits",
  );
  must(results[0].evidence?.text.includes("<mark>"), "the first hit shows no passage");
  return `${results.length} of ${count.value} hits, the first with a passage of ${results[0].evidence.field}`;
}

async function windowOf(walker: Walker, { stream, connection_id, handle, field, word }: Place): Promise<string> {
  const record = parseHandle(handle) as RecordHandle;
  const id = formatHandle({ kind: "field-window", connection_id, stream, id: record.id, field, offset: 0, q: word });
  const { text, metadata } = await read(walker, "fetch", { id });
  must(text.includes(word), `the window does not show ${word}`);
  must(metadata.revision !== undefined && metadata.match_start_chars !== undefined, "the window has no position");
  return `characters ${metadata.start_chars} to ${metadata.end_chars} of ${metadata.total_chars}`;
}

async function fetchOf(walker: Walker, { handle, connection_id }: Place): Promise<string> {
  const document = await read(walker, "fetch", { id: handle });
  must(
    decodeURIComponent(document.id) === decodeURIComponent(handle) && document.metadata.connection_id === connection_id,
    "another record",
  );
  must(/^https?:/.test(document.url), "no address to cite");
  return JSON.stringify(document.title);
}

async function countOf(walker: Walker, { stream, connection_id, count }: Place): Promise<string> {
  const { data } = await read(walker, "aggregate", { stream, connection_id, metric: "count" });
  must(data.value === count, `aggregate counts ${data.value}, but query_records counts ${count}`);
  return `${count} records by both counts`;
}

async function changesOf(walker: Walker, { stream, connection_id }: Place): Promise<string> {
  const asked = { stream, connection_id, changes_since: "beginning", limit: 1 };
  const first = await read(walker, "query_records", asked);
  must(first.next_cursor !== undefined, "the first page of changes has no cursor");
  const second = await read(walker, "query_records", { ...asked, cursor: first.next_cursor });
  must(recordHandles(second)[0] !== recordHandles(first)[0], "the second page repeats the first");
  return "two pages, one after the other";
}

async function exportOf(walker: Walker, { count, export_id }: Place): Promise<string> {
  must(export_id !== undefined, "a page that is not the last suggests no export");
  const { metadata } = await read(walker, "fetch", { id: export_id });
  must(metadata.count.value === count, `the export has ${metadata.count.value} records, not ${count}`);
  const offer = metadata.formats.find(({ format }: Loose) => format === "jsonl");
  if (count > RECORDS_FETCHED) return `${count} records, about ${offer.estimated_bytes} bytes; not downloaded`;
  const lines = (await walker.download(offer.url)).trim().split("\n");
  must(lines.length === count, `the file has ${lines.length} lines, not ${count}`);
  JSON.parse(lines[0]!);
  return `${lines.length} lines from ${new URL(offer.url).pathname}`;
}

async function refusalOf({ client }: Walker): Promise<string> {
  const args = { stream: "no-such-stream" };
  const { isError, structuredContent } = (await client.callTool({ name: "query_records", arguments: args })) as Loose;
  must(isError === true, "a stream outside the grant returns data");
  const { code, next_step } = structuredContent.error;
  must(typeof next_step === "string", `${code} has no next step`);
  return `${code}: ${next_step}`;
}

async function read({ client }: Walker, name: string, args: Record<string, unknown>): Promise<Loose> {
  const { isError, structuredContent } = (await client.callTool({ name, arguments: args })) as Loose;
  if (isError) throw new Error(`${name}: ${structuredContent.error.code}: ${structuredContent.error.message}`);
  return structuredContent;
}

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
