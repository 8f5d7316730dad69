// Every sample folder through every importer: imported twice nothing changes, and an independent count finds what the import accounts for.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ARCHIVE_LIMITS } from "../../src/collect/archive/limits.ts";
import { unpackedFolder } from "../../src/collect/archive/unpacked.ts";
import type { ImportContext, ImportEvent } from "../../src/collect/importer.ts";
import { IMPORTERS } from "../../src/collect/importers/index.ts";
import { recognise } from "../../src/collect/recognise.ts";
import { idMaker } from "../../src/collect/record-ids.ts";
import { walk } from "../../src/collect/walk.ts";
import { noSamples } from "./samples.ts";

const SAMPLES = process.env.PDPP_SAMPLES ?? "";
const scratch = mkdtempSync(join(tmpdir(), "postern-every-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What a store would hold: by stream and key; a key of an append-only stream keeps its first data. */
type Store = Map<string, string>;

interface Outcome {
  /** By importer and stream. */
  records: Record<string, number>;
  skipped: number;
  failed: number;
  /** Files that no importer took. */
  left: number;
  /** Writes that changed what was stored. */
  changed: number;
  reasons: string[];
}

interface Way {
  rootName?: string;
  shuffle?: boolean;
  idKey?: string;
}

async function importInto(store: Store, folder: string, { rootName, shuffle, idKey }: Way = {}): Promise<Outcome> {
  const unpacked = unpackedFolder(mkdtempSync(join(scratch, "copies-")), ARCHIVE_LIMITS.copyBytes);
  const [root] = await walk([join(SAMPLES, folder)], unpacked);
  const renamed = { ...root!, name: rootName ?? root!.name };
  const { groups, left } = await recognise([renamed], IMPORTERS);
  const outcome: Outcome = { records: {}, skipped: 0, failed: 0, left: left.length, changed: 0, reasons: [] };
  for (const { importer, input, secrets } of groups) {
    if (secrets !== undefined) {
      outcome.left += input.entries.length;
      continue;
    }
    // Backwards is an order that no walk gives.
    const entries = shuffle ? [...input.entries].reverse() : input.entries;
    const { declaration, account } = await importer.plan({ ...input, entries }, {});
    const appendOnly = new Set(
      declaration.streams.filter(({ semantics }) => semantics === "append_only").map(({ name }) => name),
    );
    const context: ImportContext = {
      answers: {},
      makeId: idMaker(idKey),
      blob: async (bytes, mime_type) => ({
        blob_id: `blob_${bytes.byteLength}`,
        mime_type,
        size_bytes: bytes.byteLength,
        sha256: "0".repeat(64),
      }),
    };
    for await (const event of importer.run({ ...input, entries }, context)) count(event, importer.name);

    function count(event: ImportEvent, name: string): void {
      if (event.kind === "skip") outcome.skipped += event.count ?? 1;
      if (event.kind === "error") outcome.failed++;
      if (event.kind === "error") outcome.reasons.push(`${event.entry.path}: ${event.message}`);
      if (event.kind !== "record") return;
      const stream = `${name}.${event.stream}`;
      outcome.records[stream] = (outcome.records[stream] ?? 0) + 1;
      const key = `${account.key} ${stream} ${JSON.stringify(event.key)}`;
      const data = JSON.stringify(event.data);
      const before = store.get(key);
      if (before === data || (before !== undefined && appendOnly.has(event.stream))) return;
      store.set(key, data);
      outcome.changed++;
    }
  }
  return outcome;
}

const folders = noSamples
  ? []
  : [
      ...readdirSync(SAMPLES).filter((name) => !["README.md", "second-round", "relevance"].includes(name)),
      ...readdirSync(join(SAMPLES, "second-round"))
        .filter((name) => name !== "README.md")
        .map((name) => `second-round/${name}`),
    ];

/** Files of one folder, with their bytes as Latin-1. */
function filesIn(folder: string): { path: string; text: string; bytes: Buffer }[] {
  return readdirSync(join(SAMPLES, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .map((path) => ({ path, bytes: readFileSync(path) }))
    .map(({ path, bytes }) => ({ path, bytes, text: bytes.toString("latin1") }));
}

const times = (pattern: RegExp) => (folder: string) =>
  filesIn(folder).reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);
const files = (folder: string): number => filesIn(folder).length;

/** Entries of a ZIP file's directory that are no folders. */
function archivedIn(bytes: Buffer): number {
  const ENTRY = "PK\x01\x02";
  let found = 0;
  for (let at = bytes.indexOf(ENTRY); at !== -1; at = bytes.indexOf(ENTRY, at + 4)) {
    const name = bytes.toString("latin1", at + 46, at + 46 + bytes.readUInt16LE(at + 28));
    if (!name.endsWith("/")) found++;
  }
  return found;
}

const filesAndArchived = (folder: string): number =>
  filesIn(folder).reduce((sum, { path, bytes }) => sum + (path.endsWith(".zip") ? archivedIn(bytes) : 1), 0);

interface Counted {
  /** Counted without any parser of ours. */
  by: (folder: string) => number;
  /** Records that stand for one item each. */
  streams: readonly string[];
  /** What is skipped there are other files. */
  isWithoutSkips?: true;
}

/** Lines with something in them, less one header a file: these have no line ends inside cells. */
const rows = (folder: string): number =>
  filesIn(folder).reduce(
    (sum, { text }) => sum + text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "").length - 1,
    0,
  );
const named = (pattern: RegExp) => (folder: string) => filesIn(folder).filter(({ path }) => pattern.test(path)).length;

/** What an item is in each folder. Where no importer reads anything, each file is an item that is left out. */
const COUNTED: Record<string, Counted> = {
  "contacts-vcf": { by: times(/^BEGIN:VCARD\s*$/gim), streams: ["contacts.contacts"] },
  "mail-eml": { by: named(/\.eml$/), streams: ["mail.messages"] },
  "notes-obsidian": { by: named(/\.md$/), streams: ["notes.notes"], isWithoutSkips: true },
  "photos-exif": { by: files, streams: ["photos.photos"] },
  "second-round/heic": { by: files, streams: ["photos.photos"] },
  "second-round/letterboxd": { by: rows, streams: ["shelves.films"] },
  "second-round/storygraph": { by: rows, streams: ["shelves.books"] },
};
/** One message in several mailboxes has its folder and labels in the order of their paths. */
const BY_PATH = ["mail-mbox"];
/** Nothing but its name tells one vault from another. */
const BY_FOLDER_NAME = ["notes-obsidian"];

describe.skipIf(noSamples)("every sample folder", () => {
  const table: string[] = [];
  afterAll(() => console.log(["folder | counted | records | skipped | failed | left out", ...table].join("\n")));

  it.each(folders)("I-04 %s: a second import changes nothing", async (folder) => {
    const store: Store = new Map();
    const first = await importInto(store, folder);
    const again = await importInto(store, folder);
    const size = store.size;
    const shuffled = BY_PATH.includes(folder) ? again : await importInto(store, folder, { shuffle: true });
    const renamed = BY_FOLDER_NAME.includes(folder)
      ? again
      : await importInto(store, folder, { rootName: `${basename(folder)} (1)` });
    expect({ again: again.changed, shuffled: shuffled.changed, renamed: renamed.changed, size: store.size }).toEqual({
      again: 0,
      shuffled: 0,
      renamed: 0,
      size,
    });
    const other: Store = new Map();
    await importInto(other, folder, { idKey: "A".repeat(43) });
    expect(other.size).toBe(size);
    const { records, skipped, failed, left } = first;
    const shown = Object.entries(records).map(([stream, count]) => `${stream} ${count}`);
    const counted = COUNTED[folder];
    if (counted !== undefined) {
      const found = counted.streams.reduce((sum, stream) => sum + (records[stream] ?? 0), 0);
      expect(found + failed + (counted.isWithoutSkips ? 0 : skipped)).toBe(counted.by(folder));
    }
    // Where nothing is read, every file is said to be left out, also those in archives.
    const isUnread = shown.length === 0;
    if (isUnread) expect(left).toBe(filesAndArchived(folder));
    table.push(
      [
        folder,
        counted?.by(folder) ?? (isUnread ? filesAndArchived(folder) : "not counted"),
        shown.join(", "),
        skipped,
        failed,
        left,
      ].join(" | "),
    );
  });
});
