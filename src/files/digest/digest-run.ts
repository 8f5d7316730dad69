// Runs one duplicate search: groups files by size, then by their ends, then by their whole content.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenHandle } from "../disk-access.ts";
import { homeIdentities } from "../home-identities.ts";
import type { WorkProgress } from "../job-thread.ts";
import { IndexReader } from "../read/index-reader.ts";
import { RunControl } from "../run-control.ts";
import { openBelowDirectly } from "../safe-open.ts";
import { type DigestCandidate, filesOfSameSize } from "./candidates.ts";
import { type DigestRow, DigestStore } from "./digest-store.ts";
import { hashEnds, hashWhole, isShort } from "./hash-file.ts";

export interface DigestOptions {
  index: number;
  indexPath: string;
  digestPath: string;
  root: Uint8Array;
  home: string;
  minSize: number;
}

/** How many digests are stored per commit. */
const BATCH = 200;
/** Reading is synchronous, so pause this often to let messages arrive. */
const TURN_MS = 20;

export class DigestRun {
  readonly control = new RunControl();
  readonly #options: DigestOptions;
  readonly #own: ReadonlySet<string>;
  readonly #reader: IndexReader;
  readonly #store: DigestStore;
  readonly #onProgress: (progress: WorkProgress) => void;
  readonly #progress: WorkProgress = { nodes: 0, files: 0, dirs: 0, bytes: 0, problems: 0, share: 0 };
  #rows: DigestRow[] = [];
  #toHash = 0;
  #turnAt = performance.now();

  constructor(options: DigestOptions, onProgress: (progress: WorkProgress) => void) {
    this.#options = options;
    this.#own = homeIdentities(options.home);
    this.#onProgress = onProgress;
    this.#reader = new IndexReader(options.indexPath, options.index);
    this.#store = new DigestStore(options.digestPath);
  }

  async run(): Promise<WorkProgress> {
    try {
      const columns = this.#reader.snapshot(() => this.#reader.columns());
      const candidates = filesOfSameSize(columns, this.#options.minSize);
      this.#progress.nodes = candidates.length;
      const sameEnds = new Map<string, DigestRow[]>();
      for (const [done, one] of candidates.entries()) {
        if (!(await this.#goesOn())) break;
        this.#progress.share = (done / candidates.length) * 0.3;
        this.#progress.files = done;
        const row = await this.#ends(one);
        if (row === undefined) continue;
        const key = `${row.size} ${Buffer.from(row.partial).toString("base64")}`;
        const group = sameEnds.get(key);
        if (group === undefined) sameEnds.set(key, [row]);
        else group.push(row);
      }
      this.#keep();
      const unknown = [...sameEnds.values()]
        .filter((group) => group.length > 1)
        .flat()
        .filter(({ whole }) => whole === null);
      this.#toHash = unknown.reduce((sum, { size }) => sum + size, 0);
      for (const row of unknown) if (await this.#goesOn()) await this.#whole(row);
      this.#keep();
      return this.#progress;
    } finally {
      this.#reader.close();
      this.#store.close();
    }
  }

  async #ends(one: DigestCandidate): Promise<DigestRow | undefined> {
    const known = this.#store.get(one.dir, one.number);
    if (known !== undefined && known.size === one.size && known.time === one.time) return known;
    return this.#withFile(one, async (handle) => {
      const partial = await hashEnds(handle, one.size);
      const whole = isShort(one.size) ? ((await hashWhole(handle, one.size, async () => true)) ?? null) : null;
      return this.#note({ ...one, partial, whole });
    });
  }

  async #whole(row: DigestRow): Promise<void> {
    await this.#withFile(row, async (handle) => {
      const whole = await hashWhole(handle, row.size, async (bytes) => {
        this.#progress.bytes += bytes;
        this.#progress.share = 0.3 + (0.7 * this.#progress.bytes) / Math.max(1, this.#toHash);
        return this.#goesOn();
      });
      return whole === undefined ? undefined : this.#note({ ...row, whole });
    });
  }

  /** Opens a file only if it has not changed since it was indexed. */
  async #withFile(
    one: DigestCandidate,
    work: (handle: OpenHandle) => Promise<DigestRow | undefined>,
  ): Promise<DigestRow | undefined> {
    try {
      const names = this.#reader.snapshot(() => this.#reader.namesTo(one.dir, one.number));
      if (names === undefined) return undefined;
      const { handle, facts } = await openBelowDirectly(this.#options.root, names, this.#own);
      try {
        if (facts.size !== one.size || Math.floor(facts.mtimeMs) !== one.time) return undefined;
        return await work(handle);
      } finally {
        await handle.close();
      }
    } catch {
      this.#progress.problems++;
      return undefined;
    }
  }

  #note(row: DigestRow): DigestRow {
    this.#rows.push(row);
    if (this.#rows.length >= BATCH) this.#keep();
    return row;
  }

  #keep(): void {
    if (this.#rows.length > 0) this.#store.put(this.#rows);
    this.#rows = [];
  }

  async #goesOn(): Promise<boolean> {
    if (performance.now() - this.#turnAt > TURN_MS) {
      this.#onProgress({ ...this.#progress });
      await nextTurn();
      this.#turnAt = performance.now();
    }
    return this.control.goesOn();
  }
}
