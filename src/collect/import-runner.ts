// Runs imports that were requested over HTTP, one after another. An interrupted import continues where it stopped.
import { PdppError } from "../contract/errors.ts";
import type { ImportPlanRead } from "../contract/import-upload.ts";
import type { Credential } from "../engine/caller.ts";
import type { EngineHost } from "../engine/host.ts";
import { isTemporary, JobLoop, retryBudget } from "../engine/job-loop.ts";
import type { ObjectPlace } from "../engine/objects-place.ts";
import { type Uploads, uploadsAt } from "../engine/uploads.ts";
import type { ImportTask } from "../engine/write/import-requests.ts";
import { answerForm } from "./answers.ts";
import type { ImportAnswers } from "./importer.ts";
import { openParser, type Parser, type Planned } from "./parser.ts";
import { planRemembering } from "./remembered-answers.ts";
import { openQuestions, runImport } from "./run.ts";
import type { InputPath } from "./walk.ts";

export interface ImportRunnerOptions {
  home: string;
  /** Where blobs are stored and uploads are read from. Absent means the home. */
  objects?: ObjectPlace;
  host: EngineHost;
  log: (text: string) => void;
  now?: () => number;
  /** The credential of the leader's term in which imports run here, or undefined if another process runs them. */
  as?: () => Credential | undefined;
}

const SERVER: Credential = { home: true };
const SWEEP_MS = 10 * 60_000;
/** Plans are kept because a page polls until its plan is ready, and requests the plan again when it is reopened. */
const PLANS_KEPT = 10;

interface UploadedFile {
  upload: string;
  name: string;
}

export class ImportRunner {
  readonly #options: ImportRunnerOptions;
  readonly #uploads: Uploads;
  #running: { id: string; stop: AbortController } | undefined;
  readonly #loop: JobLoop;
  #closed = false;
  /** Cancels plans in progress. */
  readonly #closing = new AbortController();
  readonly #retryBudget = retryBudget();
  readonly #plans = new Map<string, Promise<ImportPlanRead>>();
  #forgetter: NodeJS.Timeout | undefined;

