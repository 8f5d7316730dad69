// The files of the journals folder: their format, reading a journal from a given position, and whether its writer still
// lives.
import { hash, type KeyObject, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { tryLock } from "./file-lock.ts";

/** How far a journal was read, and the mark of the last line read. */
export interface JournalPlace {
  offset: number;
  mark: string;
}

export const JOURNAL_START: JournalPlace = { offset: 0, mark: "" };

/** The last line of a journal whose writer closed it: it shows that no line before it is missing. */
export const END_BODY = "";

/**
 * Each line carries a mark that depends on all lines before it, so a line that is changed or removed is found. The key
 * is on both sides of the hashed text, which prevents length-extension attacks; one hash costs a quarter of an HMAC.
 */
export const markOf = (secret: string, name: string, before: string, body: string): string =>
  hash("sha256", `${secret}\n${name}\n${before}\n${body}\n${secret}`, "base64url");

export const secretOf = (key: KeyObject): string => key.export().toString("base64url");

const LOCK_SUFFIX = ".lock";
/** Journals of earlier versions have no lock: one that was not written for this long has no writer any more. */
const ABANDONED_MS = 3_600_000;

export const lockOf = (folder: string, name: string): string => join(folder, name + LOCK_SUFFIX);

/** The name contains the time at which its journal began. */
export const newJournalName = (now: number): string => `${now.toString(36)}.${randomBytes(12).toString("base64url")}`;

/** Journals of earlier versions have names without a time, and no lock. */
const isLocked = (name: string): boolean => name.includes(".");

export function beganAt(folder: string, name: string): number {
  if (isLocked(name)) return Number.parseInt(name, 36);
  return Math.floor(statSync(join(folder, name), { throwIfNoEntry: false })?.birthtimeMs ?? 0);
}

export function listJournals(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.includes(LOCK_SUFFIX))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * How a journal ends after its last valid line. whole: right there. partial: with a line that is still being written,
 * or was when the writer died. lost: with bytes that never reached the disk. changed: with a line that was not written
 * like this. short: before the position it was read from.
 */
type JournalTail = "whole" | "partial" | "lost" | "changed" | "short";

export interface JournalRead {
  bodies: string[];
  place: JournalPlace;
  /** Its writer closed it, and every line is there. */
  ended: boolean;
  tail: JournalTail;
  size: number;
}

export function readJournal(folder: string, name: string, key: KeyObject, from: JournalPlace): JournalRead {
  const { text, size } = textFrom(join(folder, name), from.offset);
  const secret = secretOf(key);
  const bodies: string[] = [];
  let { offset, mark } = from;
  let ended = false;
  const read = (tail: JournalTail): JournalRead => ({ bodies, place: { offset, mark }, ended, tail, size });
  if (size < offset) return read("short");
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(0x0a, start);
    const rest = text.subarray(start);
    if (end === -1) return read(rest.includes(0) ? "lost" : ended ? "changed" : "partial");
    const line = text.toString("utf8", start, end);
    const body = line.slice(line.indexOf(" ") + 1);
    const expected = markOf(secret, name, mark, body);
    // A file system returns zeros for a page that was never written; JSON contains none.
    if (ended || line !== `${expected} ${body}`) return read(rest.includes(0) ? "lost" : "changed");
    start = end + 1;
    // The end marker is found again each time, until the journal is removed.
    if (body === END_BODY) ended = true;
    else {
      bodies.push(body);
      mark = expected;
      offset = from.offset + start;
    }
  }
  return read("whole");
}

function textFrom(path: string, offset: number): { text: Buffer; size: number } {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const text = Buffer.alloc(Math.max(0, size - offset));
    return { text: text.subarray(0, readSync(file, text, 0, text.length, offset)), size };
  } finally {
    closeSync(file);
  }
}

/**
 * Whether the writer of a journal has ended, in whatever way. Only one thread may call it at a time: it takes the lock
 * for a moment.
 */
export function isWriterGone(folder: string, name: string, now: number): boolean {
  const path = lockOf(folder, name);
  if (existsSync(path)) {
    const lock = tryLock(path);
    lock?.release();
    return lock !== undefined;
  }
  // The lock is created before the journal: if it is missing, a power cut took it.
  if (isLocked(name)) return true;
  const journal = statSync(join(folder, name), { throwIfNoEntry: false });
  return journal === undefined || now - journal.mtimeMs > ABANDONED_MS;
}

/**
 * How many bytes of a journal are on the disk now; undefined if another process gathered and removed it since it was
 * listed.
 */
export function syncJournal(folder: string, name: string): number | undefined {
  let file: number;
  try {
    // Windows syncs only files that are open for writing.
    file = openSync(join(folder, name), "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    fsyncSync(file);
    return size;
  } finally {
    closeSync(file);
  }
}

export function removeJournal(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true });
  // SQLite leaves a file beside a lock that was not released.
  for (const suffix of ["", "-journal"]) rmSync(lockOf(folder, name) + suffix, { force: true });
}
