// Runs export jobs one after another, and deletes expired ones. A job interrupted by a crash starts again.
import { PdppError } from "../../contract/errors.ts";
import { EXPORT } from "../../contract/limits.ts";
import type { StoredObject } from "../../store/objects.ts";
import type { Credential } from "../caller.ts";
import type { EngineHost } from "../host.ts";
import { isTemporary, JobLoop, retryBudget } from "../job-loop.ts";
import { homeObjects, type ObjectPlace, type ObjectStorage, openObjects } from "../objects-place.ts";
import { keepOnly, makeExportsDirectory, mayHaveExports, newExportFile, removeExport, writeExport } from "./files.ts";
import { type ExportTask, type JobProgress, jobError } from "./jobs.ts";
import { openExportStream } from "./stream.ts";

export interface ExportRunnerOptions {
  home: string;
  /** Where finished files are stored. The default is the home. */
  objects?: ObjectPlace;
  host: EngineHost;
  log: (text: string) => void;
  now?: () => number;
  diskBytes?: number;
}

/** An export that was interrupted this many times is not started again, because it may be what stops the server. */
const ATTEMPTS_MAX = 5;
const SWEEP_MS = 10 * 60_000;
const SERVER: Credential = { home: true };

export class ExportRunner {
  readonly #options: ExportRunnerOptions;
  readonly #objects: ObjectStorage;
  /** The exports whose files were kept at the last check. */
  #swept: string | undefined;
  #running: { id: string; progress: JobProgress; stopped: boolean } | undefined;
  readonly #loop: JobLoop;
  readonly #retryBudget = retryBudget();
  /** The credential for running exports. Undefined until this process may run them. */
  #as: Credential | undefined;
  #closed = false;

