// Chrome history in a Google Takeout: BrowserHistory.json or History.json, a list of visits.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type { ImportEvent } from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { isObject, present, textIn } from "../json-fields.ts";
import { jsonItems } from "../json-items.ts";
import { digestOf } from "../replay.ts";
import type { TRANSITIONS } from "./declaration.ts";

export const TAKEOUT = { key: "chrome:takeout", name: "Chrome (Google account)" };
const TEXT_MAX = 100_000;

export const isTakeoutHistory = (start: string): boolean => /^\s*\{\s*"Browser History"\s*:\s*\[/.test(start);

const TRANSITION_OF: Record<string, (typeof TRANSITIONS)[number]> = {
  LINK: "link",
  TYPED: "typed",
  AUTO_BOOKMARK: "bookmark",
  AUTO_SUBFRAME: "frame",
  MANUAL_SUBFRAME: "frame",
  GENERATED: "generated",
  AUTO_TOPLEVEL: "start_page",
  START_PAGE: "start_page",
  FORM_SUBMIT: "form",
  RELOAD: "reload",
  KEYWORD: "keyword",
  KEYWORD_GENERATED: "keyword",
};

export async function* takeoutVisits(entry: Entry, makeId: MakeId): AsyncGenerator<ImportEvent> {
  for await (const item of jsonItems(entry, (path) => path.length === 2 && path[0] === "Browser History")) {
    const { offset } = item;
    if ("problem" in item) {
      yield { kind: "error", entry, offset, message: item.problem };
      continue;
    }
    const visit = isObject(item.value) ? visitOf(item.value, makeId) : "it is not a visit";
    if (typeof visit === "string") yield { kind: "error", entry, offset, message: visit };
    else yield { kind: "record", stream: "visits", key: visit.id as string, data: visit, entry, offset };
  }
}

function visitOf(item: JsonObject, makeId: MakeId): JsonObject | string {
  const url = textIn(item, "url")?.slice(0, TEXT_MAX);
  const micros = item.time_usec;
  if (typeof micros !== "number" || !(micros >= 0 && micros < 253_402_300_800_000_000)) return "the visit has no time";
  if (url === undefined) return "the visit has no address";
  const transition = textIn(item, "page_transition") ?? textIn(item, "page_transition_qualifier") ?? "";
  return present({
    // Google repeats a visit for each synchronised device. The copies get the same id, so the visit is stored once.
    id: makeId(`${micros}.${digestOf(url)}`),
    url,
    host: URL.parse(url)?.host || undefined,
    title: textIn(item, "title")?.slice(0, 10_000).toWellFormed(),
    visited_at: new Date(Math.floor(micros / 1000)).toISOString(),
    transition: transition.includes("REDIRECT") ? "redirect" : TRANSITION_OF[transition],
    browser: "Chrome",
  });
}
