// Notes: folders of Markdown, Obsidian vaults, and Notion exports as Markdown & CSV.
import { parse } from "csv-parse/sync";
import { type Entry, wholeEntry } from "../../entry.ts";
import {
  type EntryPreview,
  entriesFrom,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type ImportInput,
  type Recognition,
} from "../../importer.ts";
import { attachedFile, folderOf, joinPath, nameOf } from "../attached-file.ts";
import { present } from "../json-fields.ts";
import { ordinals } from "../ordinals.ts";
import { digestOf, replayed } from "../replay.ts";
import { notesDeclaration } from "./declaration.ts";
import { type Note, type NoteOrigin, noteRecord, readNote } from "./note.ts";
import {
  isHidden,
  isNote,
  isNotion,
  notePathsOf,
  notionExport,
  notionId,
  type Shelf,
  withoutExtension,
} from "./note-paths.ts";

/** A record is limited to four megabytes, and its text is stored as JSON. */
const NOTE_BYTES_MAX = 3 * 1024 * 1024;
const DATABASE_BYTES_MAX = 32 * 1024 * 1024;
/**
 * Higher than the score for a picture. Only pictures are claimed from other importers, so a table that a note links to
 * stays a table.
 */
const CLAIM = 66;
const PICTURE = /\.(?:avif|heic|jpe?g|png|tiff?|webp)$/i;
/** The position after all entries. */
const END = "end";
const VAULT_MARKS = ["app.json", "appearance.json", "core-plugins.json", "workspace.json", "workspace-mobile.json"];

export const notesImporter: Importer = {
  name: "notes",
  title: "Notes (Markdown folders, Obsidian, Notion)",
  from: [
    "Obsidian: the folder of the vault",
    "Notion: Settings → General → Export all workspace content, as Markdown & CSV",
    "Any folder of Markdown files",
  ],
  snapshotOf: ["notes", "notebooks"],
  recognise,
  /**
   * Claims pictures, and files that no importer recognised, if notes link to them. A vault or a Notion export already
   * contains all its files.
   */
  async claims(input, others) {
    if (input.entries.some(({ path }) => isNotion(path) || isHidden(path))) return [];
    const open = others.filter(({ entry: { path }, score }) =>
      score === 0 ? !isHidden(path) : score < CLAIM && PICTURE.test(path) && !isHidden(path),
    );
    if (open.length === 0) return [];
    const entries = [...input.entries, ...open.map(({ entry }) => entry)];
    const shelf = notePathsOf({ ...input, entries }, (path) => path);
    const own = new Set(input.entries.map(({ path }) => path));
    const used = await filesOf(input.entries, shelf, originsOf(input));
    return [...used].filter((path) => !own.has(path));
  },
  async plan(input) {
    const notes = input.entries.filter(({ path }) => isNote(path) && !isHidden(path)).length;
    const name = nameOf(input.name).replace(/\.(?:md|markdown)$/i, "");
    const isSingle = input.entries.length === 1 && input.entries[0]!.path === input.name;
    const account = input.entries.every(({ path }) => isNotion(path))
      ? { key: "notion", name: "Notion" }
      : isSingle
        ? { key: "notes", name: "Notes" }
        : { key: `folder:${name}`, name };
    return {
      account,
      declaration: notesDeclaration,
      streams: [
        { stream: "notes", count: notes },
        { stream: "notebooks", count: notePathsOf(input, (path) => path).notebooks.length },
      ],
    };
  },
  async *run(input, context) {
    const { resume } = context;
    if (resume?.position === END) return;
    const shelf = notePathsOf(input, context.makeId);
    const originOf = originsOf(input);
    const goesOn = resume !== undefined && input.entries.some(({ path }) => path === resume.entry);
    // A resumed run has to find out which files the earlier notes used.
    const before = goesOn ? input.entries.findIndex(({ path }) => path === resume.entry) : 0;
    const used = await filesOf(input.entries.slice(0, before), shelf, originOf);
    if (!goesOn) yield* notebookEvents(input, shelf);
    for (const { entry, position } of entriesFrom(input, context)) {
      if (isOwn(entry.path))
        yield* replayed(entry, position, eventsOf(entry, { input, shelf, originOf, context, used }));
    }
    // A file can be reported as unused only after all notes have been read.
    for (const entry of input.entries) {
      const reason = leftOut(entry, used);
      if (reason !== undefined) yield { kind: "skip", entry, reason };
    }
    const last = input.entries.findLast(({ path }) => isOwn(path));
    if (last !== undefined) yield { kind: "checkpoint", entry: last, position: END };
  },
};

