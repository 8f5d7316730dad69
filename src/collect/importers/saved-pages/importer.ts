// Pages saved to read later: Pocket, Raindrop, Instapaper, Pinboard, Omnivore, Delicious and Readability. Each service
// is an account.
import type { JsonObject } from "../../../contract/json.ts";
import { type Entry, headOf, linesOf } from "../../entry.ts";
import { HEAD_BYTES, type ImportContext, type ImportEvent, type Importer } from "../../importer.ts";
import { csvRows } from "../csv-rows.ts";
import { decodeHead, textOf } from "../decode.ts";
import { csvRowsIn, estimate, matchesIn } from "../estimates.ts";
import { isObject, present } from "../json-fields.ts";
import { jsonItems } from "../json-items.ts";
import { htmlText } from "../mail/html-text.ts";
import { digestOf, replayedRun } from "../replay.ts";
import { savedPagesDeclaration } from "./declaration.ts";
import { type SavedPage, type SavedPagesService, serviceOf } from "./services.ts";

type FoundPage = { page: SavedPage; offset: number } | { problem: string; offset: number };

export const savedPagesImporter: Importer = {
  name: "saved-pages",
  title: "Saved pages (Pocket, Raindrop, Instapaper, Pinboard, Omnivore, Delicious)",
  from: [
    "Pocket: the CSV or HTML file from getpocket.com/export",
    "Raindrop: Settings → Backups → CSV",
    "Instapaper: Settings → Download .CSV file",
    "Pinboard: Settings → Backup → JSON",
    "Omnivore, Delicious, Readability: the JSON of their exports",
  ],
  recognise({ path, head }) {
    const service = /\.(?:csv|json|html?)$/i.test(path) ? serviceOf(decodeHead(head)) : undefined;
    return service && { score: 93, reason: `pages saved in ${service.name}`, group: service.name };
  },
  async plan({ entries }) {
    const service = await serviceIn(entries[0]!);
    const name = service?.name ?? "Saved pages";
    return {
      account: { key: name.toLowerCase(), name },
      declaration: savedPagesDeclaration,
      streams: [{ stream: "pages", ...(await estimate(entries, pagesAbout)) }],
    };
  },
  async *run(input, context) {
    // Two exports can contain the same page. The newest copy is kept, whichever file comes first.
    const best = new Map<string, string>();
    for (const entry of input.entries) {
      try {
        for await (const found of pagesIn(entry)) {
          if ("problem" in found) continue;
          const identity = identityOf(found.page);
          if (rankOf(found.page) > (best.get(identity) ?? "")) best.set(identity, rankOf(found.page));
        }
      } catch {
        // The run reports what is wrong with the file.
      }
    }
    yield* replayedRun(input, context, (entry) => eventsOf(entry, best, context));
  },
};

const serviceIn = async (entry: Entry): Promise<SavedPagesService | undefined> =>
  serviceOf(decodeHead(await headOf(entry, HEAD_BYTES)));

function pagesAbout(text: string): number {
  const { format, one = /"url"\s*:/g } = serviceOf(text) ?? {};
  if (format === "csv") return csvRowsIn(text);
  return matchesIn(text, format === "html" ? /<a\s[^>]*href=/gi : one);
}

const identityOf = ({ id, url = "" }: SavedPage): string => (id === undefined ? `url ${digestOf(url)}` : `id ${id}`);
const rankOf = (page: SavedPage): string =>
  `${page.saved_at ?? ""} ${page.is_read ?? ""} ${digestOf(JSON.stringify(page))}`;

async function* eventsOf(
  entry: Entry,
  best: ReadonlyMap<string, string>,
  { makeId }: ImportContext,
): AsyncGenerator<ImportEvent> {
  for await (const found of pagesIn(entry)) {
    const { offset } = found;
    if ("problem" in found) {
      yield { kind: "error", entry, offset, message: found.problem };
      continue;
    }
    const { page } = found;
    const identity = identityOf(page);
    if (best.get(identity) !== rankOf(page)) {
      yield { kind: "skip", entry, offset, reason: "a newer copy of this page is imported" };
      continue;
    }
    const id = page.id ?? makeId(identity);
    yield { kind: "record", stream: "pages", key: id, data: dataOf(id, page), entry, offset };
  }
}

async function* pagesIn(entry: Entry): AsyncGenerator<FoundPage> {
  const service = await serviceIn(entry);
  if (service === undefined) throw new Error("it is not a known list of saved pages");
  const items = { csv: rowsIn, html: linksIn, json: membersIn }[service.format](entry, service);
  for await (const item of items) {
    const { offset } = item;
    if ("problem" in item) yield item;
    else {
      const page = service.read(item.value);
      yield page.url === undefined ? { problem: "a page without an address", offset } : { page, offset };
    }
  }
}

type RawItem = { value: JsonObject; offset: number } | { problem: string; offset: number };

async function* rowsIn(entry: Entry): AsyncGenerator<RawItem> {
  let header: string[] | undefined;
  for await (const row of csvRows(() => textOf(entry), ",")) {
    if ("problem" in row) yield { problem: row.problem, offset: row.line };
    else if (header === undefined) header = row.cells.map((cell) => cell.replace(/^\ufeff/, "").trim());
    else {
      const { cells } = row;
      yield { value: Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])), offset: row.line };
    }
  }
}

async function* membersIn(entry: Entry, { member }: SavedPagesService): AsyncGenerator<RawItem> {
  const depth = member === undefined ? 1 : 2;
  for await (const item of jsonItems(
    entry,
    (path) => path.length === depth && (member === undefined || path[0] === member),
  )) {
    const { offset } = item;
    if ("problem" in item) yield { problem: item.problem, offset };
    else if (isObject(item.value)) yield { value: item.value, offset };
    else yield { problem: "it is not an object", offset };
  }
}

const LINK = /<a\s([^<>]{1,20000})>([^<]{0,5000})<\/a>/gi;

/** Pocket's HTML: one link per line, under the headings Unread and Read Archive. */
async function* linksIn(entry: Entry): AsyncGenerator<RawItem> {
  let status = "unread";
  for await (const { bytes, offset } of linesOf(entry)) {
    const line = bytes.toString("utf8");
    if (/<h1>/i.test(line)) status = /archive/i.test(line) ? "archive" : "unread";
    for (const [, attributes, title] of line.matchAll(LINK)) {
      const attribute = (name: string): string =>
        htmlText(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes!)?.[1] ?? "").trim();
      const [url, time_added, tags] = [attribute("href"), attribute("time_added"), attribute("tags")];
      yield { value: { url, title: htmlText(title!).trim(), time_added, tags, status }, offset };
    }
  }
}

const TEXT_MAX = 200_000;
const cut = (text: string | undefined): string | undefined => text?.slice(0, TEXT_MAX).toWellFormed();

function dataOf(id: string, { tags = [], ...page }: SavedPage): JsonObject {
  return present({
    id,
    url: cut(page.url),
    host: URL.parse(page.url!)?.host || undefined,
    title: cut(page.title),
    note: cut(page.note),
    excerpt: cut(page.excerpt),
    folder: cut(page.folder),
    tags: tags.length === 0 ? undefined : tags.map((tag) => tag.toWellFormed()),
    saved_at: page.saved_at,
    is_read: page.is_read || undefined,
    is_favorite: page.is_favorite || undefined,
  });
}
