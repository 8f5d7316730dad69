// Runs connectors: one run at a time per connection, and two in total. A failed run does not block others.
import type { CollectLog, CollectQuestion, CollectRun } from "../../contract/collect.ts";
import { failureText, PdppError } from "../../contract/errors.ts";
import { COLLECT } from "../../contract/limits.ts";
import type { Credential } from "../../engine/caller.ts";
import type { AnswerOf, CallName, QueryOf } from "../../engine/calls/calls.ts";
import type { HomeLock } from "../../engine/home-lock.ts";
import type { EngineHost } from "../../engine/host.ts";
import { isTemporary, JobLoop } from "../../engine/job-loop.ts";
import type { CollectTask } from "../../engine/write/collect-runs.ts";
import { endLeftover } from "./connector-process.ts";
import { Halt } from "./halt.ts";
import { oncePerSecond } from "./once-per-second.ts";
import type { AskOwner } from "./questions.ts";
import { currentConnector, newScratch, notReady, type RunEnd, removeScratch, runConnector } from "./run-connector.ts";
import { lockConnection } from "./run-folder.ts";

export interface ConnectorRunnerOptions {
  home: string;
  host: EngineHost;
  log: (text: string) => void;
  now?: () => number;
  /** How questions are answered: "later" means through `answer`, and absent means not at all. */
  ask?: AskOwner | "later";
  /** The credential of the leader's term in which connectors run here, or undefined if another process runs them. */
  as?: () => Credential | undefined;
  /** The only connection to run here. Set by a command, which leaves the other connections alone. */
  only?: string;
  /** Receives everything that a connector writes, as it arrives, for testing connectors. */
  tap?: { output: (line: Buffer) => void; log: (part: Buffer) => void };
}

export interface CollectOutcome extends Pick<CollectRun, "run_id" | "status" | "started_at" | "counts" | "error"> {
  ended_at: string;
}

const SERVER: Credential = { home: true };
const RETRY_MS = 1000;
const STOPPED = "the server stopped, or lost its connection to the database, during the run; it can be run again";

interface OpenQuestion {
  question: CollectQuestion;
  answer: (values: Record<string, string> | undefined) => void;
}

interface Active {
  connectionId: string;
  since: number;
  stop: AbortController;
  ended: Promise<void>;
  log?: () => Pick<CollectLog, "text" | "truncated">;
  waiting?: OpenQuestion;
}

export class ConnectorRunner {
  readonly #options: ConnectorRunnerOptions;
  readonly #active = new Map<string, Active>();
  readonly #loop: JobLoop;
  #closed = false;
  /** Also used for runs that end after another process has become the leader. */
  #as: Credential = SERVER;
  /** Runs whose outcome could not be stored yet. */
  readonly #unsaid = new Map<string, RunEnd>();

