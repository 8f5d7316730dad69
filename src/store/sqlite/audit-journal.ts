// The journal of the audit log. An entry is a line appended to a file that only one thread writes, which costs a tenth
// as much as a transaction. The log gathers the lines of all journals later. A written line survives the end of the
// process, no matter how it ends.
import type { KeyObject } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import { syncDirectoryNow } from "../sync-directory.ts";
import { type FileLock, tryLock } from "./file-lock.ts";
import { END_BODY, JOURNAL_START, lockOf, markOf, newJournalName, secretOf } from "./journal-files.ts";

/** If a new file disappears three times in a row, something removes journals faster than they are written. */
const ATTEMPTS = 3;

export interface JournalWriterOptions {
  folder: string;
  key: KeyObject;
  now: () => number;
  /** Called with a new journal before its first line. From then on, its disappearance is noticed. */
  onOpened: (name: string) => void;
  /** Called with a journal that another program has truncated or removed while it was in use. */
  onChanged: (name: string) => void;
}

interface OpenJournal {
  name: string;
  file: number;
  /** Locked until the journal is closed. A journal whose lock is free no longer has a writer. */
  lock: FileLock;
  size: number;
  mark: string;
}

export class JournalWriter {
  readonly #options: JournalWriterOptions;
  readonly #secret: string;
  #open: OpenJournal | undefined;

  constructor(options: JournalWriterOptions) {
    this.#options = options;
    this.#secret = secretOf(options.key);
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The size of the current journal in bytes. */
  get size(): number {
    return this.#open?.size ?? 0;
  }

  /** Writes all lines to a file that the log will read, or throws. */
  append(bodies: readonly string[]): void {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      this.#open ??= this.#begin();
      this.#write(this.#open, bodies);
      // Lines in a file that was removed or truncated would never be read, so write them again to a new one.
      if (isWhole(this.#open)) return;
      const { name } = this.#open;
      this.#release();
      this.#options.onChanged(name);
    }
    throw new PdppError("store_unavailable", "the audit log's journal disappeared while it was being written");
  }

  /** Marks the journal as complete. The next line starts a new one. */
  end(): void {
    if (this.#open === undefined) return;
    try {
      this.#write(this.#open, [END_BODY]);
    } finally {
      this.#release();
    }
  }

  #begin(): OpenJournal {
    const { folder, now, onOpened } = this.#options;
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The journals in a new folder are synced later, but would be lost if the folder's own name were not synced.
    if (made !== undefined) syncDirectoryNow(dirname(made));
    const name = newJournalName(now());
    // Take the lock first, because a journal without one has no writer.
    const lock = tryLock(lockOf(folder, name))!;
    try {
      const file = openSync(join(folder, name), "ax", 0o600);
      onOpened(name);
      return { name, file, lock, size: 0, mark: JOURNAL_START.mark };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  #write(journal: OpenJournal, bodies: readonly string[]): void {
    let { mark } = journal;
    let text = "";
    for (const body of bodies) {
      mark = markOf(this.#secret, journal.name, mark, body);
      text += `${mark} ${body}\n`;
    }
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(journal.file, bytes, written);
    } catch (error) {
      keepWholeLines(journal, bytes.subarray(0, written));
      throw error;
    }
    journal.size += bytes.length;
    journal.mark = mark;
  }

  #release(): void {
    if (this.#open === undefined) return;
    closeSync(this.#open.file);
    this.#open.lock.release();
    this.#open = undefined;
  }
}

function isWhole({ file, size }: OpenJournal): boolean {
  const found = fstatSync(file);
  return found.nlink > 0 && found.size === size;
}

/** A full disk may accept only half a line. The lines before it may already have been gathered and must stay. */
function keepWholeLines(journal: OpenJournal, written: Buffer): void {
  const end = written.lastIndexOf(0x0a) + 1;
  ftruncateSync(journal.file, journal.size + end);
  if (end === 0) return;
  const last = written.toString("utf8", written.lastIndexOf(0x0a, end - 2) + 1, end - 1);
  journal.size += end;
  journal.mark = last.slice(0, last.indexOf(" "));
}
