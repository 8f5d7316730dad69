// Runs due schedules: connectors, disk scans, watched folders. A run that fails or hangs never blocks others.
import type { Credential } from "../../engine/caller.ts";
import type { AnswerOf, CallName, QueryOf } from "../../engine/calls/calls.ts";
import type { EngineHost } from "../../engine/host.ts";
import { JobLoop } from "../../engine/job-loop.ts";
import type { DueSchedule } from "../../engine/write/schedules.ts";

/** Checks one target, and writes with `credential`. Returns a remark, or throws with a reason or `Stopped`. */
export type ScheduledRead = (due: DueSchedule, signal: AbortSignal, credential: Credential) => Promise<string>;

/** The owner stopped the run. */
export class Stopped extends Error {}

export interface SchedulerOptions {
  host: EngineHost;
  look: ScheduledRead;
  log: (text: string) => void;
  now?: () => number;
  /** The credential of the leader's term, under which results are stored. Absent if no other process runs schedules. */
  as?: Credential;
}

const SERVER: Credential = { home: true };
/** A command outside this server may have created a schedule, or the clock may have been changed. */
const CHECK_MS = 30_000;
const KEEP_MS = 30_000;
const MESSAGE_MAX = 500;

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  #keeper: NodeJS.Timeout | undefined;
  readonly #loop: JobLoop;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#loop = new JobLoop({
      name: "schedules",
      log: options.log,
      mayRun: () => !this.#stop.signal.aborted,
      round: () => this.#round(),
      intervalMs: CHECK_MS,
    });
    this.wake();
  }

  /** Called when something may be due. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when no due work is left. */
  async idle(): Promise<void> {
    await this.#loop.idle();
    await Promise.all(this.#running.values());
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const left = [...this.#running.keys()];
    await this.#loop.stop();
    await this.idle();
    clearInterval(this.#keeper);
    // Release the claimed schedules, so that the next server finds them due rather than claimed by a process that has
    // ended.
    if (left.length > 0) await this.#ask("keepSchedules", { ids: left, release: true }).catch(() => undefined);
  }

  async #round(): Promise<number> {
    const { next_at } = await this.#ask("scheduleHorizon", {});
    this.#loop.worked();
    const ahead = next_at === null ? CHECK_MS : next_at - this.#now();
    if (ahead > 0) return Math.min(CHECK_MS, ahead);
    const { due } = await this.#ask("takeDueSchedules", {});
    for (const one of due) this.#start(one);
    return due.length > 0 ? 0 : CHECK_MS;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #start(due: DueSchedule): void {
    const { id } = due;
    // The lease has expired, but the previous run is still in progress in this process.
    if (this.#running.has(id)) return;
    this.#keeper ??= setInterval(() => this.#keep(), KEEP_MS).unref();
    const run = this.#run(due).finally(() => {
      this.#running.delete(id);
      this.wake();
    });
    this.#running.set(id, run);
  }

  async #run(due: DueSchedule): Promise<void> {
    const { look, log, as = SERVER } = this.#options;
    const { id } = due;
    const started_at = this.#now();
    const settle = (status: "succeeded" | "failed" | "cancelled", message: string): Promise<unknown> =>
      this.#ask("settleSchedule", { id, started_at, status, message: message.slice(0, MESSAGE_MAX) });
    try {
      const message = await look(due, this.#stop.signal, as);
      await settle("succeeded", message);
    } catch (error) {
      // A server that shuts down leaves the run to the next one.
      if (this.#stop.signal.aborted) return;
      const stopped = error instanceof Stopped;
      if (!stopped) log(`schedule ${id}: ${(error as Error).message}`);
      await settle(stopped ? "cancelled" : "failed", (error as Error).message).catch((again: Error) =>
        log(`schedule ${id}: ${again.message}`),
      );
    }
  }

  #keep(): void {
    if (this.#running.size === 0) return;
    this.#ask("keepSchedules", { ids: [...this.#running.keys()] }).catch((error: Error) =>
      this.#options.log(`schedules: ${error.message}`),
    );
  }

  #ask<C extends CallName>(name: C, query: QueryOf<C>): Promise<AnswerOf<C>> {
    return this.#options.host.call(name, query, this.#options.as ?? SERVER);
  }
}
