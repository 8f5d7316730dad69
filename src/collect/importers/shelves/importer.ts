// Books and films: tables from Goodreads, StoryGraph, LibraryThing, Open Library, Calibre, Openreads and Letterboxd.
import type { JsonObject } from "../../../contract/json.ts";
import { type Entry, headOf } from "../../entry.ts";
import { HEAD_BYTES, type ImportContext, type ImportEvent, type Importer } from "../../importer.ts";
import { nameOf } from "../attached-file.ts";
import { csvRows } from "../csv-rows.ts";
import { decodeHead, textOf } from "../decode.ts";
import { csvRowsIn, estimate } from "../estimates.ts";
import { ordinals } from "../ordinals.ts";
import { replayedRun } from "../replay.ts";
import { shelvesDeclaration } from "./declaration.ts";

type Service = "Goodreads" | "StoryGraph" | "Letterboxd" | "LibraryThing" | "Open Library" | "Calibre" | "Openreads";

const TEXT_MAX = 200_000;
export const shelvesImporter: Importer = {
  name: "shelves",
  title: "Books and films (Goodreads, StoryGraph, LibraryThing, Open Library, Calibre, Letterboxd)",
  from: [
    "Goodreads: My Books → Import and export",
    "StoryGraph: Manage account → Export",
    "LibraryThing: More → Import/export → tab-delimited text",
    "Open Library: Settings → Export your reading log",
    "Calibre: Convert books → Create a catalogue → CSV; Openreads: Settings → Backup → CSV",
    "Letterboxd: Settings → Data → Export",
  ],
  recognise({ path, head }) {
    const service = /\.[ct]sv$/i.test(path) ? serviceOf(head) : undefined;
    return service && { score: 90, reason: `${service} export`, group: service };
  },
  async plan({ entries }) {
    const service = serviceOf(await headOf(entries[0]!, HEAD_BYTES)) ?? "Goodreads";
    const stream = service === "Letterboxd" ? "films" : "books";
    return {
      account: { key: service.toLowerCase(), name: service },
      declaration: shelvesDeclaration,
      streams: [{ stream, ...(await estimate(entries, csvRowsIn)) }],
    };
  },
  run: (input, context) => replayedRun(input, context, (entry) => itemsOf(entry, context)),
};

function serviceOf(head: Uint8Array): Service | undefined {
  const [header = ""] = decodeHead(head)
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/, 1);
  if (/^"?Book Id"?,"?Title"?,"?Author"?,/.test(header)) return "Goodreads";
  if (/^"?Title"?,"?Authors"?,"?Contributors"?,"?ISBN\/UID"?,/.test(header)) return "StoryGraph";
  if (/^Book Id\tTitle\t.*\bPrimary Author\b/.test(header)) return "LibraryThing";
  if (/^"?Work Id"?,"?Edition Id"?,/.test(header)) return "Open Library";
  if (/^"?authors"?,"?author_sort"?,/.test(header)) return "Calibre";
  if (/^"?title"?,"?subtitle"?,"?author"?,/.test(header)) return "Openreads";
  return /(?:^|,)"?Letterboxd URI"?(?:,|$)/.test(header) ? "Letterboxd" : undefined;
}

async function* itemsOf(entry: Entry, context: ImportContext): AsyncGenerator<ImportEvent> {
  let headings: string[] | undefined;
  const ordinal = ordinals();
  for await (const row of csvRows(() => textOf(entry), /\.tsv$/i.test(entry.path) ? "\t" : ",")) {
    if ("problem" in row) {
      yield { kind: "error", entry, offset: row.line, message: row.problem };
      continue;
    }
    if (headings === undefined) {
      headings = row.cells.map((cell) => cell.replace(/^\ufeff/, "").trim());
      continue;
    }
    const left = new Map(
      headings.map((heading, index) => [heading, cleaned(row.cells[index] ?? "")] as const).filter(([, cell]) => cell),
    );
    const take = (heading: string): string => {
      const cell = left.get(heading) ?? "";
      left.delete(heading);
      return cell;
    };
    const isFilm = headings.includes("Letterboxd URI");
    const first = (...names: string[]): string => take(names.find((name) => left.has(name)) ?? "");
    const { identity, ...data } = isFilm ? filmOf(take, nameOf(entry.path)) : bookOf(first);
    if (data.title === "") {
      yield { kind: "error", entry, offset: row.line, message: "it has no title" };
      continue;
    }
    const key = "own" in identity ? identity.own : context.makeId(`${identity.made}.${ordinal(identity.made)}`);
    const other_columns = [...left].map(([heading, value]) => ({ heading: heading.toWellFormed(), value }));
    const whole = present({ id: key, ...data, ...(other_columns.length === 0 ? {} : { other_columns }) });
    yield { kind: "record", stream: isFilm ? "films" : "books", key, data: whole, entry, offset: row.line };
  }
}

