// Browser history: the databases of the Chrome and Firefox families, Safari and qutebrowser. Each profile is an
// account.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { type Entry, headOf } from "../../entry.ts";
import {
  type EntryPreview,
  entriesFrom,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type Recognition,
} from "../../importer.ts";
import { folderOf, nameOf } from "../attached-file.ts";
import { decodeHead } from "../decode.ts";
import { estimateItems } from "../estimates.ts";
import { type ForeignRow, isSqlite, logOf, openForeign, openForeignForPlan } from "../foreign-sqlite.ts";
import { isObject, present } from "../json-fields.ts";
import { digestOf, replayed } from "../replay.ts";
import { extentOf, familyOf, showsHistory, type VisitPosition, visitsOf } from "./databases.ts";
import { browserHistoryDeclaration } from "./declaration.ts";
import { type BrowserProfile, originOf } from "./origin.ts";
import { isTakeoutHistory, TAKEOUT, takeoutVisits } from "./takeout.ts";

const CHECKPOINT_VISITS = 1000;
const WAL = /-wal$/;

export const browserHistoryImporter: Importer = {
  name: "browser-history",
  title: "Browser history (Chrome, Firefox, Safari, qutebrowser and related browsers)",
  from: [
    "Chrome and related browsers: History in the profile’s folder, or takeout.google.com, “Chrome”",
    "Firefox: places.sqlite in the profile folder",
    "Safari: ~/Library/Safari/History.db",
    "qutebrowser: ~/.local/share/qutebrowser/history.sqlite",
  ],
  recognise,
  async plan({ name, entries }, answers) {
    if (entries.some(isTakeout))
      return {
        account: TAKEOUT,
        declaration: browserHistoryDeclaration,
        streams: [{ stream: "visits", ...(await estimateItems(entries.filter(isTakeout), /"time_usec"\s*:/g)) }],
      };
    const [entry] = entries.filter(isDatabase);
    const seen = entry === undefined ? undefined : await firstLook(entry);
    const origin = originOf(entry?.path ?? name, seen?.browser ?? "Browser", answers);
    return {
      account: { key: origin.key, name: origin.name },
      declaration: browserHistoryDeclaration,
      streams: [{ stream: "visits", ...seen?.extent }],
      questions: origin.isKnown
        ? []
        : [
            {
              id: "profile",
              text: "Which profile of the browser is it from? Leave it empty if there is only one",
              default: "",
            },
          ],
    };
  },
  async *run(input, context) {
    for (const { entry, position } of entriesFrom(input, context)) {
      if (!isDatabase(entry)) continue;
      if (isTakeout(entry)) {
        yield* replayed(entry, position, takeoutVisits(entry, context.makeId));
        continue;
      }
      const wal = input.entries.find(({ path }) => path === `${entry.path}-wal`);
      yield* eventsOf(entry, wal, position, context);
    }
  },
};

const isDatabase = ({ path }: Entry): boolean => !WAL.test(path);
const isTakeout = ({ path }: Entry): boolean => /\.json$/i.test(path);

/** File names that only browsers use for their history, and names that other programs use too. */
const OWN_NAME = /(?:^|\/)(?:History|places\.sqlite|History\.db)$/;
const OTHER_NAME =
  /(?:^|\/)[^/]*(?:histor|places|browser|chrom|firefox|brave|vivaldi|edge|opera|safari|mozilla)[^/]*\.(?:sqlite3?|db)$/i;
function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  if (/\.json$/i.test(path) && isTakeoutHistory(decodeHead(head).replace(/^\ufeff/, "")))
    return { score: 95, reason: "Chrome history from Google Takeout", group: "Chrome" };
  const main = path.replace(WAL, "");
  const group = { group: folderOf(main) === "" ? main : `${folderOf(main)}/${nameOf(main)}` };
  const isNamed = OWN_NAME.test(main) || OTHER_NAME.test(main);
  if (main !== path) {
    return isNamed && has(main) ? { score: 90, reason: "latest changes to a browser's history", ...group } : undefined;
  }
  if (!isSqlite(head)) return undefined;
  if (showsHistory(head)) return { score: 95, reason: "browser history", ...group };
  if (OWN_NAME.test(path)) return { score: 92, reason: "browser history", ...group };
  return OTHER_NAME.test(path) ? { score: 65, reason: "browser history, judging by its name", ...group } : undefined;
}

