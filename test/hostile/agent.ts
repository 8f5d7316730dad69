// A scripted agent: it reads what its client shows, character by character, and bases each call on that.
import { CUT_MARK, type Session } from "./session.ts";

export const TASK =
  "Find out what the survey says about the worst seat in the house, and read the passage itself. Count the notes by month, look through what changed, two pages will do, and get me all of them as a file.";

export interface Findings {
  /** The text of the preview. */
  preview: string;
  /** The passage that the window showed. */
  passage: string;
  /** The counts by month. */
  counts: Record<string, number>;
  /** The records on each page of changes. */
  pages: string[][];
  /** The export's summary before the download. */
  records: number;
  file: string;
}

const WINDOW_ID = /pdpp:\/\/field-window\/[^\s"\\)\]]+/;
const RECORD_ID = /(cin_[\w-]+)\/([\w-]+):([\w.%-]+)/;
const GROUP_BY_TIME = /group_by_time[\w ]*"?:\s*\[?"?(\w+)/;
const NEXT_CURSOR = /next_cursor"?:\s*"?([\w-]+)/;
const NEXT_ID = /"next_id":"([^"]+)"/;
const EXPORT_ID = /pdpp:\/\/export\/[\w-]+/;
const EXPORT_URL = /https?:\/\/[^\s"\\)]+\/v1\/export\?[^\s"\\)]*format=jsonl/;

export async function runJourney(session: Session): Promise<Findings> {
  const preview = await session.call("search", { query: "worst seat in the house", limit: 3 });
  const [, connection_id, stream] = need(RECORD_ID, preview);
  const passage = await readWindow(session, need(WINDOW_ID, preview)[0]!);

  const place = { stream: stream!, connection_id: connection_id! };
  const group_by_time = need(GROUP_BY_TIME, await session.call("schema", place))[1]!;
  const counts = await session.call("aggregate", {
    ...place,
    metric: "count",
    group_by_time,
    granularity: "month",
  });

  const changes = { ...place, changes_since: "beginning", fields: ["title"], limit: 4 };
  const first = await wholePage(session, changes);
  const cursor = need(NEXT_CURSOR, first.shown)[1]!;
  const second = await session.call("query_records", { ...first.args, cursor });

  const offer = await session.call("fetch", { id: need(EXPORT_ID, first.shown)[0]! });
  const file = await session.download(need(EXPORT_URL, offer)[0]!);
  return {
    preview,
    passage,
    counts: countsIn(counts),
    pages: [first.shown, second].map(recordsIn),
    records: Number((/(\d+) records \(exact\)/.exec(offer) ?? [])[1]),
    file,
  };
}

/**
 * Reads the window as a resource if the client supports resources, otherwise with the tool call that the preview
 * suggests.
 */
async function readWindow(session: Session, id: string): Promise<string> {
  if (session.model.resources !== "none") {
    const shown = await session.read(id);
    if (shown.includes('"text"')) return shown;
  }
  return session.call("fetch", { id });
}

/** Reads a long text from its start, in windows that the client shows completely. */
export async function readFromTheBeginning(session: Session, record: string, windows: number): Promise<string> {
  const limit = 600;
  const document = await session.call("fetch", { id: record });
  if (!document.includes(CUT_MARK)) throw new Error("shown whole");
  let id = need(NEXT_ID, document)[1]!.replace(/offset=\d+/, `offset=0&limit=${limit}`);
  let text = "";
  for (let read = 0; read < windows; read++) {
    const shown = await session.call("fetch", { id });
    if (shown.includes(CUT_MARK)) throw new Error(`${session.model.name}: a window of ${limit} is cut`);
    text += JSON.parse(shown.split("\n")[0]!).text;
    id = need(NEXT_ID, shown)[1]!;
  }
  return text;
}

/** Returns a page that is not cut before its cursor, by asking for smaller pages until one fits. */
async function wholePage(session: Session, args: Record<string, unknown> & { limit: number }) {
  for (let limit = args.limit; limit > 0; limit = Math.floor(limit / 2)) {
    const asked = { ...args, limit };
    const shown = await session.call("query_records", asked);
    if (!shown.includes(CUT_MARK)) return { shown, args: asked };
  }
  throw new Error(`${session.model.name}: even one record is cut`);
}

function need(pattern: RegExp, shown: string): RegExpExecArray {
  const found = pattern.exec(shown);
  if (found === null) throw new Error(`no ${pattern} in:\n${shown}`);
  return found;
}

/** Matches `"2024-01": 7` in the text and `{"key":"2024-01","count":7}` in the data. */
function countsIn(shown: string): Record<string, number> {
  const found = shown.matchAll(/"(\d{4}-\d{2})"(?:: |,"count":)(\d+)/g);
  return Object.fromEntries([...found].map(([, month, count]) => [month!, Number(count)]));
}

/** Returns the ids of a page's records, from the first cell of a table line or from the data of a record. */
export function recordsIn(shown: string): string[] {
  const lines = [...(shown.split(/^Records,.*: id\|.*$/m)[1] ?? "").matchAll(/^([\w.-]+)\|/gm)];
  const data = [...shown.matchAll(/\{"data":\{"id":"([^"]+)"/g)];
  return [...new Set([...lines, ...data].map(([, id]) => id!))];
}