/** Spreadsheets write ="0451524934" to keep a number as text. */
const cleaned = (cell: string): string =>
  cell
    .trim()
    .replace(/^="(.*)"$/s, "$1")
    .slice(0, TEXT_MAX)
    .toWellFormed();

type CellOf = (heading: string) => string;
type Identity = { own: string } | { made: string };
type Item = Record<string, JsonObject[string] | undefined> & { identity: Identity };

/** `first` returns the first of these columns that is not empty. */
function bookOf(first: (...names: string[]) => string): Item {
  const number = first("Book Id", "uuid");
  // Open Library identifies works only by their numbers.
  const title = first("Title", "title", "Work Id");
  const author = first("Author", "Authors", "Primary Author", "authors", "author");
  const isbn = first("ISBN13", "ISBN/UID", "isbn", "ISBN").replace(/^\[(.*)\]$/, "$1");
  return {
    identity: number !== "" ? { own: number } : { made: `${isbn} ${title} ${author}`.slice(0, 1000) },
    title,
    author,
    isbn,
    shelf: first("Exclusive Shelf", "Read Status", "Bookshelf", "Collections", "status"),
    rating: ratingOf(first("My Rating", "Star Rating", "Rating", "rating")),
    read_on: dayOf(first("Date Read", "Last Date Read")),
    added_on: dayOf(first("Date Added", "Entry Date", "timestamp", "date_added")),
    review: first("My Review", "Review", "my_review"),
    tags: listOf(first("Bookshelves", "Tags", "tags")),
  };
}

function filmOf(take: CellOf, file: string): Item {
  const [url, title, year] = [take("Letterboxd URI"), take("Name"), Number(take("Year"))];
  const list = file.replace(/\.csv$/i, "").toWellFormed();
  const day = take("Watched Date");
  const watched_on = dayOf(day) ?? dayOf(take("Date"));
  return {
    identity: { made: `${list} ${url || `${title} ${year}`} ${watched_on ?? ""}`.slice(0, 1000) },
    title,
    year: Number.isInteger(year) && year > 1800 && year < 3000 ? year : undefined,
    list,
    watched_on,
    rating: ratingOf(take("Rating")),
    url,
    is_rewatch: /^yes$/i.test(take("Rewatch")) || undefined,
    tags: listOf(take("Tags")),
  };
}

/** 4.5 or ★★★★½. 0 means not rated. */
function ratingOf(text: string): number | undefined {
  const stars = /^★*½?$/.test(text) ? text.split("★").length - 1 + (text.endsWith("½") ? 0.5 : 0) : Number(text);
  return stars > 0 && stars <= 5 ? stars : undefined;
}

function dayOf(text: string): string | undefined {
  const day = /^\[?(\d{4})[-/](\d{2})[-/](\d{2})/.exec(text)?.slice(1).join("-");
  return day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ? day : undefined;
}

const listOf = (text: string): string[] | undefined => {
  const all = text
    // Openreads separates the items with bars.
    .split(/,|\|{3,}/)
    .map((one) => one.trim())
    .filter((one) => one !== "");
  return all.length === 0 ? undefined : all;
};

const present = (fields: Record<string, JsonObject[string] | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter((one): one is [string, JsonObject[string]] => one[1] !== undefined && one[1] !== ""),
  );
