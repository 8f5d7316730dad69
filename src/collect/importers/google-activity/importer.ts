// My Activity of a Google account: searches, visits and questions, from the JSON or the web pages of a Takeout.
import type { JsonObject } from "../../../contract/json.ts";
import { type Entry, headOf } from "../../entry.ts";
import { HEAD_BYTES, type ImportContext, type ImportEvent, type Importer } from "../../importer.ts";
import { activityItems, isActivityPage } from "../activity-page.ts";
import { decodeHead, textOf } from "../decode.ts";
import { estimateItems } from "../estimates.ts";
import { isoInstant } from "../iso-instant.ts";
import { isObject, objectsIn, present, textIn } from "../json-fields.ts";
import { jsonItems } from "../json-items.ts";
import { localClock, timeZoneQuestion } from "../local-time.ts";
import { ordinals } from "../ordinals.ts";
import { digestOf, replayedRun } from "../replay.ts";
import { googleActivityDeclaration } from "./declaration.ts";

/** Search-history files in YouTube's folder, whose names are in the account's language. */
const SEARCHES =
  /(?:search-history|Suchverlauf|historique-des-recherches|historial-de-b|cronologia-ricerche|zoekgeschiedenis)[^/]*\.(?:json|html)$/i;

export const googleActivityImporter: Importer = {
  name: "google-activity",
  title: "Google activity (My Activity: searches, visited pages, prompts)",
  from: ["takeout.google.com, “My Activity”; for YouTube searches, “YouTube”"],
  recognise({ path, head }) {
    const start = decodeHead(head).replace(/^\ufeff/, "");
    const isPage = isActivityPage(start);
    const isList = /^\s*\[\s*\{\s*"header"\s*:/.test(start) && /"time"\s*:/.test(start);
    if (!isPage && !isList) return undefined;
    // Watched videos are imported as viewing history instead.
    const score = SEARCHES.test(path) ? 97 : /MyActivity[^/]*\.html$/i.test(path) || isList ? 90 : 60;
    return { score, reason: "Google account activity", group: "Google activity" };
  },
  async plan({ entries }) {
    const needsZone = (await Promise.all(entries.map(lacksZone))).some((lacks) => lacks);
    return {
      account: { key: "google-activity", name: "Google activity" },
      declaration: googleActivityDeclaration,
      streams: [{ stream: "activities", ...(await estimateItems(entries, /"header"\s*:|mdl-typography--title"/g)) }],
      questions: needsZone ? [timeZoneQuestion("A Google page")] : [],
    };
  },
  run: (input, context) => replayedRun(input, context, (entry) => eventsOf(entry, context)),
};

/** The pages of some accounts have no zone after their times. */
async function lacksZone(entry: Entry): Promise<boolean> {
  try {
    for await (const piece of textOf(entry))
      if (/\d:\d\d(?:[\s\u00a0\u202f][AP]M)?\s*<(?:br|\/div)/.test(piece)) return true;
  } catch {
    // The run reports what is wrong with the file.
  }
  return false;
}

async function* eventsOf(entry: Entry, { answers, makeId }: ImportContext): AsyncGenerator<ImportEvent> {
  const isPage = isActivityPage(decodeHead(await headOf(entry, HEAD_BYTES)).replace(/^\ufeff/, ""));
  const items = isPage
    ? activityItems(textOf(entry), localClock(answers))
    : jsonItems(entry, (path) => path.length === 1);
  const ordinal = ordinals();
  for await (const item of items) {
    const { offset } = item;
    if ("problem" in item) {
      yield { kind: "error", entry, offset, message: item.problem };
      continue;
    }
    const fields = isObject(item.value) ? activityOf(item.value) : undefined;
    if (fields === undefined) {
      yield { kind: "error", entry, offset, message: "an activity without a time" };
      continue;
    }
    const digest = digestOf(
      String(fields.done_at),
      String(fields.product ?? ""),
      String(fields.title ?? ""),
      String(fields.url ?? ""),
    );
    const again = ordinal(digest);
    const id = makeId(again === 0 ? digest : `${digest}.${again}`);
    yield { kind: "record", stream: "activities", key: id, data: { id, ...fields }, entry, offset };
  }
}

function activityOf(item: JsonObject): JsonObject | undefined {
  const done_at = isoInstant(textIn(item, "time"));
  if (done_at === undefined) return undefined;
  const details = [
    ...objectsIn(item, "subtitles").map((one) => textIn(one, "name")),
    textIn(item, "description"),
  ].filter((text) => text !== undefined);
  return present({
    product: textIn(item, "header"),
    title: textIn(item, "title"),
    url: targetOf(textIn(item, "titleUrl")),
    details: details.length === 0 ? undefined : details,
    done_at,
  });
}

/** Returns the target of Google's redirect links. */
function targetOf(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  const target =
    url !== null && /(?:^|\.)google\./.test(url.host) && url.pathname === "/url" ? url.searchParams.get("q") : null;
  return (target ?? address)?.toWellFormed();
}
