// Counts items in sample files with a few lines of code, without the product's parsers.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, inflateRawSync } from "node:zlib";

export interface SampleFile {
  /** The path relative to the samples folder. For a file in an archive, its path is appended to the archive's. */
  path: string;
  /** The bytes as Latin-1. */
  text: string;
  bytes: Buffer;
}

export type Counter = (file: SampleFile) => number;

const fileOf = (path: string, bytes: Buffer): SampleFile => ({ path, bytes, text: bytes.toString("latin1") });

/** Archives that the import opens. */
const ZIP = /\.(?:zip|kmz|bear2bk)$/i;
const TAR = /\.(?:tgz|tar\.gz|tar|jex)$/i;

/** Returns all files in a folder, including those in archives. */
export function filesIn(folder: string): SampleFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .flatMap((path) => opened(fileOf(path.slice(folder.length + 1), readFileSync(path))));
}

function opened(file: SampleFile): SampleFile[] {
  if (/\.jsonl?\.gz$/.test(file.path)) return [fileOf(file.path, gunzipSync(file.bytes))];
  const inner = ZIP.test(file.path) ? unzipped(file.bytes) : TAR.test(file.path) ? untarred(file.bytes) : undefined;
  return inner?.flatMap(({ path, bytes }) => opened(fileOf(`${file.path}/${path}`, bytes))) ?? [file];
}

interface ArchivedFile {
  path: string;
  bytes: Buffer;
}

/** Reads the directory at the end of the archive. Folders are skipped. */
function unzipped(zip: Buffer): ArchivedFile[] {
  const end = zip.lastIndexOf("PK\x05\x06");
  const found: ArchivedFile[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameBytes, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const path = zip.toString("utf8", at + 46, at + 46 + nameBytes);
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    const isStored = zip.readUInt16LE(at + 10) === 0;
    if (!path.endsWith("/")) found.push({ path, bytes: isStored ? packed : inflateRawSync(packed) });
    at += 46 + nameBytes + extra + comment;
  }
  return found;
}

function untarred(packed: Buffer): ArchivedFile[] {
  const tar = packed.readUInt16BE(0) === 0x1f8b ? gunzipSync(packed) : packed;
  const found: ArchivedFile[] = [];
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 136), 8);
    const path = tar.toString("utf8", at, at + 100).replace(/\0.*/s, "");
    const isFile = tar[at + 156] === 0x30 || tar[at + 156] === 0;
    if (isFile) found.push({ path, bytes: tar.subarray(at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

/** For a file that is one item. */
export const whole: Counter = () => 1;

/** For a file that has no items of its own. */
export const none: Counter = () => 0;

/** Counts the matches of a pattern. */
export const times =
  (pattern: RegExp): Counter =>
  ({ text }) =>
    text.match(pattern)?.length ?? 0;

/** Counts non-empty lines. */
export const lines: Counter = ({ text }) => text.split("\n").filter((line) => line.trim() !== "").length;

/** Counts the rows of these tables in an SQLite file. Without names, counts all tables except those of a text index. */
export const tableRows =
  (...names: string[]): Counter =>
  ({ bytes }) => {
    const folder = mkdtempSync(join(tmpdir(), "postern-count-"));
    const path = join(folder, "copy.sqlite");
    writeFileSync(path, bytes);
    const database = new DatabaseSync(path);
    try {
      return database
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        .all()
        .filter(({ name }) => (names.length === 0 ? !/^words/.test(String(name)) : names.includes(String(name))))
        .map(({ name }) => Number(database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get()!.rows))
        .reduce((all, one) => all + one, 0);
    } finally {
      database.close();
      rmSync(folder, { recursive: true });
    }
  };

/** Counts non-empty rows without the header. A line end inside quotes does not end a row. */
export const rows: Counter = ({ text }) =>
  text
    .replace(/"(?:[^"]|"")*"/g, "quoted")
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== "").length - 1;

/** Adds up the lengths of the chosen lists in a JSON document. */
export const members =
  // biome-ignore lint/suspicious/noExplicitAny: each counter knows the shape of its own files.
    (lists: (json: any) => unknown[]): Counter =>
    ({ bytes }) =>
      lists(JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""))).length;

/** Uses the first counter whose pattern matches the file's path. A file without a match is one unread item. */
export const byName =
  (...counters: (readonly [RegExp, Counter])[]): Counter =>
  (file) =>
    (counters.find(([name]) => name.test(file.path))?.[1] ?? whole)(file);
