// The files in the journals folder: their format, reading from a given position, and checking whether a journal's
// writer is still alive.
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

/** How far a journal has been read, and the mark of the last line read. */
export interface JournalPlace {
  offset: number;
  mark: string;
}

export const JOURNAL_START: JournalPlace = { offset: 0, mark: "" };

/** The last line of a journal that its writer closed. It shows that no line before it is missing. */
export const END_BODY = "";

/**
 * Each line has a mark that depends on all lines before it, so a changed or removed line is detected. The key is on
 * both sides of the hashed text, which prevents length-extension attacks. One hash costs a quarter as much as an HMAC.
 */
export const markOf = (secret: string, name: string, before: string, body: string): string =>
  hash("sha256", `${secret}\n${name}\n${before}\n${body}\n${secret}`, "base64url");

export const secretOf = (key: KeyObject): string => key.export().toString("base64url");

const LOCK_SUFFIX = ".lock";
/** Journals of earlier versions have no lock. If one was not written to for this long, it no longer has a writer. */
const ABANDONED_MS = 3_600_000;

export const lockOf = (folder: string, name: string): string => join(folder, name + LOCK_SUFFIX);

/** The name contains the time at which the journal began. */
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
 * The content after the last valid line of a journal. `whole`: nothing. `partial`: a line that is still being written,
 * or was when the writer died. `lost`: bytes that never reached the disk. `changed`: a line that was not written like
 * this. `short`: the file ends before the position from which it was read.
 */
type JournalTail = "whole" | "partial" | "lost" | "changed" | "short";

export interface JournalRead {
  bodies: string[];
  place: JournalPlace;
  /** True if the writer closed the journal and every line is there. */
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
    // A file system returns zeros for a page that was never written, and JSON text contains no zero bytes.
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
 * True if a journal's writer has exited for any reason. Only one thread may call this at a time, because it takes the
 * lock for a moment.
 */
export function isWriterGone(folder: string, name: string, now: number): boolean {
  const path = lockOf(folder, name);
  if (existsSync(path)) {
    const lock = tryLock(path);
    lock?.release();
    return lock !== undefined;
  }
  // The lock is created before the journal, so if it is missing, it was lost in a power cut.
  if (isLocked(name)) return true;
  const journal = statSync(join(folder, name), { throwIfNoEntry: false });
  return journal === undefined || now - journal.mtimeMs > ABANDONED_MS;
}

/**
 * Syncs a journal and returns how many of its bytes are on the disk. Returns undefined if another process has gathered
 * and removed it since it was listed.
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
  // SQLite leaves a file next to a lock that was not released.
  for (const suffix of ["", "-journal"]) rmSync(lockOf(folder, name) + suffix, { force: true });
}
