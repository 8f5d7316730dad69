// Distributes directories to scanner processes. Each scanner reads a share and returns the directories it did not get
// to.
import type { DirBlock, DirsOfParent, ScanSettings } from "../scan/messages.ts";
import type { Scanner } from "./scanner-process.ts";
import type { Scanners } from "./scanners.ts";

/** Directories with the same parent, with their ids in the index. */
export interface WaitingDirs extends DirsOfParent {
  ids: number[];
}

/** Adds a directory to the index and returns the ids of its subdirectories. */
export type TakeBlock = (id: number, block: DirBlock) => Uint32Array;

/**
 * How many entries a scanner reads before it returns the rest: a part of all entries read so far, so that no scanner is
 * left with much work at the end. A scanner that is alone gets more, because a small tree needs no other.
 */
export const SHARE = { alone: 2000, least: 500, most: 40_000, part: 1 / 16 } as const;

export class Dispatcher {
  readonly #settings: ScanSettings;
  readonly #most: number;
  readonly #processes: Scanners;
  readonly #scanners: Scanner[] = [];
  readonly #waiting: WaitingDirs[] = [];
  #wakers: (() => void)[] = [];
  #busy = 0;
  #read = 0;
  #isPaused = false;

  constructor(settings: ScanSettings, most: number, processes: Scanners) {
    this.#settings = settings;
    this.#most = most;
    this.#processes = processes;
  }

  add(dirs: WaitingDirs): void {
    this.#waiting.push(dirs);
  }

  /** Reads all waiting directories, and if `below` is true, everything below them. */
  async drain(below: boolean, take: TakeBlock): Promise<void> {
    const running: Promise<void>[] = [];
    let failure: unknown;
    const start = (): void => {
      const work = this.#work(this.scanner(running.length), below, take).catch((error: unknown) => {
        failure ??= error;
        this.#busy = 0;
        this.#waiting.length = 0;
        this.#wake();
      });
      running.push(work);
    };
    if (this.#waiting.length > 0) start();
    // Start further processes only when the first one returns work, because a small tree needs just one.
    while (running.length > 0 && running.length < this.#most) {
      const all = Promise.all(running).then(() => true);
      if (await Promise.race([all, this.#woken()])) break;
      if (this.#waiting.length > 0) start();
    }
    await Promise.all(running);
    if (failure !== undefined) throw failure;
  }

  async #work(scanner: Scanner, below: boolean, take: TakeBlock): Promise<void> {
    for (let task = await this.#next(); task !== undefined; task = await this.#next()) {
      const ids = task.flatMap((group) => group.ids);
      const least = this.#scanners.length === 1 ? SHARE.alone : SHARE.least;
      const entries = Math.min(SHARE.most, Math.max(least, Math.ceil(this.#read * SHARE.part)));
      const walk = task.map(({ path, dirs }) => ({ path, dirs }));
      const answer = await scanner.do({ walk, entries, below }, (block) => {
        const inner = take(ids[block.local]!, block);
        this.#read += block.files + block.dirs;
        // Both sides number the directories of each block in the same order.
        if (below) for (const id of inner) ids.push(id);
      });
      if (!("left" in answer)) throw new Error("a scanner replied to a different task");
      for (const { path, dirs, locals } of answer.left)
        this.#waiting.push({ path, dirs, ids: locals.map((local) => ids[local]!) });
      this.#busy--;
      this.#wake();
    }
  }

  /** Returns work for one scanner, or undefined if nothing is waiting and no scanner can add more. */
  async #next(): Promise<WaitingDirs[] | undefined> {
    while (this.#waiting.length === 0 && this.#busy > 0) await this.#woken();
    if (this.#waiting.length === 0) return undefined;
    this.#busy++;
    const dirs = this.#waiting.reduce((sum, group) => sum + group.dirs.length, 0);
    let wanted = Math.ceil(dirs / (this.#most * 2));
    const task: WaitingDirs[] = [];
    while (wanted > 0) {
      const group = this.#waiting.pop()!;
      if (group.dirs.length > wanted) {
        this.#waiting.push({ ...group, dirs: group.dirs.slice(0, -wanted), ids: group.ids.slice(0, -wanted) });
        task.push({ ...group, dirs: group.dirs.slice(-wanted), ids: group.ids.slice(-wanted) });
        break;
      }
      task.push(group);
      wanted -= group.dirs.length;
    }
    this.#wake();
    return task;
  }

  #woken(): Promise<false> {
    return new Promise((resolve) => this.#wakers.push(() => resolve(false)));
  }

  #wake(): void {
    for (const wake of this.#wakers.splice(0)) wake();
  }

  /** Starts scanners before there is work for them. */
  prepare(count: number): void {
    for (let index = 0; index < Math.min(count, this.#most); index++) this.scanner(index);
  }

  scanner(index: number): Scanner {
    const known = this.#scanners[index];
    if (known !== undefined) return known;
    const scanner = this.#processes.take(this.#settings);
    if (this.#isPaused) scanner.pause();
    this.#scanners[index] = scanner;
    return scanner;
  }

  pause(): void {
    this.#isPaused = true;
    for (const scanner of this.#scanners) scanner.pause();
  }

  resume(): void {
    this.#isPaused = false;
    for (const scanner of this.#scanners) scanner.resume();
  }

  /** Kills the scanners, which fails their running tasks. */
  async stop(): Promise<void> {
    await Promise.all(this.#scanners.map((scanner) => scanner.end()));
  }

  /** Returns the scanners, so that they can be used for the next scan. */
  async end(): Promise<void> {
    await this.#processes.giveBack(this.#scanners.splice(0));
  }
}
