// Listening and viewing: Spotify, Netflix and YouTube histories. Each service is an account.
import { type Entry, headOf } from "../../entry.ts";
import {
  type EntryPreview,
  HEAD_BYTES,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type Recognition,
} from "../../importer.ts";
import { activityItems, isActivityPage } from "../activity-page.ts";
import { nameOf } from "../attached-file.ts";
import { csvRows } from "../csv-rows.ts";
import { decodeHead, textOf } from "../decode.ts";
import { csvRowsIn, estimate, matchesIn } from "../estimates.ts";
import { asData, isObject } from "../json-fields.ts";
import { jsonItemRuns } from "../json-items.ts";
import { localClock } from "../local-time.ts";
import { ordinals } from "../ordinals.ts";
import { digestOf, replayedRun } from "../replay.ts";
import { mediaDeclaration } from "./declaration.ts";
import type { MediaFound } from "./found.ts";
import {
  answeredOrder,
  dateColumn,
  dateOrderOf,
  netflixQuestion,
  netflixReader,
  type WatchDateOrder,
} from "./netflix.ts";
import { spotifyItem } from "./spotify.ts";
import { youtubeItem } from "./youtube.ts";

type MediaService = "spotify" | "netflix" | "youtube";
const NAMES: Record<MediaService, string> = { spotify: "Spotify", netflix: "Netflix", youtube: "YouTube" };
/** Matches once per play or view. Netflix is counted by rows. */
const ONE: Record<Exclude<MediaService, "netflix">, RegExp> = {
  spotify: /"(?:ts|endTime)"\s*:/g,
  youtube: /"header"\s*:|mdl-typography--title"/g,
};

export const mediaImporter: Importer = {
  name: "media",
  title: "Listening and viewing (Spotify, Netflix, YouTube)",
  from: [
    "Spotify: Account → Privacy → Download your data",
    "Netflix: Account → Security → Personal info access",
    "YouTube: takeout.google.com; choose JSON for the history if you can; HTML also works",
  ],
  recognise,
  async plan({ entries }, answers) {
    const service = (await serviceOf(entries[0])) ?? "spotify";
    const found = await estimate(entries, service === "netflix" ? csvRowsIn : (text) => matchesIn(text, ONE[service]));
    const mustAsk = service === "netflix" && answeredOrder(answers) === undefined && (await isAmbiguous(entries));
    const isShort = entries.some(({ path }) => /^StreamingHistory/.test(nameOf(path)));
    const isLong = entries.some(({ path }) => /^(?:endsong|Streaming_History)/.test(nameOf(path)));
    return {
      account: { key: service, name: NAMES[service] },
      declaration: mediaDeclaration,
      streams: [{ stream: service === "spotify" ? "listens" : "views", ...found }],
      questions: mustAsk ? [netflixQuestion] : [],
      warnings:
        isShort && isLong
          ? ["The short and the extended Spotify history overlap: plays that are in both are imported twice."]
          : [],
    };
  },
  run: (input, context) => replayedRun(input, context, (entry) => eventsOf(entry, context)),
};

/** Takeout names its folders and files in the account's language. */
const YOUTUBE_PAGE =
  /(?:^|\/)[^/]*YouTube[^/]*\/(?:[^/]*(?:histor|verlauf|cronologia|geschiedenis|historik|histórico|история|履歴|기록|记录|紀錄)[^/]*\/)?[^/]*(?:histor|verlauf|cronologia|geschiedenis|MyActivity|履歴|기록|记录|紀錄)[^/]*\.html$/iu;