  constructor(options: ExportRunnerOptions) {
    this.#options = options;
    this.#objects = openObjects(options.objects ?? homeObjects(options.home));
    this.#loop = new JobLoop({
      name: "exports",
      log: options.log,
      mayRun: () => this.#as !== undefined && !this.#closed,
      round: () => this.#round(),
      intervalMs: SWEEP_MS,
    });
  }

  /** From now on, exports run in this process. */
  begin(as: Credential): void {
    this.#as = as;
    // A home that never exported has nothing to resume.
    this.review();
  }

  /** Called when there may be something to do. */
  wake(): void {
    this.#loop.wake();
  }

  /** Grants or connections were removed, so files that depend on them are deleted too. */
  review(): void {
    if (mayHaveExports(this.#objects)) this.wake();
  }

  /** Another process may have requested an export, or deleted the one that is running. */
  async news(): Promise<void> {
    const running = this.#running;
    if (running !== undefined && !(await this.#tasks()).some(({ id }) => id === running.id)) running.stopped = true;
    this.wake();
  }

  /** The progress of the running export. The stored value is older. */
  progress(id: string): JobProgress | undefined {
    return this.#running?.id === id ? this.#running.progress : undefined;
  }

  /** Stops a deleted job and removes its file. */
  async forget(id: string): Promise<void> {
    if (this.#running?.id === id) this.#running.stopped = true;
    else await removeExport(this.#objects, id);
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    await this.#loop.idle();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#running !== undefined) this.#running.stopped = true;
    await this.#loop.stop();
  }

  async #round(): Promise<number | undefined> {
    const tasks = await this.#tasks();
    await this.#sweep(tasks);
    // The list starts with the newest, so take the last one: the oldest runs first.
    const next = tasks.findLast(({ status }) => status === "queued" || status === "running");
    if (next !== undefined) await this.#run(next);
    this.#loop.worked();
    return next === undefined ? undefined : 0;
  }

  async #tasks(): Promise<ExportTask[]> {
    return await this.#options.host.call("exportTasks", {}, this.#as ?? SERVER);
  }

  async #sweep(tasks: readonly ExportTask[]): Promise<void> {
    const { host, now = Date.now } = this.#options;
    const kept = tasks.filter(({ status, stands, expiresAt }) => status === "succeeded" && stands && now() < expiresAt);
    const files = kept.map(fileOf);
    // Listing a bucket costs money, and the files only change when the exports do.
    const unchanged = this.#objects.place.kind === "s3" && this.#swept === files.join();
    if (!unchanged) await keepOnly(this.#objects, new Set(files), this.#term);
    this.#swept = files.join();
    for (const { id, status, stands, progress } of tasks) {
      if (status === "succeeded" && !stands)
        await this.#settle(id, "failed", { ...progress, error: jobError(fallen()) });
    }
    for (const { id, expiresAt } of tasks) {
      // An expired export is still listed for a while, and then deleted.
      if (now() >= expiresAt + EXPORT.rememberedMs) await host.call("dropExport", { id }, this.#as!);
    }
  }

  async #run(task: ExportTask): Promise<void> {
    const { id, holder, request, progress: before } = task;
    const progress: JobProgress = { records: 0, attempts: before.attempts + 1 };
    const running = { id, progress, stopped: false };
    this.#running = running;
    try {
      if (before.attempts >= ATTEMPTS_MAX) {
        throw new PdppError("api_error", `this export was started ${ATTEMPTS_MAX} times and interrupted each time`, {
          next_step: "Request less, or check the server's log; then start it again: POST /v1/exports.",
        });
      }
      if ((await this.#settle(id, "running", progress)).gone) return;
      const credential = holder === null ? SERVER : { grant: holder };
      const file = newExportFile(id, this.#term);
      const written = await this.#write(running, file, request, credential);
      if (written === undefined) {
        // A server that is told to stop puts the export back in the queue and does not count the attempt. An attempt is
        // counted only if the export may have stopped the server.
        if (this.#closed) await this.#settle(id, "queued", before);
        return;
      }
      const { sizeBytes, sha256 } = written;
      const done = await this.#settle(id, "succeeded", { ...progress, file, size_bytes: sizeBytes, sha256 });
      if (done.gone) await removeExport(this.#objects, id);
      this.#retryBudget.reset();
    } catch (error) {
      if (isTemporary(error) && this.#retryBudget.mayRetry(id)) {
        // A temporary failure is not the export's fault, so the export is queued again and no attempt is counted.
        await this.#settle(id, "queued", before).catch(() => undefined);
        throw error;
      }
      const typed = error instanceof PdppError ? error : undefined;
      if (typed === undefined) this.#options.log(`export ${id}: ${(error as Error).stack ?? String(error)}`);
      const reason = typed ?? new PdppError("api_error", "something went wrong on this server; your request was valid");
      await this.#settle(id, "failed", { ...progress, error: jobError(reason) });
    } finally {
      this.#running = undefined;
    }
  }

  /** A home without a database has one server and no terms. */
  get #term(): number {
    const as = this.#as ?? SERVER;
    return ("term" in as ? as.term : undefined) ?? 0;
  }

  async #write(
    running: { id: string; progress: JobProgress; stopped: boolean },
    file: string,
    { query, format, grant_id }: ExportTask["request"],
    credential: Credential,
  ): Promise<StoredObject | undefined> {
    const { host, diskBytes = EXPORT.diskBytes } = this.#options;
    const { progress } = running;
    const opened = await openExportStream({ host, credential }, { ...query, format }, { forFile: true });
    if (opened.grant_id !== grant_id) throw fallen();
    progress.total = opened.total;
    const confirm = () => this.#settle(running.id, "running", progress);
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const { bytes, records } of opened.pieces) {
        yield bytes;
        progress.records += records;
      }
      // A process that was paused during the export may have lost leadership. The confirmation then fails, so the file
      // does not get its final name.
      await confirm();
    }
    await makeExportsDirectory(this.#objects);
    return writeExport(this.#objects, file, counted(), { diskBytes, goesOn: () => !running.stopped });
  }

  async #settle(id: string, status: "queued" | "running" | "succeeded" | "failed", progress: JobProgress) {
    const { host } = this.#options;
    return await host.call("settleExport", { id, status, progress }, this.#as!);
  }
}

/** Older files are named after their job. */
const fileOf = ({ id, progress }: ExportTask): string => progress.file ?? id;

const fallen = (): PdppError => new PdppError("grant_revoked", "this export's grant or connection no longer exists");