/** Returns true for the files that records are made from: notes and databases. */
const isOwn = (path: string): boolean => (isNote(path) && !isHidden(path)) || isDatabase(path);
const isDatabase = (path: string): boolean => /\.csv$/i.test(path) && notionId(nameOf(path)) !== undefined;

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  const name = nameOf(path);
  if (isNotion(path)) return notionRecognition(path, head);
  const vault = vaultOf(path, has);
  if (vault !== undefined) {
    const reason = isNote(path) ? "note in an Obsidian vault" : "file in an Obsidian vault";
    return { score: 93, reason, ...(vault === "" ? {} : { group: vault }) };
  }
  // Only Obsidian writes these files, so they are recognised even if Obsidian's settings are missing.
  if (/\.(?:base|canvas)$/i.test(name)) return { score: 60, reason: "file in an Obsidian vault" };
  if (!isNote(name)) return undefined;
  const hasFrontMatter = Buffer.from(head.subarray(0, 4)).toString().startsWith("---");
  return { score: hasFrontMatter ? 70 : 50, reason: "note in Markdown" };
}

function notionRecognition(path: string, head: Uint8Array): Recognition {
  const root = notionExport(path);
  const group = root === "" ? {} : { group: root };
  const isPage = /\.html$/i.test(path) && notionId(nameOf(path).replace(/\.html$/i, "")) !== undefined;
  if (isPage && /^\s*<(?:!doctype )?html/i.test(Buffer.from(head).toString())) {
    return {
      score: 95,
      reason: "Notion export as HTML",
      advice: "Export again in Notion and choose “Markdown & CSV” as the format.",
    };
  }
  return { score: 93, reason: isNote(path) ? "page in a Notion export" : "file in a Notion export", ...group };
}

/** Returns the nearest folder that contains Obsidian's settings. "" is the root. */
function vaultOf(path: string, has: (path: string) => boolean): string | undefined {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const isVault = VAULT_MARKS.some((mark) => has(joinPath(folder, ".obsidian", mark)));
    if (isVault && !/(?:^|\/)\.obsidian$/.test(folder)) return folder;
    if (folder === "") return undefined;
  }
}

