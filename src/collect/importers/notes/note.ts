// Converts one note to a record: text, properties, and links. Notion writes properties as lines below the title.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import { folderOf, nameOf } from "../attached-file.ts";
import { present } from "../json-fields.ts";
import { CREATED, instantIn, namesIn, property, splitFrontMatter, UPDATED } from "./front-matter.ts";
import { pointersIn } from "./links.ts";
import { notionId, type Shelf, withoutExtension } from "./note-paths.ts";

export type NoteOrigin = "markdown" | "obsidian" | "notion";

export interface Note {
  data: JsonObject;
  /** Files that the note links to. `entry` is absent if only the name is known. */
  files: { name: string; entry?: Entry }[];
  /** The number of front-matter lines that could not be parsed. */
  unread: number;
}

export function readNote(text: string, place: string, origin: NoteOrigin, shelf: Shelf): Note {
  const plain = text
    .replace(/^\ufeff/, "")
    .toWellFormed()
    .replaceAll("\r\n", "\n");
  const isRow = shelf.isDatabase(folderOf(place));
  const { properties, body, unread, title } = origin === "notion" ? notionPage(plain, isRow) : markdownNote(plain);
  const fileName = notionId(nameOf(place))?.name ?? withoutExtension(nameOf(place));
  return { ...noteRecord({ place, title: title || fileName, body, properties, origin, shelf }), unread };
}

interface NotePage {
  properties: JsonObject;
  body: string;
  unread: number;
  title?: string;
}

function markdownNote(text: string): NotePage {
  const page = splitFrontMatter(text);
  const named = property(page.properties, ["title"]);
  const heading = /^# +(.+)$/.exec(page.body.trimStart().split("\n", 1)[0]!)?.[1]?.trim();
  const title = typeof named === "string" ? named : heading;
  return { ...page, ...(title === undefined ? {} : { title }) };
}

interface Parts {
  place: string;
  title: string;
  body: string;
  properties: JsonObject;
  origin: NoteOrigin;
  shelf: Shelf;
  /** Set for a database row, which has no page of its own. */
  id?: string;
}

export function noteRecord({ place, title, body, properties, origin, shelf, id }: Parts): Pick<Note, "data" | "files"> {
  const pointers = pointersIn(body, properties);
  const links: JsonObject[] = [];
  const files: Note["files"] = [];
  for (const link of pointers.targets) {
    const found = shelf.resolve(place, link);
    if (found !== undefined && "file" in found) files.push({ name: nameOf(found.file.path), entry: found.file });
    else if (found === undefined && ATTACHMENT.test(link.target)) files.push({ name: nameOf(link.target) });
    else links.push(present({ target: link.target, note_id: found?.note }));
  }
  const tags = [
    ...namesIn(property(properties, ["tags", "tag"])).map((tag) => tag.replace(/^#/, "")),
    ...pointers.tags,
  ];
  const aliases = namesIn(property(properties, ["aliases", "alias"]));
  const dated = /^\d{4}-\d\d-\d\d(?!\d)/.exec(nameOf(place))?.[0];
  const created = instantIn(property(properties, CREATED)) ?? instantIn(dated);
  const filled = <Value>(items: Value[]): Value[] | undefined => (items.length === 0 ? undefined : items);
  const data = present({
    id: id ?? shelf.idOf(place),
    title,
    path: place,
    notebook_id: shelf.notebookOf(place),
    origin,
    body,
    tags: filled([...new Set(tags)].filter((tag) => tag !== "")),
    aliases: filled(aliases),
    links: filled(links),
    urls: filled(pointers.urls),
    properties: Object.keys(properties).length === 0 ? undefined : properties,
    created_at: created,
    updated_at: instantIn(property(properties, UPDATED)) ?? created,
  });
  return { data, files };
}

/** File names that are not notes, even if the file is missing. */
const ATTACHMENT =
  /\.(?:png|jpe?g|gif|webp|svg|avif|heic|bmp|pdf|mp3|m4a|wav|ogg|opus|flac|mp4|mov|webm|mkv|docx?|xlsx?|pptx?|csv|zip|txt|json|html?|canvas|base|excalidraw)$/i;

/** The page begins with `# Title`, a blank line and, in a database, one line per column. */
function notionPage(text: string, isRow: boolean): NotePage {
  const lines = text.split("\n");
  const title = /^# +(.*)$/.exec(lines[0] ?? "")?.[1]?.trim();
  if (title === undefined) return { properties: {}, body: text, unread: 0 };
  const fields: [string, string][] = [];
  let at = 1;
  while (lines[at] === "") at++;
  if (isRow) {
    for (; at < lines.length && lines[at] !== ""; at++) {
      const colon = lines[at]!.indexOf(": ");
      if (colon <= 0 || colon > 100) break;
      fields.push([lines[at]!.slice(0, colon), lines[at]!.slice(colon + 2)]);
    }
    while (lines[at] === "") at++;
  }
  return { properties: Object.fromEntries(fields), body: lines.slice(at).join("\n"), unread: 0, title };
}