  constructor(options: ConnectorRunnerOptions) {
    this.#options = options;
    const { log, as = () => SERVER } = options;
    this.#loop = new JobLoop({
      name: "connectors",
      log,
      mayRun: () => as() !== undefined && !this.#closed,
      round: () => {
        this.#as = as() ?? this.#as;
        return this.#look();
      },
    });
    this.wake();
  }

  /** Called when there may be work to do. */
  wake(): void {
    this.#loop.wake();
  }

  /**
   * Starts a run and waits for its end. Refused (`job_already_running`) while another run of the connection is open. A
   * schedule waits for that run instead, and so does a command if an earlier command left a run that was never started.
   */
  async run(
    connectionId: string,
    {
      reason = "manual",
      mode = "incremental",
      signal,
    }: { reason?: CollectRun["reason"]; mode?: CollectRun["mode"]; signal?: AbortSignal } = {},
  ): Promise<CollectOutcome> {
    // Clean up after killed processes first.
    await this.#loop.idle();
    const run_id = await this.#begin({ connection_id: connectionId, reason, mode });
    // A run stopped by a command stays stopped, but a server resumes its run after a restart.
    const stop = (): void => void (reason === "schedule" ? this.#interrupt(run_id) : this.cancel(run_id));
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    try {
      return await this.outcome(run_id, reason === "schedule" ? signal : undefined);
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  async #begin(asked: Required<QueryOf<"startCollect">>): Promise<string> {
    for (;;) {
      try {
        return (await this.#ask("startCollect", asked)).run_id;
      } catch (error) {
        if (!(error instanceof PdppError) || error.code !== "job_already_running") throw error;
        const open = (await this.#ask("collectTasks", {})).find(
          ({ connection_id }) => connection_id === asked.connection_id,
        );
        // The other run has ended in the meantime.
        if (open === undefined) continue;
        const takenUp = this.#options.only === undefined ? undefined : this.#active.get(open.id);
        if (asked.reason !== "schedule" && takenUp === undefined) throw error;
        if (open.mode === asked.mode || takenUp === undefined) return open.id;
        await takenUp.ended;
      }
    }
  }

  /** Resolves to the result of a run that was started here. Rejects when the caller stops waiting. */
  async outcome(runId: string, signal?: AbortSignal): Promise<CollectOutcome> {
    for (;;) {
      this.wake();
      await this.#loop.idle();
      await this.#active.get(runId)?.ended;
      const run = await this.#ask("collectRun", { id: runId });
      const { status, started_at, ended_at, counts, error } = run;
      if (status !== "queued" && status !== "running")
        return {
          run_id: runId,
          status,
          started_at,
          ended_at: ended_at ?? run.updated_at,
          counts,
          ...(error && { error }),
        };
      if (this.#closed || signal?.aborted) throw new PdppError("store_unavailable", "the server is stopping");
      // The run is waiting for a free slot, or another process runs it.
      await Promise.race([...[...this.#active.values()].map((active) => active.ended), pause()]);
    }
  }

  #interrupt(runId: string): void {
    this.#active.get(runId)?.stop.abort(new Halt("interrupted", STOPPED));
  }

  async cancel(runId: string): Promise<void> {
    await this.#ask("cancelCollect", { id: runId }).catch(() => undefined);
    this.stopped(runId);
  }

  /** Stops a run that was already cancelled in the store. */
  stopped(runId: string): void {
    this.#active.get(runId)?.stop.abort(new Halt("cancelled", "it was cancelled"));
    this.wake();
  }

  /** Another process may have requested a run, or cancelled one. */
  async review(): Promise<void> {
    if (this.#active.size > 0) {
      const tasks = await this.#ask("collectTasks", {});
      for (const [id, { stop }] of this.#active)
        if (!tasks.some((task) => task.id === id)) stop.abort(new Halt("cancelled", "it was cancelled"));
      await this.#takeAnswers();
    }
    this.wake();
  }

  /** Called when a connection or its setup is being removed. */
  leave(connectionId: string): void {
    for (const { connectionId: own, stop } of this.#active.values())
      if (own === connectionId) stop.abort(new Halt("cancelled", "its connection was deleted"));
  }

  /** Passes an answer to the run that waits for it; undefined means that the owner refuses to answer. */
  answer(runId: string, requestId: string, values: Record<string, string> | undefined): void {
    const waiting = this.#active.get(runId)?.waiting;
    if (waiting?.question.request_id !== requestId) {
      throw new PdppError("invalid_request", `no run here is waiting for the answer ${JSON.stringify(requestId)}`, {
        next_step: "The command that runs this connector asks for the answer in its own terminal.",
      });
    }
    waiting.answer(values);
  }

  /** Collects answers that were given to another process. */
  async #takeAnswers(): Promise<void> {
    const ids = [...this.#active].filter(([, { waiting }]) => waiting !== undefined).map(([id]) => id);
    if (ids.length === 0) return;
    for (const { id, request_id, values } of await this.#ask("takeAnswers", { ids })) {
      const waiting = this.#active.get(id)?.waiting;
      if (waiting?.question.request_id === request_id) waiting.answer(values);
    }
  }

  /** The log of a run that is running here. */
  logOf(runId: string): CollectLog | undefined {
    const log = this.#active.get(runId)?.log;
    return log && { object: "collect_log", run_id: runId, ...log() };
  }

  async idle(): Promise<void> {
    do {
      await this.#loop.idle();
      await Promise.all([...this.#active.values()].map(({ ended }) => ended));
    } while (this.#loop.isWorking || this.#active.size > 0);
  }

  /** Running runs are stopped and marked as interrupted; queued runs are left for the next server. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const runId of this.#active.keys()) this.#interrupt(runId);
    await this.#loop.stop();
    await this.idle();
  }

  #ask<C extends CallName>(name: C, query: QueryOf<C>): Promise<AnswerOf<C>> {
    return this.#options.host.call(name, query, this.#as);
  }

  async #look(): Promise<number | undefined> {
    const tasks = await this.#ask("collectTasks", {});
    let next: number | undefined;
    // Oldest first, because the list starts with the newest.
    for (const task of tasks.toReversed()) if (!(await this.#consider(task))) next = RETRY_MS;
    if (tasks.length === 0) this.#loop.worked();
    return next;
  }

  /** Returns true if the task does not need another check soon. */
  async #consider(task: CollectTask): Promise<boolean> {
    const { only = task.connection_id } = this.#options;
    if (this.#active.has(task.id) || this.#closed || task.connection_id !== only) return true;
    if (task.status === "queued" && !this.#hasRoom()) return false;
    const lock = lockConnection(this.#options.home, task.connection_id);
    // Another process is running the task, or is about to release the lock.
    if (lock === undefined) return false;
    if (task.status === "running") {
      await this.#clear(task).finally(() => lock.release());
      return true;
    }
    const active: Active = {
      connectionId: task.connection_id,
      since: this.#now(),
      stop: new AbortController(),
      ended: Promise.resolve(),
    };
    this.#active.set(task.id, active);
    active.ended = this.#run(task, active, lock).then((isOver) => {
      this.#active.delete(task.id);
      if (isOver) this.wake();
    });
    return true;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  /** A run that is waiting for its owner, or is taking very long, does not block others. */
  #hasRoom(): boolean {
    const now = this.#now();
    const working = [...this.#active.values()].filter(
      ({ waiting, since }) => waiting === undefined && now - since < COLLECT.roomMs,
    );
    return working.length < COLLECT.atOnce && this.#active.size < COLLECT.aliveMax;
  }

  /** Checks again now that no other process can run the task, because it may have ended since the list was read. */
  async #clear({ id }: CollectTask): Promise<void> {
    const tasks = await this.#ask("collectTasks", {});
    const left = tasks.find((task) => task.id === id && task.status === "running");
    if (left !== undefined) await this.#interrupted(left);
  }

  /** The run's lock is free, so its process was killed. Its records are stored, but its cursors are not. */
  async #interrupted({ id, pid, scratch }: CollectTask): Promise<void> {
    if (pid !== undefined) endLeftover(pid, id);
    if (scratch !== undefined) await removeScratch(scratch).catch(() => undefined);
    await this.#end(id, this.#unsaid.get(id) ?? notReady(STOPPED, "interrupted"));
    this.#unsaid.delete(id);
  }

  async #end(id: string, { status, error, states, report, log }: RunEnd): Promise<void> {
    await this.#ask("endCollect", { id, status, ...(error && { error }), states, report, log });
  }

  /** Returns true if the next check need not wait. */
  async #run(task: CollectTask, active: Active, lock: HomeLock): Promise<boolean> {
    const { log } = this.#options;
    let scratch: string | undefined;
    try {
      scratch = await newScratch();
      await this.#ask("beginCollect", { id: task.id, scratch });
      const end = await this.#connect(task, active, scratch).catch((error: Error) => {
        if (!(error instanceof PdppError)) log(`connector run ${task.id}: ${error.stack ?? error.message}`);
        return notReady(error.message);
      });
      this.#unsaid.set(task.id, end);
      await this.#end(task.id, end);
      this.#unsaid.delete(task.id);
      this.#loop.worked();
      return true;
    } catch (error) {
      // The run was cancelled before it began, or deleted with its connection.
      const gone = error instanceof PdppError && ["job_already_running", "not_found"].includes(error.code);
      if (gone) this.#unsaid.delete(task.id);
      else if (isTemporary(error)) this.#loop.failed(error);
      else log(`connector run ${task.id}: ${failureText(error)}`);
      return !isTemporary(error);
    } finally {
      if (scratch !== undefined)
        await removeScratch(scratch).catch((error: Error) => log(`${scratch}: ${error.message}`));
      lock.release();
    }
  }

  async #connect(task: CollectTask, active: Active, scratch: string): Promise<RunEnd> {
    const { host, tap } = this.#options;
    const { id, connection_id, mode } = task;
    const setup = await this.#ask("runnableSetup", { connection_id });
    const connector = await currentConnector(setup);
    if (connector.changed) await this.#ask("renewSetup", { connection_id, manifest: connector.manifest });
    const note = oncePerSecond((progress: NonNullable<CollectRun["progress"]>) =>
      this.#ask("noteCollect", { id, progress }).catch(() => undefined),
    );
    const ask = this.#asker(id, active);
    const end = await runConnector({
      runId: id,
      mode,
      connector,
      setup,
      scratch,
      stopped: active.stop.signal,
      now: () => this.#now(),
      progress: note.tell,
      ...(ask === undefined ? {} : { ask }),
      ...(tap === undefined ? {} : { tap: tap.output, tapLog: tap.log }),
      onLog: (read) => {
        active.log = read;
      },
      spawned: (pid) => void this.#ask("collectSpawned", { id, pid }).catch(() => undefined),
      store: async ({ lines, numbers }) => {
        const stored = await this.#ask("collectBatch", { id, lines, numbers });
        for (const streamNo of stored.streamNos) host.changed(streamNo);
        return stored;
      },
    });
    await note.end();
    return end;
  }

  /** The question is stored in the run, where the owner can find it, until it is answered or the run stops waiting. */
  #asker(id: string, active: Active): AskOwner | undefined {
    const { ask } = this.#options;
    if (ask === undefined) return undefined;
    return async (question, signal) => {
      await this.#ask("noteCollect", { id, question });
      try {
        if (ask !== "later") return await ask(question, signal);
        return await new Promise((resolve, reject) => {
          active.waiting = { question, answer: resolve };
          this.wake();
          const over = (): void => reject(new Error("nobody answered"));
          signal.addEventListener("abort", over, { once: true });
          if (signal.aborted) over();
        });
      } finally {
        active.waiting = undefined;
        await this.#ask("noteCollect", { id, question: null }).catch(() => undefined);
      }
    };
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));
