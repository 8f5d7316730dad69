// The loop of a service that works on jobs: exports, imports, connector runs, schedules, events.
//
//              wake                the round returns 0, or was woken meanwhile
//     ┌──────┐ or the wait ends   ┌──────┐◀─┐
//     │ idle │───────────────────▶│ round│──┘
//     └──────┘◀───────────────────└──────┘
//         when the next round is due  │ ▲
//                                     │ │ after 0.1 s, then longer, up to 5 s; wake-ups meanwhile are ignored
//                  store unavailable  ▼ │
//                                  ┌───────┐
//                                  │ pause │
//                                  └───────┘
//     stop: waits and pauses end, and the running round is awaited. `wake` starts again, if `mayRun` allows it.
import { failureText, PdppError } from "../contract/errors.ts";

const PAUSES_MS = [100, 200, 500, 1000, 2000, 5000];

export interface JobLoopOptions {
  /** The prefix of every log line. */
  name: string;
  log: (text: string) => void;
  /**
   * Looks for work and does it. Returns the milliseconds until the next round: 0 means immediately, infinity means only
   * when woken, and undefined means `intervalMs`.
   */
  round: () => Promise<number | undefined>;
  /** Returns true if this process may work now. */
  mayRun: () => boolean;
  /** How long to wait between two rounds, and after a failure. The default is infinity. */
  intervalMs?: number;
}

export class JobLoop {
  readonly #options: JobLoopOptions;
  #rounds: Promise<void> | undefined;
  #again = false;
  #wait: NodeJS.Timeout | undefined;
  #pause: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(options: JobLoopOptions) {
    this.#options = options;
  }

  /** Called when there may be something to do. */
  wake(): void {
    if (this.#pause !== undefined || !this.#options.mayRun()) return;
    this.#again = true;
    this.#rounds ??= this.#work().finally(() => {
      this.#rounds = undefined;
      if (this.#again) this.wake();
    });
  }

  get isWorking(): boolean {
    return this.#rounds !== undefined;
  }

  /** Resolves when the rounds caused by the last wake-up are done. */
  async idle(): Promise<void> {
    while (this.#rounds !== undefined) await this.#rounds;
  }

  /**
   * Called when a round fails, or when a job that outlives its round does. An unavailable store is logged only once
   * until something succeeds.
   */
  failed(error: unknown): void {
    const { name, log, mayRun } = this.#options;
    // A store that closes before its services also counts as unavailable.
    if (isTemporary(error) && !mayRun()) return;
    if (this.#failures === 0 || !isTemporary(error)) log(`${name}: ${failureText(error)}`);
    if (!isTemporary(error) || this.#pause !== undefined) return;
    this.#pause = setTimeout(
      () => {
        this.#pause = undefined;
        this.wake();
      },
      PAUSES_MS[Math.min(this.#failures++, PAUSES_MS.length - 1)],
    ).unref();
  }

  /** Called when something succeeded, so that the next pause is short again. */
  worked(): void {
    this.#failures = 0;
  }

  async stop(): Promise<void> {
    this.#again = false;
    clearTimeout(this.#wait);
    clearTimeout(this.#pause);
    this.#pause = undefined;
    await this.idle();
  }

  async #work(): Promise<void> {
    const { round, mayRun, intervalMs = Number.POSITIVE_INFINITY } = this.#options;
    clearTimeout(this.#wait);
    let wait = intervalMs;
    try {
      while (this.#again && mayRun()) {
        this.#again = false;
        wait = (await round()) ?? intervalMs;
        if (wait === 0) this.#again = true;
      }
    } catch (error) {
      wait = intervalMs;
      this.failed(error);
    }
    if (Number.isFinite(wait) && mayRun()) this.#wait = setTimeout(() => this.wake(), wait).unref();
  }
}

/** Such a failure is not the fault of the job that ran into it. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof PdppError && error.code === "store_unavailable";

/** A job that fails this many times in a row, over more than a minute, has a permanent problem. */
const FAILURES_MAX = 20;

/** Counts a job's consecutive temporary failures, and decides whether it may be retried. */
export function retryBudget(): { mayRetry(id: string): boolean; reset(): void } {
  let failed: { id: string; times: number } | undefined;
  return {
    mayRetry(id) {
      if (failed?.id !== id) failed = { id, times: 0 };
      return ++failed.times < FAILURES_MAX;
    },
    reset() {
      failed = undefined;
    },
  };
}
