// Runs one scan of one index: decides what to read, in which order, and when results become visible, and reports
// progress.

import { lstatSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isInHome } from "../../store/home-marker.ts";
import { RunControl } from "../run-control.ts";
import type { DirBlock, ScanSettings } from "../scan/messages.ts";
import { STATE } from "../scan/messages.ts";
import { type ChangedDir, changedDirs, isSame } from "./check.ts";
import { Dispatcher, SHARE, type WaitingDirs } from "./dispatch.ts";
import { followLinks } from "./follow.ts";
import { IndexWriter } from "./index-writer.ts";
import type { Scanners } from "./scanners.ts";
import { nameOfDir, pathOfDir, ROOT_ID } from "./tree.ts";
import { hasAtLeast } from "./tree-size.ts";

export interface ScanOptions {
  path: string;
  settings: ScanSettings;
  jobId: string;
  /** Reads every directory again, whether it seems to have changed or not. */
  verify: boolean;
  /** True if the index was created for this scan, so that it reads every directory. */
  isNew: boolean;
  scanners: number;
  /** Lends the scanners, and keeps them for the next scan. */
  processes: Scanners;
  /** How often a first scan makes its results visible. */
  commitMs: number;
  /** The maximum size of the index, in pages. */
  pages?: number;
  now: () => number;
  onProgress: (progress: ScanProgress) => void;
}

export interface ScanProgress {
  files: number;
  dirs: number;
  bytes: number;
  /** How many of the known directories were checked. */
  checked: number;
  problems: number;
}

export class RootGone extends Error {}

/** The root has become a home or is inside one. */
export class RootIsHome extends Error {}

/** Increased whenever scans begin to skip more. Version 1 skips homes and backups (G-07). */
const RULES = 1;
/** How many directories are read between two checks of the clock. */
const LOOK_DIRS = 32;