/** Determined per note, because a Notion export can be among other notes. */
function originsOf({ entries }: ImportInput): (entry: Entry) => NoteOrigin {
  const others = entries.some(({ path }) => /(?:^|\/)\.obsidian\//.test(path)) ? "obsidian" : "markdown";
  return ({ path }) => (isNotion(path) ? "notion" : others);
}

function* notebookEvents({ entries }: ImportInput, { notebooks }: Shelf): Generator<ImportEvent> {
  const entry = entries.find(({ path }) => isOwn(path));
  if (entry === undefined) return;
  for (const { id, name, path, parent } of notebooks) {
    const data = present({ id, name, path, parent_id: parent });
    yield { kind: "record", stream: "notebooks", key: id, data, entry };
  }
}

/** Returns the paths of the files that these notes link to. */
async function filesOf(
  entries: readonly Entry[],
  shelf: Shelf,
  originOf: (entry: Entry) => NoteOrigin,
): Promise<Set<string>> {
  const used = new Set<string>();
  for (const entry of entries) {
    if (!isNote(entry.path) || isHidden(entry.path)) continue;
    try {
      for (const { entry: file } of (await noteIn(entry, shelf, originOf(entry))).files)
        if (file !== undefined) used.add(file.path);
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return used;
}

const noteIn = async (entry: Entry, shelf: Shelf, origin: NoteOrigin): Promise<Note> =>
  readNote((await wholeEntry(entry, NOTE_BYTES_MAX)).toString(), shelf.placeOf(entry), origin, shelf);

interface NotesReading {
  input: ImportInput;
  shelf: Shelf;
  originOf: (entry: Entry) => NoteOrigin;
  context: ImportContext;
  used: Set<string>;
}

async function* eventsOf(entry: Entry, reading: NotesReading): AsyncGenerator<ImportEvent> {
  if (isDatabase(entry.path)) {
    yield* rowsOf(entry, reading);
    return;
  }
  const { shelf, originOf, context, used } = reading;
  const { data, files, unread } = await noteIn(entry, shelf, originOf(entry));
  const attachments = [];
  for (const { name, entry: file } of files) {
    if (file !== undefined) used.add(file.path);
    const attached = file === undefined ? undefined : await attachedFile(file, context);
    if (attached !== undefined && "left" in attached) yield attached.left;
    attachments.push(present({ name, blob: attached !== undefined && "blob" in attached ? attached.blob : undefined }));
  }
  if (attachments.length > 0) data.attachments = attachments;
  yield recordOf(entry, data);
  if (unread > 0) yield { kind: "skip", entry, reason: "lines of front matter that are not properties", count: unread };
}

const recordOf = (entry: Entry, data: Note["data"], offset?: number): ImportEvent => ({
  kind: "record",
  stream: "notes",
  key: data.id as string,
  data,
  entry,
  ...(offset === undefined ? {} : { offset }),
});

/** The rows of a database are usually pages of the export. If they are not, each row becomes a note. */
async function* rowsOf(entry: Entry, { input, shelf, context }: NotesReading): AsyncGenerator<ImportEvent> {
  const place = shelf.placeOf(entry);
  const base = withoutExtension(place).replace(/_all$/, "");
  const places = input.entries.map((one) => shelf.placeOf(one));
  if (places.some((one) => one.startsWith(`${base}/`) && isNote(one))) {
    yield { kind: "skip", entry, reason: "its rows are pages, which are imported from their own files" };
    return;
  }
  if (place === `${base}.csv` && places.includes(`${base}_all.csv`)) {
    yield { kind: "skip", entry, reason: "the same rows are in the file that ends in _all.csv" };
    return;
  }
  const bytes = await wholeEntry(entry, DATABASE_BYTES_MAX);
  const rows: string[][] = parse(bytes, {
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const [columns = [], ...lines] = rows;
  const ordinal = ordinals();
  for (const [index, cells] of lines.entries()) {
    const [title = "", ...rest] = cells.map((cell) => cell.trim().toWellFormed());
    const properties = Object.fromEntries(rest.map((cell, at) => [columns[at + 1] || `column ${at + 2}`, cell]));
    const digest = digestOf(title, ...rest);
    const id = context.makeId(`${notionId(nameOf(base))!.id}-${digest}-${ordinal(digest)}`);
    yield recordOf(
      entry,
      noteRecord({ place, title: title || "Untitled", body: "", properties, origin: "notion", shelf, id }).data,
      index + 2,
    );
  }
}

/** Returns the reason a file produced no record, or undefined if it produced one or belongs to one. */
function leftOut({ path }: Entry, used: ReadonlySet<string>): string | undefined {
  if (isOwn(path) || used.has(path)) return undefined;
  if (/(?:^|\/)\.obsidian\//.test(path)) return "Obsidian settings";
  if (/(?:^|\/)\.trash\//.test(path)) return "it is in the vault's trash";
  if (isHidden(path)) return "it is in a hidden folder";
  if (nameOf(path) === "index.html") return "the export's table of contents";
  return "no note links to it";
}
