// Converts the web pages that Google Takeout writes for activities into the objects that it otherwise writes as JSON:
// header, title, titleUrl, subtitles, time.
import type { JsonObject } from "../../contract/json.ts";
import { htmlText } from "./mail/html-text.ts";
import { writtenTime } from "./written-time.ts";

type PageItem = { value: JsonObject; offset: number } | { problem: string; offset: number };

/** The maximum size of one activity, because each is held entirely in memory. */
const CELL_MAX = 1024 * 1024;
const CELL = /mdl-typography--(title|body-1|caption)">/g;

export const isActivityPage = (start: string): boolean =>
  /^\s*<(?:!doctype html|html|head)[\s>]/i.test(start) &&
  /material-design-lite|\bmdl-|My Activity|minimal CSS/.test(start);

/** `clock` is used for times without a zone. */
export async function* activityItems(
  pieces: AsyncIterable<string>,
  clock: (local: number) => string,
): AsyncGenerator<PageItem> {
  let text = "";
  let base = 0;
  let header = "";
  let open: { lines: string; offset: number } | undefined;
  const take = (caption = ""): PageItem[] => {
    if (open === undefined) return [];
    const item = itemOf(open.lines, header, caption, clock);
    const { offset } = open;
    open = undefined;
    return [item === undefined ? { problem: "an activity without a time", offset } : { value: item, offset }];
  };
  for await (const piece of pieces) {
    text += piece;
    let at = 0;
    CELL.lastIndex = 0;
    for (let found = CELL.exec(text); found !== null; found = CELL.exec(text)) {
      const kind = found[1]!;
      const end = text.indexOf(kind === "title" ? "</p>" : "</div>", CELL.lastIndex);
      if (end === -1) break;
      const inner = text.slice(CELL.lastIndex, end);
      if (kind === "caption") yield* take(inner);
      else {
        yield* take();
        if (kind === "title") header = htmlText(inner).trim();
        else open = { lines: inner, offset: base + found.index };
      }
      at = end;
      CELL.lastIndex = end;
    }
    const next = at === 0 ? Math.max(0, text.search(/mdl-typography--(?:title|body-1|caption)">/)) : at;
    if (text.length - next > CELL_MAX) {
      yield { problem: "an activity without an end", offset: base + next };
      return;
    }
    // Keep the last characters, because a marker can be split between two chunks.
    const keep =
      at === 0 && !/mdl-typography--(?:title|body-1|caption)">/.test(text) ? Math.max(0, text.length - 50) : next;
    base += keep;
    text = text.slice(keep);
  }
  yield* take();
}

function itemOf(
  inner: string,
  header: string,
  caption: string,
  clock: (local: number) => string,
): JsonObject | undefined {
  const parts = inner.split(/<br\s{0,5}\/?>/).filter((part) => htmlText(part).trim() !== "");
  const time = writtenTime(wordsOf(parts.at(-1) ?? ""), clock);
  const [sentence = "", ...rest] = parts.slice(0, -1);
  if (time === undefined) return undefined;
  const url = linkIn(sentence);
  return {
    header,
    title: wordsOf(sentence),
    ...(url === undefined ? {} : { titleUrl: url }),
    subtitles: rest.map((line) => ({
      name: wordsOf(line),
      ...(linkIn(line) === undefined ? {} : { url: linkIn(line)! }),
    })),
    time,
    // The only detail that the pages show.
    ...(/Google Ads/.test(caption) ? { details: [{ name: "From Google Ads" }] } : {}),
  };
}

/** The readable text, without the URLs that plain text shows after links. */
const wordsOf = (html: string): string =>
  htmlText(html.replace(/<\/?a\b[^<>]{0,5000}>/g, ""))
    .replace(/\s+/g, " ")
    .trim();

function linkIn(html: string): string | undefined {
  const address = /<a\b[^<>]{0,200}?href="([^"<>]{1,5000})"/.exec(html)?.[1];
  return address === undefined ? undefined : htmlText(address).trim();
}