export class ScanRun {
  readonly #options: ScanOptions;
  readonly #writer: IndexWriter;
  readonly #dispatcher: Dispatcher;
  readonly #progress: ScanProgress = { files: 0, dirs: 0, bytes: 0, checked: 0, problems: 0 };
  readonly #startedAt: number;
  #committed = performance.now();
  #readDirs = 0;
  readonly #control = new RunControl();

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#startedAt = options.now();
    this.#dispatcher = new Dispatcher(options.settings, options.scanners, options.processes);
    // Let scanners start while the index is being opened.
    if (options.verify || options.isNew) {
      this.#dispatcher.prepare(1);
      if (hasAtLeast(options.settings.root, SHARE.alone)) this.#dispatcher.prepare(options.scanners);
    }
    try {
      this.#writer = new IndexWriter(options.path, options.pages);
    } catch (error) {
      void this.#dispatcher.stop();
      throw error;
    }
  }

  /** The counts of the last completed scan. Progress is relative to them. */
  get previous(): { nodes: number; dirs: number } | undefined {
    return this.#writer.previous;
  }

  async run(): Promise<{ scan: number; progress: ScanProgress }> {
    const { settings, jobId, now } = this.#options;
    const writer = this.#writer;
    const root = this.#requireRoot();
    const isNew = writer.tree.next === ROOT_ID;
    // If an earlier version indexed more than this one does, unchanged directories are read again, once. The same
    // applies if the owner has changed the setting for other file systems, because that does not change the directories
    // themselves.
    const crosses = Number(settings.crossMounts);
    const isKnown = writer.meta("rules") === RULES && writer.meta("cross_mounts") === crosses;
    const verify = this.#options.verify || !isKnown;
    if (isNew) writer.addRoot();
    if (isNew || verify) this.#dispatcher.add(ROOT);
    else {
      await this.#readChanged(root);
      this.#addUnread();
    }
    await this.#drain(true);
    this.#requireRootRead();
    if (settings.followSymlinks) {
      writer.flush();
      await followLinks(writer, this.#dispatcher.scanner(0));
    }
    const mode = isNew ? "first" : verify ? "verify" : "changed";
    writer.setMeta("rules", RULES);
    writer.setMeta("cross_mounts", crosses);
    writer.complete({ jobId, mode, startedAt: this.#startedAt, endedAt: now(), readDirs: this.#readDirs });
    return { scan: writer.scan, progress: { ...this.#progress, ...writer.totals() } };
  }

  /** Returns the scanners and moves committed data out of the log. */
  async close(): Promise<void> {
    await this.#dispatcher.end();
    this.#writer.close();
  }

  pause(): void {
    this.#control.pause();
    this.#dispatcher.pause();
    if (!this.#writer.isRescan) this.#writer.commit();
  }

  resume(): void {
    this.#control.resume();
    this.#dispatcher.resume();
  }

  /** Stops the scan. The partial result of a first scan is kept, and a rescan leaves the index unchanged. */
  async stop(): Promise<void> {
    this.#control.stop();
    if (!this.#writer.isRescan && this.#writer.database.isOpen) this.#writer.commit();
    await this.#dispatcher.stop();
  }

  #requireRoot(): Stats {
    const facts = lstatSync(Buffer.from(this.#options.settings.root, "latin1"), { throwIfNoEntry: false });
    if (facts?.isDirectory() !== true) throw new RootGone();
    if (isInHome(Buffer.from(this.#options.settings.root, "latin1"))) throw new RootIsHome();
    const { mode, uid, gid, mtimeMs } = facts;
    this.#writer.setMeta("root", JSON.stringify({ mode, uid, gid, modified: mtimeMs }));
    return facts;
  }

  /** If the root disappears while it is being read, the scan fails, because an empty result would be wrong. */
  #requireRootRead(): void {
    if (this.#writer.tree.state[ROOT_ID] !== STATE.read) throw new RootGone();
  }

  /** Reads changed directories again, one level each. */
  async #readChanged(root: Stats): Promise<void> {
    const { tree } = this.#writer;
    // The check looks at the children of each directory, so it does not cover the root.
    if (!isSame(tree, ROOT_ID, root)) {
      this.#dispatcher.add(ROOT);
      await this.#drain(false);
      this.#requireRootRead();
    }
    const changed = await changedDirs(tree, this.#options.settings.root, async (count) => {
      this.#progress.checked += count;
      this.#tell();
      await setImmediate();
      if (!(await this.#control.goesOn())) throw new Error("the scan was stopped");
    });
    this.#addDirs(changed);
    await this.#drain(false);
  }

  /** Adds the directories that are known only by name. */
  #addUnread(): void {
    const { tree } = this.#writer;
    const unread: ChangedDir[] = [];
    for (let id = ROOT_ID + 1; id < tree.next; id++)
      if (tree.state[id] === 0 && tree.parent[id] !== 0) unread.push({ id, dev: 0, ino: -1 });
    this.#addDirs(unread);
  }

  #addDirs(dirs: readonly ChangedDir[]): void {
    const { tree } = this.#writer;
    const groups = new Map<number, WaitingDirs>();
    for (const { id, dev, ino } of dirs) {
      const parent = tree.parent[id]!;
      let group = groups.get(parent);
      if (group === undefined) {
        group = { path: pathOfDir(tree, parent), dirs: [], ids: [] };
        groups.set(parent, group);
      }
      group.dirs.push([nameOfDir(tree, id).toString("latin1"), dev, ino]);
      group.ids.push(id);
    }
    for (const group of groups.values()) this.#dispatcher.add(group);
  }

  #drain(below: boolean): Promise<void> {
    return this.#dispatcher.drain(below, (id, block) => this.#take(id, block));
  }

  #take(id: number, block: DirBlock): Uint32Array {
    const ids = this.#writer.take(id, block);
    const progress = this.#progress;
    progress.files += block.files;
    progress.dirs += block.dirs;
    progress.bytes += block.size;
    progress.problems += block.problems.length;
    if (++this.#readDirs % LOOK_DIRS === 0) this.#tell();
    return ids;
  }

  #tell(): void {
    this.#options.onProgress(this.#progress);
    if (this.#writer.isRescan || performance.now() - this.#committed < this.#options.commitMs) return;
    this.#writer.commit();
    this.#committed = performance.now();
  }
}

const ROOT: WaitingDirs = { path: [], dirs: [[".", 0, -1]], ids: [ROOT_ID] };
