// How each service exports saved pages: its files, and the meaning of its fields.
import type { JsonObject } from "../../../contract/json.ts";
import { isoInstant } from "../iso-instant.ts";
import { flagIn, idIn, instantOf, textIn, textsIn } from "../json-fields.ts";

export interface SavedPage {
  /** The service's own id. */
  id?: string;
  url?: string;
  title?: string;
  /** The owner's own words about the page. */
  note?: string;
  excerpt?: string;
  folder?: string;
  tags?: readonly string[];
  saved_at?: string;
  is_read?: boolean;
  is_favorite?: boolean;
}

export interface SavedPagesService {
  name: string;
  /** Recognises the service by the start of the file. */
  recognises: (start: string) => boolean;
  format: "csv" | "json" | "html";
  /** For JSON, the key of the page list. If absent, the list is the root. */
  member?: string;
  read: (item: JsonObject) => SavedPage;
  /** For JSON, matches once per page. If absent, `url` is counted. */
  one?: RegExp;
}

const list = (text: string | undefined, separator: RegExp): string[] =>
  (text ?? "")
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== "");
const time = (text: string | undefined): string | undefined =>
  isoInstant(text?.replace(/^(\d{4}-\d\d-\d\d) /, "$1T").replace(/([+-]\d\d)(\d\d)$/, "$1:$2")) ??
  // A time without a zone is read as UTC.
  isoInstant(text === undefined ? undefined : `${text}Z`);
const columns = (start: string, ...names: string[]): boolean => {
  const header = start
    .split(/\r?\n/, 1)[0]!
    .replaceAll('"', "")
    .split(",")
    .map((name) => name.trim());
  return names.every((name) => header.includes(name));
};

const SERVICES: readonly SavedPagesService[] = [
  {
    name: "Pocket",
    recognises: (start) => columns(start, "url", "title", "time_added"),
    format: "csv",
    read: pocketPage,
  },
  {
    name: "Pocket",
    recognises: (start) => /<title>Pocket Export<\/title>/i.test(start),
    format: "html",
    read: pocketPage,
  },
  {
    name: "Raindrop",
    recognises: (start) => columns(start, "url", "title", "excerpt", "folder", "created"),
    format: "csv",
    read: (item) => ({
      id: idIn(item, "id"),
      url: textIn(item, "url"),
      title: textIn(item, "title"),
      note: textIn(item, "note"),
      excerpt: textIn(item, "excerpt"),
      folder: textIn(item, "folder"),
      tags: list(textIn(item, "tags"), /,/),
      saved_at: time(textIn(item, "created")),
      is_favorite: textIn(item, "favorite") === "true",
    }),
  },
  {
    name: "Instapaper",
    recognises: (start) => columns(start, "URL", "Title", "Selection", "Folder"),
    format: "csv",
    read: (item) => ({
      url: textIn(item, "URL"),
      title: textIn(item, "Title"),
      excerpt: textIn(item, "Selection"),
      folder: textIn(item, "Folder"),
      tags: list(textIn(item, "Tags")?.replace(/[[\]"]/g, ""), /,/),
      saved_at: instantOf(textIn(item, "Timestamp")),
      is_read: textIn(item, "Folder") === "Archive",
      is_favorite: textIn(item, "Folder") === "Starred",
    }),
  },
  {
    name: "Pinboard",
    recognises: (start) => /^\s*\[\s*\{/.test(start) && /"href"\s*:/.test(start) && /"extended"\s*:/.test(start),
    format: "json",
    one: /"href"\s*:/g,
    read: (item) => ({
      url: textIn(item, "href"),
      // Pinboard calls the title a description.
      title: textIn(item, "description"),
      note: textIn(item, "extended"),
      tags: list(textIn(item, "tags"), /\s+/),
      saved_at: time(textIn(item, "time")),
      is_read: textIn(item, "toread") === "no" ? true : undefined,
    }),
  },
  {
    name: "Omnivore",
    recognises: (start) => /^\s*\[\s*\{/.test(start) && /"savedAt"\s*:/.test(start) && /"slug"\s*:/.test(start),
    format: "json",
    read: (item) => ({
      id: textIn(item, "id"),
      url: textIn(item, "url"),
      title: textIn(item, "title"),
      excerpt: textIn(item, "description"),
      tags: textsIn(item, "labels"),
      saved_at: time(textIn(item, "savedAt")),
      is_read: textIn(item, "state") === "Archived",
    }),
  },
  {
    name: "Delicious",
    recognises: (start) => /^\s*\[\s*\{/.test(start) && /"others"\s*:/.test(start) && /"owner"\s*:/.test(start),
    format: "json",
    read: (item) => ({
      url: textIn(item, "url"),
      title: textIn(item, "title"),
      note: textIn(item, "description"),
      tags: textsIn(item, "tags").filter((tag) => tag !== ""),
      saved_at: instantOf(textIn(item, "created")),
    }),
  },
  {
    name: "Readability",
    recognises: (start) => /^\s*\{\s*"bookmarks"\s*:\s*\[/.test(start) && /"article__(?:url|title)"\s*:/.test(start),
    format: "json",
    member: "bookmarks",
    one: /"article__url"\s*:/g,
    read: (item) => ({
      url: textIn(item, "article__url"),
      title: textIn(item, "article__title"),
      excerpt: textIn(item, "article__excerpt"),
      saved_at: time(textIn(item, "date_added")),
      is_read: flagIn(item, "archive"),
      is_favorite: flagIn(item, "favorite"),
    }),
  },
];

function pocketPage(item: JsonObject): SavedPage {
  return {
    url: textIn(item, "url"),
    title: textIn(item, "title"),
    tags: list(textIn(item, "tags"), /[,|]/),
    saved_at: instantOf(textIn(item, "time_added")),
    is_read: textIn(item, "status") === "archive" || textIn(item, "status") === "read",
  };
}

export const serviceOf = (start: string): SavedPagesService | undefined =>
  SERVICES.find(({ recognises }) => recognises(start.replace(/^\ufeff/, "")));