function serviceIn(start: string): MediaService | undefined {
  if (/^\s*\[\s*\{\s*"endTime"\s*:/.test(start) && /"msPlayed"\s*:/.test(start)) return "spotify";
  if (/^\s*\[\s*\{\s*"ts"\s*:/.test(start) && /"ms_played"\s*:/.test(start)) return "spotify";
  if (/^\s*\[\s*\{\s*"header"\s*:\s*"YouTube/.test(start) && /"time"\s*:/.test(start)) return "youtube";
  return netflixSeparator(start) === undefined ? undefined : "netflix";
}

/** Netflix separates cells with commas, but spreadsheets save the file with the separator of their locale. */
function netflixSeparator(start: string): string | undefined {
  const [, full] = /^\s*"?Profile Name"?([,;\t])"?Start Time"?\1/.exec(start) ?? [];
  const [, short] = /^\s*"?Title"?([,;\t])"?Date"?[,;\t]*\r?\n/.exec(start) ?? [];
  return full ?? short;
}

const startOf = async (entry: Entry): Promise<string> =>
  decodeHead(await headOf(entry, HEAD_BYTES)).replace(/^\ufeff/, "");

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  const isYouTubePage = YOUTUBE_PAGE.test(path.normalize()) || /(?:^|\/)watch-history[^/]*\.html$/i.test(path);
  if (isYouTubePage && isActivityPage(decodeHead(head)))
    return { score: 95, reason: "YouTube history", group: NAMES.youtube };
  const service = serviceIn(decodeHead(head).replace(/^\ufeff/, ""));
  if (service === undefined) return undefined;
  // A file with a title and a date can be a list of anything.
  const isSure = service !== "netflix" || /Profile Name/.test(decodeHead(head)) || /netflix|viewing/i.test(path);
  return { score: isSure ? 95 : 40, reason: `${NAMES[service]} history`, group: NAMES[service] };
}

async function serviceOf(entry: Entry | undefined): Promise<MediaService | undefined> {
  if (entry === undefined) return undefined;
  try {
    const start = await startOf(entry);
    return isActivityPage(start) ? "youtube" : serviceIn(start);
  } catch {
    return undefined;
  }
}

async function* eventsOf(entry: Entry, { answers, makeId }: ImportContext): AsyncGenerator<ImportEvent> {
  const service = await serviceOf(entry);
  const ordinal = ordinals();
  const event = (found: MediaFound, offset: number): ImportEvent => {
    if ("error" in found) return { kind: "error", entry, offset, message: found.error };
    if ("skip" in found) return { kind: "skip", entry, offset, reason: found.skip };
    const { stream, parts, fields } = found;
    const digest = digestOf(...parts);
    const again = ordinal(digest);
    const id = makeId(again === 0 ? digest : `${digest}.${again}`);
    return { kind: "record", stream, key: id, data: asData({ id, ...fields }), entry, offset };
  };
  if (service === "netflix") {
    const found = answeredOrder(answers) ?? (await orderIn(entry));
    const order = found === "any" ? undefined : found;
    const separator = netflixSeparator(await startOf(entry)) ?? ",";
    let read: ReturnType<typeof netflixReader>;
    for await (const row of csvRows(textOf(entry), separator)) {
      // Spreadsheets add rows of empty cells at the end.
      if ("cells" in row && row.cells.every((cell) => cell.trim() === "")) continue;
      if ("problem" in row) yield { kind: "error", entry, offset: row.line, message: row.problem };
      else if (read !== undefined) yield event(read(row.cells), row.line);
      else {
        read = netflixReader(row.cells, order);
        if (read === undefined) throw new Error("it does not have Netflix's columns");
      }
    }
    return;
  }
  if (service === undefined) throw new Error("it is not the history of a known service");
  const read = service === "spotify" ? spotifyItem : youtubeItem;
  if (/\.html?$/i.test(entry.path)) {
    for await (const item of activityItems(textOf(entry), localClock(answers))) {
      if ("problem" in item) yield { kind: "error", entry, offset: item.offset, message: item.problem };
      else yield event(youtubeItem(item.value), item.offset);
    }
    return;
  }
  for await (const items of jsonItemRuns(entry, (path) => path.length === 1)) {
    for (const item of items) {
      if ("problem" in item) yield { kind: "error", entry, offset: item.offset, message: item.problem };
      else yield event(isObject(item.value) ? read(item.value) : { error: "it is not an object" }, item.offset);
    }
  }
}

/**
 * Detects the order from all dates of a list, because lists are small. Returns "any" if no date depends on the order,
 * and undefined if both orders are possible.
 */
async function orderIn(entry: Entry): Promise<WatchDateOrder | "any" | undefined> {
  const separator = netflixSeparator(await startOf(entry)) ?? ",";
  let column: number | undefined;
  let found: "any" | undefined = "any";
  for await (const row of csvRows(textOf(entry), separator)) {
    if ("problem" in row) continue;
    column ??= dateColumn(row.cells);
    const order = dateOrderOf(row.cells[column] ?? "");
    if (order === "dmy" || order === "mdy") return order;
    if (order === undefined) found = undefined;
  }
  return found;
}

async function isAmbiguous(entries: readonly Entry[]): Promise<boolean> {
  for (const entry of entries) {
    try {
      if ((await orderIn(entry)) === undefined) return true;
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return false;
}
