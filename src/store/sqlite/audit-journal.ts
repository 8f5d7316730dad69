// The journal of the audit log: an entry is a line appended to a file of one's own, which costs a tenth of a transaction.
// The log gathers the lines of all journals later. A line written survives the end of the process, however it ends.
import { hash, type KeyObject, randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** What the log knows of a journal: how far it was read, and the mark of the last line read. */
export interface JournalPlace {
  offset: number;
  mark: string;
}

export const JOURNAL_START: JournalPlace = { offset: 0, mark: "" };

/** An idle journal may have been swept away; whoever comes back after this long looks before it writes. */
const LOOK_AGAIN_MS = 60_000;
/** A journal that nobody touched for this long belonged to a process that died. */
const ABANDONED_MS = 3_600_000;

/**
 * Each line carries a mark that depends on all lines before it: none can be changed or taken out unseen. The key stands
 * on both sides of what is hashed, so that no mark leads to that of a longer line; one hash costs a quarter of an HMAC.
 */
const markOf = (secret: string, name: string, before: string, body: string): string =>
  hash("sha256", `${secret}\n${name}\n${before}\n${body}\n${secret}`, "base64url");

const secretOf = (key: KeyObject): string => key.export().toString("base64url");

export class JournalWriter {
  readonly #folder: string;
  readonly #secret: string;
  #open: { name: string; file: number; size: number; mark: string; touched: number } | undefined;

  constructor(folder: string, key: KeyObject) {
    this.#folder = folder;
    this.#secret = secretOf(key);
  }

  /** The journal in use and its size. */
  get current(): { name: string; size: number } | undefined {
    return this.#open;
  }

  /** All of the lines, or none. */
  append(bodies: readonly string[], now: number): void {
    const journal = this.#journal(now);
    let { mark } = journal;
    let text = "";
    for (const body of bodies) {
      mark = markOf(this.#secret, journal.name, mark, body);
      text += `${mark} ${body}\n`;
    }
    const bytes = Buffer.from(text);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(journal.file, bytes, written);
    } catch (error) {
      // A full disk may take half a line.
      ftruncateSync(journal.file, journal.size);
      throw error;
    }
    journal.size += bytes.length;
    journal.mark = mark;
    journal.touched = now;
  }

  #journal(now: number) {
    const known = this.#open;
    if (known !== undefined && (now - known.touched < LOOK_AGAIN_MS || fstatSync(known.file).nlink > 0)) return known;
    this.close();
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const name = randomBytes(12).toString("base64url");
    const file = openSync(join(this.#folder, name), "ax", 0o600);
    this.#open = { name, file, size: 0, mark: JOURNAL_START.mark, touched: now };
    return this.#open;
  }

  /** The next line begins another journal. */
  close(): void {
    if (this.#open !== undefined) closeSync(this.#open.file);
    this.#open = undefined;
  }
}

export function listJournals(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** The entries after a place, and the new place; "changed" if a line is not what was written. A line still being written is left for later. */
export function readJournal(
  folder: string,
  name: string,
  key: KeyObject,
  from: JournalPlace,
): { bodies: string[]; place: JournalPlace } | "changed" {
  const text = textFrom(join(folder, name), from.offset);
  if (text === undefined) return "changed";
  const end = text.lastIndexOf(0x0a) + 1;
  const secret = secretOf(key);
  const bodies: string[] = [];
  let { mark } = from;
  for (const line of end === 0 ? [] : text.toString("utf8", 0, end - 1).split("\n")) {
    const body = line.slice(line.indexOf(" ") + 1);
    mark = markOf(secret, name, mark, body);
    if (line !== `${mark} ${body}`) return "changed";
    bodies.push(body);
  }
  return { bodies, place: { offset: from.offset + end, mark } };
}

function textFrom(path: string, offset: number): Buffer | undefined {
  const file = openSync(path, "r");
  try {
    const bytes = fstatSync(file).size - offset;
    if (bytes < 0) return undefined;
    const text = Buffer.alloc(bytes);
    return text.subarray(0, readSync(file, text, 0, bytes, offset));
  } finally {
    closeSync(file);
  }
}

export function isAbandoned(folder: string, name: string, now: number): boolean {
  const { mtimeMs } = statSync(join(folder, name));
  return now - mtimeMs > ABANDONED_MS;
}

export function dropJournal(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true });
}
