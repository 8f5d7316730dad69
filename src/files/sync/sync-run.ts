// One run that updates a root's records to match its index. It sends the changes since the last run, batch by batch.

import type { StatementSync } from "node:sqlite";
import { idMaker, type MakeId } from "../../collect/record-ids.ts";
import type { JsonObject, Provenance } from "../../contract/record.ts";
import { indexHandle, nodeHandle } from "../handles.ts";
import { homeIdentities } from "../home-identities.ts";
import { lastLeafKey, leafKey } from "../index-schema.ts";
import type { WorkProgress } from "../job-thread.ts";
import { type NumberedEntries, nameAt } from "../leaf.ts";
import { decodeLeaves } from "../leaf-decode.ts";
import { printable } from "../printable.ts";
import { IndexReader } from "../read/index-reader.ts";
import { RunControl } from "../run-control.ts";
import { readLinkBelow } from "../safe-open.ts";
import { ROOT_ID } from "../write/tree.ts";
import { changesIn } from "./changes.ts";
import { isLink, nodeIdOf, pathIn, recordOf, type SyncedFolder } from "./record-of.ts";
import type { RecordsTarget, SyncAsk, SyncStream } from "./records-sink.ts";
import { type LeafRow, type SentDir, SentStore, type SentTexts, type TextRow } from "./sent-store.ts";
import { Extractor } from "./text/extractor.ts";
import type { Pictures } from "./text/formats.ts";
import { installedRecognition, recognitionName } from "./text/recognition.ts";
import { isTextCandidate, type TextCandidate, textCandidate, textRecord } from "./text/text-record.ts";

export interface SyncOptions extends RecordsTarget {
  index: number;
  indexPath: string;
  sentPath: string;
  root: Uint8Array;
  home: string;
}

export interface SyncHandlers {
  /** Resolves to a count once the change is durable. */
  ask(asked: SyncAsk): Promise<number>;
  onProgress(progress: WorkProgress): void;
}

/** Kept small, because other writers wait for each batch. */
const BATCH_BYTES = 256 * 1024;
/** How many links are read concurrently. */
const LINKS_AT_ONCE = 16;
/** How many bytes of leaves are kept in memory until a batch is stored. */
const HELD_BYTES = 4 * 1024 * 1024;
const FOLDERS_KEPT = 20_000;
/** The longest pause after a batch, no matter how long the batch took. */
const REST_MS_MAX = 250;

export class SyncRun {
  readonly control = new RunControl();
  readonly #options: SyncOptions;
  readonly #own: ReadonlySet<string>;
  readonly #handlers: SyncHandlers;
  readonly #reader: IndexReader;
  readonly #leaves: StatementSync;
  readonly #sent: SentStore;
  readonly #folders = new Map<number, SyncedFolder>();
  readonly #progress: WorkProgress = { nodes: 0, files: 0, dirs: 0, bytes: 0, problems: 0 };
  readonly #emittedAt: string;
  /** which scan found the record. */
  #provenance: Provenance = {};
  #makeId: MakeId | undefined;
  #stream: SyncStream = "files";
  #lines: string[] = [];
  #bytes = 0;
  #held: { dirs: SentDir[]; texts: SentTexts[]; bytes: number } = { dirs: [], texts: [], bytes: 0 };
  #extractor: Extractor | undefined;
  readonly #recognition = installedRecognition();

  constructor(options: SyncOptions, handlers: SyncHandlers, now: string) {
    this.#options = options;
    this.#own = homeIdentities(options.home);
    this.#handlers = handlers;
    this.#emittedAt = now;
    this.#reader = new IndexReader(options.indexPath, options.index);
    this.#leaves = this.#reader.database.prepare("SELECT key, body FROM leaf WHERE key BETWEEN ? AND ? ORDER BY key");
    this.#sent = new SentStore(options.sentPath);
  }

