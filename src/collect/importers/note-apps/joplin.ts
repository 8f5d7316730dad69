// Joplin JEX archives and raw folders: each note, notebook, tag and file is a Markdown file with its metadata at the
// end.
import { type Entry, wholeEntry } from "../../entry.ts";
import { folderOf, joinPath } from "../attached-file.ts";
import { isoInstant } from "../iso-instant.ts";
import { type AppFile, type FoundNote, NOTE_BYTES_MAX } from "./app-note.ts";

export const JOPLIN_ITEM = /(?:^|\/)[0-9a-f]{32}\.md$/;
export const JOPLIN_FILE = /(?:^|\/)resources\/[0-9a-f]{32}(?:\.[^/.]{1,20})?$/;
const TYPES = { note: "1", notebook: "2", file: "4", tag: "5", tagging: "6" };

interface JoplinItem {
  title: string;
  body: string;
  facts: ReadonlyMap<string, string>;
}

/** Notebooks, tags and files by id, for the notes that refer to them. */
export interface JoplinItems {
  titles: Map<string, string>;
  tagsOf: Map<string, string[]>;
  files: Map<string, AppFile>;
}

/** The metadata follows the last empty line. */
function itemOf(text: string): JoplinItem {
  const plain = text.replace(/\r\n/g, "\n").toWellFormed();
  const split = plain.trimEnd().lastIndexOf("\n\n");
  const lines = plain.slice(split === -1 ? 0 : split + 2).split("\n");
  const facts = new Map(
    lines.flatMap((line) => {
      const colon = line.indexOf(":");
      return colon === -1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
    }),
  );
  const [title = "", ...body] = split === -1 ? [] : plain.slice(0, split).split("\n");
  return { title: title.trim(), body: body.join("\n").trim(), facts };
}

const readItem = async (entry: Entry): Promise<JoplinItem> =>
  itemOf((await wholeEntry(entry, NOTE_BYTES_MAX)).toString("utf8"));

/** Reads the items that notes refer to, all of which are small. */
export async function joplinItems(entries: readonly Entry[]): Promise<JoplinItems> {
  const byPath = new Map(entries.map((entry) => [entry.path.replace(/\.[^/.]*$/, ""), entry]));
  const shelf: JoplinItems = { titles: new Map(), tagsOf: new Map(), files: new Map() };
  for (const entry of entries) {
    if (!JOPLIN_ITEM.test(entry.path)) continue;
    const { title, facts } = await readItem(entry).catch(() => itemOf(""));
    const [id, type] = [facts.get("id"), facts.get("type_")];
    if (id === undefined) continue;
    if (type === TYPES.notebook || type === TYPES.tag) shelf.titles.set(id, title);
    const note = facts.get("note_id");
    if (type === TYPES.tagging && note !== undefined)
      shelf.tagsOf.set(note, [...(shelf.tagsOf.get(note) ?? []), facts.get("tag_id") ?? ""].slice(0, 1000));
    if (type === TYPES.file) {
      const found = byPath.get(joinPath(folderOf(entry.path), "resources", id));
      shelf.files.set(id, { name: title || id, entry: found });
    }
  }
  return shelf;
}

/** Returns undefined for an item that is not a note but that notes refer to. */
export async function joplinNote(entry: Entry, shelf: JoplinItems): Promise<FoundNote | undefined> {
  const { title, body, facts } = await readItem(entry);
  const [id, type] = [facts.get("id"), facts.get("type_")];
  if (id === undefined || type === undefined)
    return { problem: "it does not end with the metadata that Joplin writes" };
  if (type !== TYPES.note) return undefined;
  if (facts.get("encryption_applied") === "1")
    return { skip: "the note is encrypted: turn encryption off in Joplin and export again" };
  const isTask = facts.get("is_todo") === "1";
  const box = Number(facts.get("todo_completed") ?? 0) > 0 ? "[x]" : "[ ]";
  const [latitude, longitude] = [Number(facts.get("latitude")), Number(facts.get("longitude"))];
  const hasPlace = (latitude !== 0 || longitude !== 0) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  const tags = (shelf.tagsOf.get(id) ?? []).flatMap((tag) => shelf.titles.get(tag) ?? []);
  return {
    app: "joplin",
    id,
    title: title || undefined,
    body: isTask ? `- ${box} ${title}\n\n${body}`.trim() : body,
    format: "markdown",
    created_at: isoInstant(facts.get("user_created_time") || facts.get("created_time")),
    updated_at: isoInstant(facts.get("user_updated_time") || facts.get("updated_time")),
    tags: tags.sort(),
    notebook: shelf.titles.get(facts.get("parent_id") ?? ""),
    url: facts.get("source_url") || undefined,
    ...(hasPlace ? { place: { latitude, longitude } } : {}),
    is_trashed: Number(facts.get("deleted_time") ?? 0) > 0,
    files: [...new Set([...body.matchAll(/:\/([0-9a-f]{32})/g)].map(([, file]) => file!))].flatMap(
      (file) => shelf.files.get(file) ?? [],
    ),
  };
}
