// Notes from apps: Google Keep, Evernote, Joplin, Bear, Day One, Apple Notes and Apple Journal. Each app is an account.
import type { JsonObject } from "../../../contract/json.ts";
import { type Entry, headOf } from "../../entry.ts";
import {
  type EntryPreview,
  HEAD_BYTES,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type ImportInput,
  type Recognition,
} from "../../importer.ts";
import { attachedFile } from "../attached-file.ts";
import { decodeHead } from "../decode.ts";
import { estimateItems } from "../estimates.ts";
import { isSqlite } from "../foreign-sqlite.ts";
import { present } from "../json-fields.ts";
import { digestOf, replayedRun } from "../replay.ts";
import {
  APPS,
  type AppFile,
  type AppNote,
  type FoundNote,
  firstLine,
  type NoteApp,
  type NoteReader,
} from "./app-note.ts";
import { readAppleNotes, readJournal } from "./apple-notes.ts";
import { readBear } from "./bear.ts";
import { readDayOne } from "./day-one.ts";
import { noteAppsDeclaration } from "./declaration.ts";
import { readEvernote } from "./evernote.ts";
import { JOPLIN_FILE, JOPLIN_ITEM, joplinItems, joplinNote } from "./joplin.ts";
import { readKeep } from "./keep.ts";

/** Higher than the score for a picture. */
const CLAIM = 66;

export const noteAppsImporter: Importer = {
  name: "note-apps",
  title: "Notes from apps (Google Keep, Evernote, Joplin, Bear, Day One, Apple Notes)",
  from: [
    "Google Keep: takeout.google.com, “Keep”",
    "Evernote: right-click a notebook → Export notebook → ENEX",
    "Joplin: File → Export all → JEX",
    "Bear: File → Export notes → Bear backup, or Settings → Backup",
    "Day One: File → Export → JSON",
    "Apple Notes: the file NoteStore.sqlite in ~/Library/Group Containers/group.com.apple.notes",
    "Apple Journal: Settings → Export, as a folder of HTML pages",
  ],
  recognise,
  async claims(input, others) {
    const apart = new Map(others.filter(({ score }) => score < CLAIM).map(({ entry }) => [entry.path, entry]));
    const claimed = new Set<string>();
    for (const entry of input.entries) {
      const app = await appIn(entry);
      if (app !== "keep" && app !== "dayone") continue;
      try {
        for await (const found of READERS[app](entry, (path) => apart.get(path)))
          if ("files" in found)
            for (const { entry: file } of found.files) if (file !== undefined) claimed.add(file.path);
      } catch {
        // The run reports what is wrong with the file.
      }
    }
    return claimed;
  },
  async plan({ entries }) {
    const mains = entries.filter(({ path }) => !isBeside(path));
    // Claimed files may come before the first note.
    let app: NoteApp | undefined;
    for (const entry of mains) app ??= await appIn(entry);
    app ??= "keep";
    // In these apps, one file is one note. The notes in a database can only be counted by reading all of it.
    const isOneEach = app === "keep" || app === "bear" || app === "journal";
    const count = isOneEach ? { count: mains.length } : app === "evernote" ? await estimateItems(mains, /<note>/g) : {};
    return {
      account: { key: app, name: APPS[app] },
      declaration: noteAppsDeclaration,
      streams: [{ stream: "notes", ...count }],
    };
  },
  async *run(input, context) {
    const reading = await surveyed(input);
    yield* replayedRun(input, context, (entry) => eventsOf(entry, reading, context));
  },
};