  /** Returns the scan that the records now match. */
  async run(): Promise<{ scan: number; progress: WorkProgress }> {
    try {
      const scan = this.#reader.database.prepare("SELECT coalesce(max(no), 0) AS no FROM scan").get()!.no as number;
      this.#provenance = { run_id: `${indexHandle(this.#options.index)} scan ${scan}` };
      await this.#begin();
      this.#makeId = idMaker(this.#sent.idKey);
      await this.#files();
      if (this.control.isStopped) return { scan, progress: this.#progress };
      if (this.#options.text) await this.#texts();
      else if (this.#sent.hasTexts) {
        await this.#ask({ empty: { connectionId: this.#options.connectionId, stream: "file_text" } });
        this.#sent.forgetTexts();
      }
      return { scan, progress: this.#progress };
    } finally {
      await this.#extractor?.close();
      this.#reader.close();
      this.#sent.close();
    }
  }

  /** Deletes the records of another index first, because its node ids have no meaning here. */
  async #begin(): Promise<void> {
    const { connectionId, index } = this.#options;
    // An earlier version used node handles as record ids. Its target had no suffix, so its records are deleted too.
    const target = `${connectionId} ${indexHandle(index)} keyed`;
    if (this.#sent.target === target) return;
    for (const stream of ["files", "file_text"] as const) await this.#ask({ empty: { connectionId, stream } });
    this.#sent.begin(target);
  }

  async #files(): Promise<void> {
    const { index, indexPath } = this.#options;
    const dirs = this.#sent.changedDirs(indexPath);
    const share = this.#options.text ? 0.5 : 1;
    for (const [done, dir] of dirs.entries()) {
      if (!(await this.control.goesOn())) return;
      const { folder, leaves } = this.#reader.snapshot(() => this.#directory(dir));
      const before = decodeLeaves(this.#sent.leaves(dir));
      const now = decodeLeaves(leaves.map(({ body }) => body));
      const { upserts, gone } = changesIn({ index, dir }, before, now);
      if (folder !== undefined) {
        const targets = await this.#linkTargets(folder, now, upserts);
        for (const at of upserts) {
          await this.#add(nodeIdOf(folder, now, at), recordOf(folder, now, at, targets.get(at)));
          if (at < now.dirs) this.#progress.dirs++;
          else this.#progress.files++;
        }
      }
      for (const id of gone) await this.#add(id);
      this.#hold({ dirs: [{ dir, leaves }], bytes: leaves.reduce((sum, { body }) => sum + body.length, 0) });
      if (this.#held.bytes > HELD_BYTES) await this.#send();
      this.#tell(((done + 1) / dirs.length) * share);
    }
    await this.#send();
  }

  async #texts(): Promise<void> {
    const { index } = this.#options;
    this.#stream = "file_text";
    // If recognition was installed or photos were enabled, files without text are tried again.
    this.#sent.recognise(recognitionName(this.#recognition, this.#options.photos));
    const dirs = this.#sent.dirsWithoutText();
    for (const [done, dir] of dirs.entries()) {
      const known = new Map(this.#sent.texts(dir).map((row) => [row.number, row]));
      const entries = decodeLeaves(this.#sent.leaves(dir));
      const folder = this.#folder(dir);
      const rows: TextRow[] = [];
      for (let at = entries.dirs; at < entries.count && folder !== undefined; at++) {
        if (!isTextCandidate(entries, at, this.#pictures)) continue;
        if (!(await this.control.goesOn())) return;
        const file = textCandidate(folder, entries, at, this.#pictures);
        const before = known.get(file.number);
        const isSame = before?.size === file.size && before.time === file.time;
        const row = isSame ? before : await this.#text(folder, file, before);
        known.delete(file.number);
        rows.push(row);
        // Store texts one by one, so that none needs to be extracted again after a stop.
        if (!isSame) this.#hold({ texts: [{ dir, rows: [row], whole: false }], bytes: 32 });
        this.#tell(0.5 + (done / dirs.length) * 0.5);
      }
      for (const { number, there } of known.values())
        if (there === 1) await this.#add(nodeHandle(index, { dir, number }));
      this.#hold({ texts: [{ dir, rows, whole: true }], bytes: rows.length * 32 });
      this.#tell(0.5 + ((done + 1) / dirs.length) * 0.5);
      if (this.#held.bytes > HELD_BYTES) await this.#send();
    }
    await this.#send();
  }

  async #text(folder: SyncedFolder, file: TextCandidate, before: TextRow | undefined): Promise<TextRow> {
    this.#extractor ??= new Extractor(this.#options.root, this.#own, { recognition: this.#recognition });
    const names = [...this.#namesTo(folder.dir), file.nameBytes];
    const found = await this.#extractor.textOf(names, file);
    if (found.problem) this.#progress.problems++;
    if (found.text !== undefined) await this.#add(file.nodeId, textRecord(file, { ...found, text: found.text }));
    else if (before?.there === 1) await this.#add(file.nodeId);
    return { number: file.number, size: file.size, time: file.time, there: found.text === undefined ? 0 : 1 };
  }

  get #pictures(): Pictures {
    return this.#recognition === undefined ? "none" : this.#options.photos ? "photos" : "documents";
  }

  /** A deleted directory has no leaves. Only its sent records are left to delete. */
  #directory(dir: number): { folder?: SyncedFolder; leaves: LeafRow[] } {
    const folder = this.#folder(dir);
    if (folder === undefined) return { leaves: [] };
    return { folder, leaves: this.#leaves.all(leafKey(dir, 0), lastLeafKey(dir)) as unknown as LeafRow[] };
  }

  /** Returns undefined if the directory no longer exists. */
  #folder(dir: number): SyncedFolder | undefined {
    const known = this.#folders.get(dir);
    if (known !== undefined) return known;
    const { index } = this.#options;
    const row = this.#reader.dir(dir);
    if (row === undefined) return undefined;
    const parent = this.#folders.get(row.parent);
    const names = parent === undefined ? this.#namesTo(dir).map(printable) : [pathIn(parent, printable(row.name))];
    const folder = { index, dir, path: dir === ROOT_ID ? "" : names.join("/"), depth: row.depth };
    if (this.#folders.size >= FOLDERS_KEPT) this.#folders.clear();
    this.#folders.set(dir, folder);
    return folder;
  }

  #namesTo(dir: number): Uint8Array[] {
    return this.#reader
      .ancestors(dir)
      .slice(1)
      .map(({ name }) => name);
  }

  /** Reads link targets from the disk, because the index does not store them. */
  async #linkTargets(
    folder: SyncedFolder,
    entries: NumberedEntries,
    places: readonly number[],
  ): Promise<Map<number, string>> {
    const links = places.filter((at) => isLink(entries, at));
    const targets = new Map<number, string>();
    const names = links.length === 0 ? [] : this.#namesTo(folder.dir);
    for (let from = 0; from < links.length; from += LINKS_AT_ONCE) {
      await Promise.all(
        links.slice(from, from + LINKS_AT_ONCE).map(async (at) => {
          const link = [...names, nameAt(entries, at)];
          const target = await readLinkBelow(this.#options.root, link, this.#own).catch(() => undefined);
          if (target !== undefined) targets.set(at, printable(target));
        }),
      );
    }
    return targets;
  }

  /**
   * Adds a line with the current record or, if there is no data, with a deletion. Every app sees record ids, and a
   * node's handle would reveal how many entries are next to it (G-01). So the id is keyed, and the handle is a field
   * that a grant can hide.
   */
  async #add(handle: string, data?: JsonObject): Promise<void> {
    const key = this.#makeId!(handle);
    const line = JSON.stringify({
      key,
      emitted_at: this.#emittedAt,
      provenance: this.#provenance,
      ...(data === undefined ? { op: "delete" } : { data: { node_id: key, handle, ...data } }),
    });
    if (this.#bytes + line.length > BATCH_BYTES) await this.#send();
    this.#lines.push(line);
    this.#bytes += line.length;
  }

  #hold({ dirs = [], texts = [], bytes }: { dirs?: SentDir[]; texts?: SentTexts[]; bytes: number }): void {
    this.#held.dirs.push(...dirs);
    this.#held.texts.push(...texts);
    this.#held.bytes += bytes;
  }

  /** Entries are marked as sent only after their lines are stored. */
  async #send(): Promise<void> {
    const { connectionId, gentle } = this.#options;
    const held = this.#held;
    const lines = this.#lines;
    this.#held = { dirs: [], texts: [], bytes: 0 };
    this.#lines = [];
    this.#bytes = 0;
    if (lines.length > 0) {
      const began = performance.now();
      const text = lines.join("\n");
      this.#progress.problems += await this.#ask({ store: { connectionId, stream: this.#stream, text } });
      this.#progress.nodes += lines.length;
      this.#progress.bytes += text.length;
      if (gentle) await rest(performance.now() - began);
    }
    if (held.dirs.length > 0) this.#sent.keep(held.dirs);
    if (held.texts.length > 0) this.#sent.keepTexts(held.texts);
  }

  #ask(asked: SyncAsk): Promise<number> {
    return this.#handlers.ask(asked);
  }

  #tell(share: number): void {
    this.#handlers.onProgress({ ...this.#progress, share });
  }
}

const rest = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.min(ms, REST_MS_MAX));
  });