  constructor(options: ImportRunnerOptions) {
    this.#options = options;
    this.#uploads = uploadsAt(options.home, options.objects);
    this.#loop = new JobLoop({
      name: "imports",
      log: options.log,
      mayRun: () => this.#as !== undefined && !this.#closed,
      round: () => this.#round(),
      intervalMs: SWEEP_MS,
    });
  }

  get #as(): Credential | undefined {
    const { as = () => SERVER } = this.#options;
    return as();
  }

  /** Called when there may be work to do. */
  wake(): void {
    this.#loop.wake();
  }

  /** Stops an import: the part that is running ends with its next batch. */
  stop(id: string): void {
    if (this.#running?.id === id) this.#running.stop.abort();
    this.wake();
  }

  /** Another process may have requested an import, or told the running one to stop. */
  async review(): Promise<void> {
    const running = this.#running;
    if (running !== undefined) {
      const task = (await this.#tasks()).find(({ id }) => id === running.id);
      if (task === undefined || task.status === "paused" || task.status === "cancelled") running.stop.abort();
    }
    this.wake();
  }

  /** Plans the import of the uploaded files, which are read only once, however many times the plan is requested. */
  async plan(id: string, answers: ImportAnswers): Promise<ImportPlanRead> {
    const task = (await this.#tasks()).find((one) => one.id === id)!;
    const sent = await this.#sentFiles(task);
    const key = JSON.stringify([id, sent.length, Object.entries(answers).sort()]);
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      plan = this.#look(id, sent, answers);
      this.#plans.set(key, plan);
      plan.catch(() => this.#plans.delete(key));
      for (const old of [...this.#plans.keys()].slice(0, -PLANS_KEPT)) this.#plans.delete(old);
    }
    return plan;
  }

  async #look(id: string, sent: readonly UploadedFile[], answers: ImportAnswers): Promise<ImportPlanRead> {
    try {
      return await this.#planOf(id, await this.#parser(sent), answers);
    } finally {
      // Files are removed later, because another server on this home may be reading them.
      this.#forgetter ??= setInterval(() => void this.#forgetEnded(), SWEEP_MS).unref();
    }
  }

  async #planOf(id: string, parser: Parser, answers: ImportAnswers): Promise<ImportPlanRead> {
    try {
      const { host } = this.#options;
      const remembering = { parser, host, credential: this.#as ?? SERVER };
      const { planned, remembered } = await planRemembering(remembering, answers, this.#closing.signal);
      const { groups, left } = planned;
      return {
        object: "import_plan",
        import_id: id,
        groups: groups.map((group) => publicGroup(group, remembered)),
        left_out: left,
      };
    } finally {
      await parser.close();
    }
  }

  async idle(): Promise<void> {
    await this.#loop.idle();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#closing.abort();
    clearInterval(this.#forgetter);
    this.#running?.stop.abort();
    await Promise.allSettled([this.#loop.stop(), ...this.#plans.values()]);
  }

  async #tasks(): Promise<ImportTask[]> {
    return await this.#options.host.call("importTasks", {}, this.#as ?? SERVER);
  }

  async #round(): Promise<number | undefined> {
    const tasks = await this.#tasks();
    await this.#sweep();
    // Oldest first, because the list starts with the newest.
    const next = tasks.findLast(
      ({ status, progress }) => progress.run !== undefined && (status === "queued" || status === "running"),
    );
    const as = this.#as;
    // Another process may have been elected leader since the list was read.
    if (as === undefined || this.#closed) return undefined;
    if (next !== undefined) await this.#run(next, as);
    this.#loop.worked();
    return next === undefined ? undefined : 0;
  }

  /** Deletes the files of imports that have ended, or that expired before they were run. */
  async #sweep(): Promise<void> {
    await this.#uploads.keep(() => this.#open());
  }

  /** Deletes files that were joined for a plan, on a server that does not run imports. */
  async #forgetEnded(): Promise<void> {
    // A failure is retried at the next interval.
    await this.#uploads.forgetOthers(() => this.#open()).catch(() => undefined);
  }

  /** Imports whose files may still be needed. */
  async #open(): Promise<ReadonlySet<string>> {
    const { now = Date.now } = this.#options;
    const kept = (await this.#tasks()).filter(({ status, progress, expiresAt }) => {
      const waits = status === "queued" || status === "running" || status === "paused";
      return waits && (progress.run !== undefined || now() < expiresAt);
    });
    return new Set(kept.map(({ id }) => id));
  }

  /** Throws if a file is incomplete, because an import of half a file would look like a complete one. */
  async requireFiles(id: string): Promise<void> {
    const task = (await this.#tasks()).find((one) => one.id === id);
    // If the import can no longer run, the engine refuses it with a reason.
    if (task?.status === "queued" && task.progress.run === undefined) await this.#sentFiles(task);
  }

  async #sentFiles({ id, progress }: ImportTask): Promise<UploadedFile[]> {
    const sent: UploadedFile[] = [];
    for (const [index, { name, size }] of progress.files.entries()) {
      const upload = `${id}.${index}`;
      const here = await this.#uploads.bytes(upload);
      if (here !== size) {
        throw new PdppError("invalid_request", `${here} of ${size} bytes of ${JSON.stringify(name)} have arrived`, {
          next_step: `Send the rest: PATCH /v1/imports/uploads/${upload} with Upload-Offset: ${here}`,
        });
      }
      // An empty file has no chunks.
      if (size > 0) sent.push({ upload, name });
    }
    return sent;
  }

  async #isCancelled(id: string): Promise<boolean> {
    return (await this.#tasks()).some((task) => task.id === id && task.status === "cancelled");
  }

  async #parser(sent: readonly UploadedFile[]): Promise<Parser> {
    const { home, objects } = this.#options;
    const given: InputPath[] = [];
    for (const { upload, name } of sent) given.push({ path: await this.#uploads.file(upload), name });
    return openParser({ home, objects, given });
  }

  async #run(task: ImportTask, credential: Credential): Promise<void> {
    const { host, log } = this.#options;
    const { id, progress } = task;
    const { answers: given, as } = progress.run!;
    const stop = new AbortController();
    this.#running = { id, stop };
    const done = { ...progress.done };
    let left = progress.left;
    let now: { running?: string; parts?: number } = {};
    const settle = (status: "running" | "paused" | "succeeded" | "failed", error?: string): Promise<object> =>
      host.call(
        "settleImport",
        { id, status, done, left, ...now, ...(error === undefined ? {} : { error }) },
        credential,
      );
    try {
      await settle("running");
      const parser = await this.#parser(await this.#sentFiles(task));
      try {
        const { planned, answers } = await planRemembering({ parser, host, credential }, given, stop.signal);
        left = planned.left;
        now = { parts: planned.groups.length };
        for (const group of planned.groups) {
          if (stop.signal.aborted) break;
          if (done[group.group] !== undefined) continue;
          const [question] = openQuestions(group, answers);
          if (question !== undefined) {
            const advice = `import it again with the answer ${answerForm(question)}`;
            left = [...left, { path: group.name, reason: `a question needs an answer: ${question.text}`, advice }];
            continue;
          }
          const job = await runImport(
            {
              host,
              credential,
              parser,
              answers,
              as,
              signal: stop.signal,
              // Callers that read the request see the part that is running.
              onProgress({ import_id: running }) {
                if (running === now.running || stop.signal.aborted) return;
                now = { ...now, running };
                settle("running").catch(() => undefined);
              },
            },
            group,
          );
          if (job.status === "paused" && !this.#closed) {
            stop.abort();
            if (await this.#isCancelled(id)) await host.call("cancelImport", { id: job.import_id }, credential);
          }
          if (job.status !== "paused" && job.status !== "running") done[group.group] = job.import_id;
        }
        // A server that shuts down leaves the import marked as running, and the next server continues it.
        if (stop.signal.aborted) await settle(this.#closed ? "running" : "paused");
        else await settle("succeeded");
        this.#retryBudget.reset();
      } finally {
        await parser.close();
      }
    } catch (error) {
      if (isTemporary(error)) {
        // The import stays as it is and will continue where it stopped. If the problem persists, it is paused so that
        // someone looks at it and other imports can run.
        if (!this.#retryBudget.mayRetry(id)) await settle("paused", (error as Error).message);
        throw error;
      }
      // The import was stopped while its files were being examined.
      if (stop.signal.aborted) {
        await settle(this.#closed ? "running" : "paused").catch(() => undefined);
        return;
      }
      if (!(error instanceof PdppError)) log(`import ${id}: ${(error as Error).stack ?? String(error)}`);
      // Someone has to free space first.
      const isFull = error instanceof PdppError && error.code === "storage_full";
      await settle(isFull ? "paused" : "failed", (error as Error).message).catch(() => undefined);
    } finally {
      this.#running = undefined;
    }
  }
}

function publicGroup(group: Planned["groups"][number], remembered: ImportAnswers): ImportPlanRead["groups"][number] {
  const { importer, reason, name, account, files, bytes, streams, questions, warnings } = group;
  return {
    group: group.group,
    importer,
    reason,
    name,
    account,
    files,
    bytes,
    streams: streams.map((stream) => ({ ...stream })),
    questions: questions.map(({ options, ...question }) => ({
      ...question,
      ...(options === undefined ? {} : { options: [...options] }),
      ...(remembered[question.id] === undefined ? {} : { earlier: remembered[question.id] }),
    })),
    warnings: [...warnings],
  };
}