/** Files whose location alone shows that they belong to notes. */
const isBeside = (path: string): boolean =>
  JOPLIN_FILE.test(path) || (/\.textbundle\//.test(path) && !/\/info\.json$/.test(path));

const READERS = {
  keep: readKeep,
  evernote: readEvernote,
  bear: readBear,
  dayone: readDayOne,
  applenotes: readAppleNotes,
  journal: readJournal,
} satisfies Partial<Record<NoteApp, NoteReader>>;

function appOf(path: string, head: Uint8Array): NoteApp | undefined {
  if (JOPLIN_ITEM.test(path)) return "joplin";
  if (/\.textbundle\/info\.json$/.test(path)) return "bear";
  if (isSqlite(head)) return /(?:^|\/)NoteStore[^/]*\.sqlite$/i.test(path) ? "applenotes" : undefined;
  const start = decodeHead(head);
  if (/^\s*\{/.test(start)) {
    if (/"isTrashed"\s*:/.test(start) && /"is(?:Pinned|Archived)"\s*:/.test(start)) return "keep";
    const isJournal = /"metadata"\s*:/.test(start) && /"entries"\s*:\s*\[/.test(start);
    return isJournal && /"(?:creationDate|richText|timeZone)"\s*:/.test(start) ? "dayone" : undefined;
  }
  if (/<en-export[\s>]/.test(start)) return "evernote";
  return /class=['"]pageContainer['"]/.test(start) && /class=['"]pageHeader['"]/.test(start) ? "journal" : undefined;
}

async function appIn(entry: Entry): Promise<NoteApp | undefined> {
  try {
    return isBeside(entry.path) ? undefined : appOf(entry.path, await headOf(entry, HEAD_BYTES));
  } catch {
    return undefined;
  }
}

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  const taken = (app: NoteApp, what: string): Recognition => ({
    score: 94,
    reason: `${what} of ${APPS[app]}`,
    group: APPS[app],
  });
  if (JOPLIN_FILE.test(path))
    return has(path.replace(/resources\/([0-9a-f]{32})(?:\.[^/]*)?$/, "$1.md")) ? taken("joplin", "file") : undefined;
  if (isBeside(path)) return taken("bear", "file");
  if (/\.bear2bk\/(?:[^/]+\/)?(?:tags|backup)\.json$/.test(path))
    return {
      score: 94,
      reason: "Bear's own file about its backup",
      advice: "nothing is missing: the notes contain their tags",
    };
  // Keep writes each note twice, as JSON and as HTML.
  const isKeepPage = /\.html$/.test(path) && has(path.replace(/html$/, "json")) && decodeHead(head).includes(".note {");
  if (isKeepPage) return taken("keep", "page");
  const app = appOf(path, head);
  return app && taken(app, "note");
}

/** Decisions made before the first record: which copy of each note is kept, and which files belong to notes. */
interface NotesReading {
  /** The rank of the best copy, by identity and then by text. The text is empty if the note has an id. */
  best: Map<string, Map<string, string>>;
  used: Set<string>;
  notesIn(entry: Entry): AsyncIterable<FoundNote | "nothing">;
}

async function surveyed(input: ImportInput): Promise<NotesReading> {
  const byPath = new Map(input.entries.map((entry) => [entry.path, entry]));
  const shelf = await joplinItems(input.entries);
  const reading: NotesReading = {
    best: new Map(),
    used: new Set(),
    async *notesIn(entry) {
      const app = await appIn(entry);
      if (app === undefined) return;
      if (app === "joplin") yield (await joplinNote(entry, shelf)) ?? "nothing";
      else yield* READERS[app](entry, (path) => byPath.get(path));
    },
  };
  for (const entry of input.entries) {
    try {
      for await (const found of reading.notesIn(entry)) if (typeof found === "object" && "app" in found) note(found);
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return reading;

  function note(found: AppNote): void {
    const [identity, text] = identityOf(found);
    const variants = reading.best.get(identity) ?? new Map<string, string>();
    reading.best.set(identity, variants);
    const rank = rankOf(found);
    if (rank > (variants.get(text) ?? "")) variants.set(text, rank);
    for (const { entry } of found.files) if (entry !== undefined) reading.used.add(entry.path);
  }
}

const identityOf = (note: AppNote): [identity: string, text: string] =>
  note.id !== undefined
    ? [`id ${note.id}`, ""]
    : [`made ${(note.fallbackKey ?? "").slice(0, 1000)}`, digestOf(note.title ?? "", note.body)];

/** Sorts higher for a newer copy, then for a copy with more of its files present. */
function rankOf({ updated_at, files, title, body, tags }: AppNote): string {
  const there = files.filter(({ entry, inline }) => entry !== undefined || inline !== undefined).length;
  return `${updated_at ?? ""} ${String(there).padStart(6, "0")} ${digestOf(title ?? "", body, ...(tags ?? []))}`;
}

async function* eventsOf(entry: Entry, reading: NotesReading, context: ImportContext): AsyncGenerator<ImportEvent> {
  let isRead = reading.used.has(entry.path) || /\/text\.(?:md|markdown|txt)$/.test(entry.path);
  for await (const found of reading.notesIn(entry)) {
    isRead = true;
    if (found === "nothing") continue;
    const place = "offset" in found && found.offset !== undefined ? { offset: found.offset } : {};
    if ("problem" in found) yield { kind: "error", entry, message: found.problem, ...place };
    else if ("skip" in found) yield { kind: "skip", entry, reason: found.skip, ...place };
    else yield* noteEvents(found, entry, reading, context);
  }
  if (isRead) return;
  const isPage = /\.html$/.test(entry.path);
  const reason = isPage ? "the same note as a web page; its JSON file is imported" : "no note refers to it";
  yield { kind: "skip", entry, reason };
}

async function* noteEvents(
  note: AppNote,
  entry: Entry,
  { best }: NotesReading,
  context: ImportContext,
): AsyncGenerator<ImportEvent> {
  const place = note.offset === undefined ? {} : { offset: note.offset };
  const [identity, text] = identityOf(note);
  const variants = best.get(identity);
  if (variants?.get(text) !== rankOf(note)) {
    yield { kind: "skip", entry, reason: "another copy of an imported note", ...place };
    return;
  }
  const made = (variants?.size ?? 1) > 1 ? `${identity} ${text}` : identity;
  const id = note.id ?? context.makeId(made);
  const attachments: JsonObject[] = [];
  for (const file of note.files) {
    const kept = await keptFile(file, entry, context);
    if (kept !== undefined && "left" in kept) yield kept.left;
    const blob = kept !== undefined && "blob" in kept ? kept.blob : undefined;
    attachments.push(present({ name: file.name.toWellFormed(), blob: blob as JsonObject | undefined }));
  }
  for (const left of note.left ?? []) yield { kind: "skip", entry, reason: `part of a note: ${left}`, ...place };
  yield { kind: "record", stream: "notes", key: id, data: dataOf(id, note, attachments), entry, ...place };
}

async function keptFile(
  { entry: file, inline }: AppFile,
  entry: Entry,
  context: ImportContext,
): Promise<Awaited<ReturnType<typeof attachedFile>> | undefined> {
  if (file !== undefined) return attachedFile(file, context);
  if (inline === undefined) return undefined;
  const bytes = Buffer.from(inline.base64, "base64");
  if (bytes.length === 0) return { left: { kind: "skip", entry, reason: "part of a note: a file without content" } };
  return { blob: await context.blob(bytes, inline.type) };
}

function dataOf(id: string, note: AppNote, attachments: readonly JsonObject[]): JsonObject {
  const tags = [...new Set(note.tags ?? [])].map((tag) => tag.toWellFormed());
  return present({
    id,
    title: (note.title ?? firstLine(note.body))?.toWellFormed(),
    body: note.body.toWellFormed(),
    format: note.format,
    tags: tags.length === 0 ? undefined : tags,
    notebook: note.notebook?.toWellFormed(),
    url: note.url?.toWellFormed(),
    place: note.place?.name?.toWellFormed(),
    latitude: note.place?.latitude,
    longitude: note.place?.longitude,
    attachments: attachments.length === 0 ? undefined : [...attachments],
    is_pinned: note.is_pinned || undefined,
    is_archived: note.is_archived || undefined,
    is_trashed: note.is_trashed || undefined,
    created_at: note.created_at,
    updated_at: note.updated_at,
  });
}