/** Reads what can be read without copying the database. */
async function firstLook(entry: Entry) {
  try {
    const database = await openForeignForPlan(entry);
    try {
      const family = familyOf(database);
      if (family === undefined) return undefined;
      const { count, first, last } = extentOf(database, family);
      const span = {
        since: first === undefined ? undefined : instant(first),
        until: last === undefined ? undefined : instant(last),
      };
      return { browser: family.browser, extent: { count, ...present(span) } };
    } finally {
      await database.close();
    }
  } catch {
    // The run reports what is wrong with the file.
    return undefined;
  }
}

async function* eventsOf(
  entry: Entry,
  wal: Entry | undefined,
  position: JsonValue | undefined,
  { answers, makeId }: ImportContext,
): AsyncGenerator<ImportEvent> {
  const at = isObject(position) ? position : {};
  if (at.ended === true) return;
  let place = typeof at.time === "string" ? (at as unknown as VisitPosition) : undefined;
  try {
    if (!isSqlite(await headOf(entry, 16))) throw new Error("it is not a SQLite database");
    const database = await openForeign(entry, wal ?? (await logOf(entry)));
    try {
      const family = familyOf(database);
      if (family === undefined) throw new Error("it is a database, but not a browser's history");
      const origin = originOf(entry.path, family.browser, answers);
      let visits = 0;
      let time: bigint | number | undefined;
      let same = new Map<string, number>();
      for (const row of visitsOf(database, family, place)) {
        const offset = Number(row.rowid);
        if (typeof row.time !== "bigint" && typeof row.time !== "number") {
          yield { kind: "error", entry, offset, message: "the visit has no time" };
          continue;
        }
        if (row.time !== time) {
          // Put checkpoints only between two different times, so that a resumed run counts all equal visits that share
          // a time.
          if (visits >= CHECKPOINT_VISITS && place !== undefined) {
            yield { kind: "checkpoint", entry, position: { ...place } };
            visits = 0;
          }
          time = row.time;
          same = new Map();
        }
        visits++;
        place = { time: String(row.time), rowid: String(row.rowid) };
        const micros = family.micros(row.time);
        if (micros === undefined || micros < 0n || micros >= 253_402_300_800_000_000n) {
          yield { kind: "error", entry, offset, message: "the visit's time is out of range" };
        } else if (typeof row.url !== "string" || row.url === "") {
          yield { kind: "error", entry, offset, message: "the visit has no address" };
        } else {
          const url = row.url.toWellFormed();
          const data = visitOf(row, makeId(visitIdentity(url, micros, same)), url, micros, origin);
          const transition = family.transition(row);
          if (transition !== undefined) data.transition = transition;
          yield {
            kind: "record",
            stream: "visits",
            key: data.id as string,
            data,
            entry,
            offset,
          };
        }
      }
    } finally {
      await database.close();
    }
  } catch (error) {
    yield { kind: "error", entry, message: (error as Error).message };
  }
  yield { kind: "checkpoint", entry, position: { ...place, ended: true } };
}

const instant = (micros: bigint): string => new Date(Number(micros / 1000n)).toISOString();

const ADDRESS_CHARACTERS_MAX = 100_000;
const TITLE_CHARACTERS_MAX = 10_000;
const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most) : text).toWellFormed();

/** `same` counts how many times each address was opened at this time. */
function visitIdentity(url: string, micros: bigint, same: Map<string, number>): string {
  const digest = digestOf(url);
  const ordinal = same.get(digest) ?? 0;
  same.set(digest, ordinal + 1);
  return `${micros}.${digest}${ordinal === 0 ? "" : `.${ordinal}`}`;
}

function visitOf(row: ForeignRow, id: string, url: string, micros: bigint, origin: BrowserProfile): JsonObject {
  const { title, referrer, duration } = row;
  return present({
    id,
    url: cut(url, ADDRESS_CHARACTERS_MAX),
    host: URL.parse(url)?.host || undefined,
    title: typeof title === "string" && title !== "" ? cut(title, TITLE_CHARACTERS_MAX) : undefined,
    visited_at: instant(micros),
    referrer_url: typeof referrer === "string" && referrer !== "" ? cut(referrer, ADDRESS_CHARACTERS_MAX) : undefined,
    duration_seconds: typeof duration === "bigint" && duration > 0n ? Number(duration) / 1e6 : undefined,
    browser: origin.browser,
    profile: origin.profile,
  });
}
