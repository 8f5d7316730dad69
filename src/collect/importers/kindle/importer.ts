// My Clippings.txt from a Kindle: highlights, notes and bookmarks, in the device's language.
import type { JsonObject } from "../../../contract/json.ts";
import { type Entry, linesOf } from "../../entry.ts";
import type { ImportContext, ImportEvent, Importer } from "../../importer.ts";
import { decodeHead } from "../decode.ts";
import { estimateItems } from "../estimates.ts";
import { present } from "../json-fields.ts";
import { localClock, timeZoneQuestion } from "../local-time.ts";
import { digestOf, replayedRun } from "../replay.ts";
import { writtenTime } from "../written-time.ts";
import { kindleDeclaration } from "./declaration.ts";

const END = /^={10}\s*$/;
const LINES_MAX = 2000;

/** Words in the second line, in the languages of the devices. */
const KINDS: readonly [RegExp, string][] = [
  [/bookmark|lesezeichen|signet|marcador|segnalibro|bladwijzer|закладк|书签|書籤|ブックマーク/i, "bookmark"],
  [/\bnote\b|notiz|\bnota\b|notitie|заметк|笔记|筆記|メモ/i, "note"],
  [
    /highlight|markierung|surlignement|subrayado|evidenziazione|destaque|markering|выдел|标注|標註|ハイライト/i,
    "highlight",
  ],
];

export const kindleImporter: Importer = {
  name: "kindle",
  title: "Kindle clippings (My Clippings.txt)",
  from: ["Kindle: connect it by USB; documents/My Clippings.txt"],
  recognise({ path, head }) {
    if (!/\.txt$/i.test(path)) return undefined;
    const start = decodeHead(head).replaceAll("\ufeff", "");
    const isClippings = /^[^\r\n]+\r?\n- [^\r\n]*\|[^\r\n]+\r?\n/.test(start) && /^={10}\r?$/m.test(start);
    return isClippings ? { score: 92, reason: "Kindle clippings", group: "Kindle" } : undefined;
  },
  plan: async ({ entries }) => ({
    account: { key: "kindle", name: "Kindle" },
    declaration: kindleDeclaration,
    streams: [{ stream: "clippings", ...(await estimateItems(entries, /^={10}\s*$/gm)) }],
    questions: [timeZoneQuestion("A Kindle")],
  }),
  run: (input, context) => replayedRun(input, context, (entry) => eventsOf(entry, context)),
};

async function* eventsOf(entry: Entry, { answers, makeId }: ImportContext): AsyncGenerator<ImportEvent> {
  const clock = localClock(answers);
  let lines: string[] = [];
  let start = 0;
  for await (const { bytes, offset } of linesOf(entry)) {
    const line = bytes.toString("utf8").replaceAll("\ufeff", "").toWellFormed();
    if (END.test(line)) {
      yield clippingEvent(lines, entry, start, clock, makeId);
      lines = [];
    } else {
      if (lines.length === 0) start = offset;
      if (lines.length < LINES_MAX) lines.push(line);
    }
  }
  if (lines.some((line) => line.trim() !== ""))
    yield { kind: "error", entry, offset: start, message: "the file ends inside a clipping" };
}

function clippingEvent(
  [book = "", facts = "", ...rest]: readonly string[],
  entry: Entry,
  offset: number,
  clock: (local: number) => string,
  makeId: ImportContext["makeId"],
): ImportEvent {
  const kind = KINDS.find(([words]) => words.test(facts))?.[1];
  if (kind === undefined || !facts.startsWith("-"))
    return { kind: "error", entry, offset, message: "the second line does not state the kind of clipping" };
  const text = rest.join("\n").trim();
  if (kind === "highlight" && isLimitNotice(text))
    return {
      kind: "skip",
      entry,
      offset,
      reason: "the book's limit for clippings was reached, so the device stored no text",
    };
  const { title, author } = titleOf(book);
  const parts = facts.split("|");
  const numbers = parts.slice(0, -1).join("|");
  const [page, location] = placesIn(numbers);
  const fields: JsonObject = present({
    book: title,
    author,
    kind,
    text: text === "" ? undefined : text,
    page,
    location,
    added_at: writtenTime(parts.at(-1)!, clock),
  });
  // The device writes a note again if it changes, so the file contains both versions.
  const id = makeId(digestOf(book.trim(), facts.trim(), text));
  return { kind: "record", stream: "clippings", key: id, data: { id, ...fields }, entry, offset };
}

/**
 * `<You have reached the clipping limit for this item>`, in the device's language. A tag in a book about HTML must not
 * match.
 */
const isLimitNotice = (text: string): boolean =>
  /^<[\p{L}\p{M}\p{N}\s'’.,:-]{4,200}>$/u.test(text) && /l[ií]mit|limiet|лимит|предел|огранич|上限|限制/iu.test(text);

/** `Title (Author)`. An author can contain brackets, and so can a title without an author. */
function titleOf(line: string): { title: string; author?: string } {
  const [, title, author] = /^(.{1,1000}?)\s*\(([^()]{1,300}(?:\([^()]{0,100}\)[^()]{0,100})?)\)\s*$/.exec(line) ?? [];
  return title === undefined ? { title: line.trim() || "Untitled" } : { title: title.trim(), author: author!.trim() };
}

/**
 * If there are two numbers, the page comes first and the location last. A single number is a location unless the words
 * say that it is a page.
 */
function placesIn(text: string): [page?: string, location?: string] {
  const found = [...text.matchAll(/#?(\d{1,7}(?:-\d{1,7})?)/g)].map(([, number]) => number!);
  if (found.length >= 2) return [found[0], found.at(-1)];
  const isPage = /page|seite|página|pagina|стр|页|頁|ページ/i.test(text) && !/loca|posi|位置|мест/i.test(text);
  return isPage ? [found[0], undefined] : [undefined, found[0]];
}
