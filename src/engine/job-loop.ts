// The loop of a service that works on jobs: exports, imports, connector runs, schedules, events.
//
//              wake                the turn returns 0, or was woken meanwhile
//     ┌──────┐ or the nap is over ┌──────┐◀─┐
//     │ idle │───────────────────▶│ turn │──┘
//     └──────┘◀───────────────────└──────┘
//         when the next turn is due   │ ▲
//                                     │ │ after 0.1 s, then longer, up to 5 s; wake-ups meanwhile are ignored
//                  store unavailable  ▼ │
//                                  ┌───────┐
//                                  │ pause │
//                                  └───────┘
//     stop: naps and pauses end, and the running turn is awaited. `wake` starts again, if `mayRun` allows it.
import { failureText, PdppError } from "../contract/errors.ts";

const PAUSES_MS = [100, 200, 500, 1000, 2000, 5000];

export interface JobLoopOptions {
  /** The prefix of each line in the log. */
  name: string;
  log: (text: string) => void;
  /**
   * Looks for work and does it. Returns in how many milliseconds to look again: 0 means at once, infinity when woken;
   * `napMs` if undefined.
   */
  turn: () => Promise<number | undefined>;
  /** Whether this process may work now. */
  mayRun: () => boolean;
  /** The time between two turns, and after a failure; infinity by default. */
  napMs?: number;
}

export class JobLoop {
  readonly #options: JobLoopOptions;
  #turns: Promise<void> | undefined;
  #again = false;
  #nap: NodeJS.Timeout | undefined;
  #pause: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(options: JobLoopOptions) {
    this.#options = options;
  }

  /** Called when there may be something to do. */
  wake(): void {
    if (this.#pause !== undefined || !this.#options.mayRun()) return;
    this.#again = true;
    this.#turns ??= this.#work().finally(() => {
      this.#turns = undefined;
      if (this.#again) this.wake();
    });
  }

  get isWorking(): boolean {
    return this.#turns !== undefined;
  }

  /** Resolves when the turns that follow the last wake-up are done. */
  async idle(): Promise<void> {
    while (this.#turns !== undefined) await this.#turns;
  }

  /** A turn failed, or a job that outlives its turn. An unavailable store is logged once, until something succeeds. */
  failed(error: unknown): void {
    const { name, log, mayRun } = this.#options;
    // A store that closes before its services is unavailable, too.
    if (isPassing(error) && !mayRun()) return;
    if (this.#failures === 0 || !isPassing(error)) log(`${name}: ${failureText(error)}`);
    if (!isPassing(error) || this.#pause !== undefined) return;
    this.#pause = setTimeout(
      () => {
        this.#pause = undefined;
        this.wake();
      },
      PAUSES_MS[Math.min(this.#failures++, PAUSES_MS.length - 1)],
    ).unref();
  }

  /** Something succeeded: the next pause is short again. */
  worked(): void {
    this.#failures = 0;
  }

  async stop(): Promise<void> {
    this.#again = false;
    clearTimeout(this.#nap);
    clearTimeout(this.#pause);
    this.#pause = undefined;
    await this.idle();
  }

  async #work(): Promise<void> {
    const { turn, mayRun, napMs = Number.POSITIVE_INFINITY } = this.#options;
    clearTimeout(this.#nap);
    let wait = napMs;
    try {
      while (this.#again && mayRun()) {
        this.#again = false;
        wait = (await turn()) ?? napMs;
        if (wait === 0) this.#again = true;
      }
    } catch (error) {
      wait = napMs;
      this.failed(error);
    }
    if (Number.isFinite(wait) && mayRun()) this.#nap = setTimeout(() => this.wake(), wait).unref();
  }
}

/** Such a failure says nothing about the job that met it. */
export const isPassing = (error: unknown): boolean => error instanceof PdppError && error.code === "store_unavailable";

/** A job that fails this often in a row, over more than a minute, has a permanent problem. */
const IN_A_ROW = 20;

/** Tells whether the failures of a job may still be temporary. */
export function patience(): { lasts(id: string): boolean; renew(): void } {
  let met: { id: string; times: number } | undefined;
  return {
    lasts(id) {
      if (met?.id !== id) met = { id, times: 0 };
      return ++met.times < IN_A_ROW;
    },
    renew() {
      met = undefined;
    },
  };
}
