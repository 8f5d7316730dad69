// Checks for /readyz whether a write would succeed now, with a small file and a one-page commit, at most every few
// seconds.
import { PdppError } from "../../contract/errors.ts";
import { requireDisk } from "../../store/sqlite/disk-probe.ts";

/** How long a successful probe is proof that writes succeed. */
const KEPT_MS = 5000;
/** After a call failed for one of these reasons, probes fail for just as long, unless a write succeeds. */
const FAILURES: readonly string[] = ["storage_full", "storage_failed", "store_damaged"];

export interface WriteProbeParts {
  /** Absent if the store is not a home directory. Its reads then show whether it accepts writes. */
  home?: string;
  /** Returns true if the writer has work. A long write is not a failure, and its outcome will be known. */
  isBusy: () => boolean;
  commit: () => Promise<unknown>;
  now?: () => number;
}

export class WriteProbe {
  readonly #parts: WriteProbeParts;
  #proven = Number.NEGATIVE_INFINITY;
  #failed: { error: PdppError; until: number } | undefined;

  constructor(parts: WriteProbeParts) {
    this.#parts = parts;
  }

  #now(): number {
    return this.#parts.now?.() ?? performance.now();
  }

  /** Called after each successful write. */
  succeeded(): void {
    this.#failed = undefined;
  }

  failed(error: unknown): void {
    if (!(error instanceof PdppError && FAILURES.includes(error.code))) return;
    this.#proven = Number.NEGATIVE_INFINITY;
    this.#failed = { error, until: this.#now() + KEPT_MS };
  }

  /** Rejects with the reason why a write would fail. */
  async require(): Promise<void> {
    if (this.#failed !== undefined && this.#now() < this.#failed.until) throw this.#failed.error;
    const { home, isBusy, commit } = this.#parts;
    if (home === undefined || this.#now() < this.#proven + KEPT_MS) return;
    await requireDisk(home);
    if (!isBusy()) await commit();
    this.#proven = this.#now();
  }
}
