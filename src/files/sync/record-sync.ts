// Keeps the records of connected roots up to date: after each scan, after the owner changes a setting, and after scans
// by another process.
import { failureText } from "../../contract/errors.ts";
import { FILE_TEXT_STREAM, FILES_CONNECTOR, FILES_STREAM } from "../../contract/file-access.ts";
import { type FileIndex, type FileJob, type FileRoot, isUnfinished } from "../../contract/files.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { filesDeclaration } from "../declaration.ts";
import type { LensAccess } from "../shell/lens-access.ts";
import type { RecordsAsked } from "../shell/shell-store.ts";
import { recordsAnswers } from "./records-sink.ts";
import { installedRecognition, recognitionName } from "./text/recognition.ts";

export interface RecordSyncOptions extends Pick<LensAccess, "files" | "store"> {
  host: EngineHost;
  log: (text: string) => void;
}

const SERVER: Credential = { home: true };
const VERSION = filesDeclaration.declaration_version;
type TextsAsked = Pick<RecordsAsked, "text" | "recognition">;

export class RecordSync {
  readonly #options: RecordSyncOptions;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: RecordSyncOptions) {
    this.#options = options;
  }

  /** Checks every root once current work is done. */
  wake(): void {
    this.#after(async () => {
      for (const root of await this.#options.files.roots()) await this.#look(root);
    }).catch((error: Error) => {
      if (!this.#closed) this.#options.log(`file records: ${failureText(error)}`);
    });
  }

  /**
   * Updates a root's records, whatever the result of earlier attempts. Returns undefined if the root was never scanned.
   */
  async now(rootId: string): Promise<FileJob | undefined> {
    return this.#after(async () => this.#look(await this.#options.files.root(rootId), true));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
  }

  #after<T>(work: () => Promise<T>): Promise<T | undefined> {
    const done = this.#work.then(() => (this.#closed ? undefined : work()));
    this.#work = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  async #look(root: FileRoot, anyway = false): Promise<FileJob | undefined> {
    const { files, store } = this.#options;
    const { rootId } = root;
    const connectionId = await store.connectionOf(rootId);
    if (connectionId === undefined) return undefined;
    const asked = await store.asked(rootId);
    const wish = await store.wantsText(rootId);
    const text = wish !== false;
    const recognition = text ? recognitionName(installedRecognition(), wish === "photos") : "none";
    const jobs = await files.jobs();
    if (!anyway && !mayHaveNews(root, asked, jobs, { text, recognition })) return undefined;
    if (!(await this.#isConnected(connectionId))) return undefined;
    const index = await this.#followed(root, asked);
    if (index === undefined) {
      if (asked !== undefined) await this.#empty(connectionId);
      // If this process is closing, the next leader continues.
      if (!this.#closed) await store.setAsked(rootId, undefined);
      return undefined;
    }
    const { indexId } = index;
    const [last] = await files.scans(indexId);
    const next: RecordsAsked = { indexId, scan: last!.scan, text, recognition, declared: VERSION };
    const open = jobs.filter(
      (job) => job.kind === "records" && isUnfinished(job) && root.indexIds.includes(job.indexId),
    );
    // Jobs that were started with other settings.
    const isOther = (job: FileJob): boolean => job.indexId !== indexId || !sameTexts(asked, next);
    for (const { jobId } of open.filter(isOther)) await files.cancelJob(jobId);
    const same = open.find((job) => !isOther(job));
    const isSettled = sameWish(asked, next) && asked!.declared === VERSION && !isBehind(asked!, jobs);
    // Store this before the job starts, because the job reads its target from it.
    await store.setAsked(rootId, next);
    if (!anyway && (isSettled || same !== undefined)) return same;
    if (asked?.declared !== VERSION) await this.#declare();
    return files.startRecords(indexId);
  }

  /**
   * Chooses the index without options, otherwise the one used before, so that records do not switch between indexes.
   */
  async #followed({ indexIds }: FileRoot, asked: RecordsAsked | undefined): Promise<FileIndex | undefined> {
    const all = await Promise.all(indexIds.map((indexId) => this.#options.files.indexInfo(indexId)));
    const complete = all.filter(({ status }) => status === "complete");
    return (
      complete.find(({ options }) => Object.keys(options).length === 0) ??
      complete.find(({ indexId }) => indexId === asked?.indexId) ??
      complete[0]
    );
  }

  /** Deletes a root's records after its last index was removed. */
  async #empty(connectionId: string): Promise<void> {
    const answer = recordsAnswers(this.#options.host, () => !this.#closed);
    for (const stream of [FILES_STREAM, FILE_TEXT_STREAM]) await answer({ empty: { connectionId, stream } });
  }

  async #isConnected(connectionId: string): Promise<boolean> {
    // Calls with this action are not logged.
    const { roots } = await this.#options.host.call("filesBearer", { action: "records" }, SERVER);
    return roots.some(({ connection_id }) => connection_id === connectionId);
  }

  /** Updates the declaration, because a home may have an older one with fewer streams. */
  async #declare(): Promise<void> {
    const { host } = this.#options;
    const { data } = await host.call("connectors", {}, SERVER);
    const known = data.find(({ connector_key }) => connector_key === FILES_CONNECTOR);
    if (known?.declaration_version === VERSION) return;
    await host.call("putConnector", { connector_key: FILES_CONNECTOR, declaration: filesDeclaration }, SERVER);
  }
}

const sameTexts = (one: TextsAsked | undefined, other: TextsAsked): boolean =>
  one?.text === other.text && (one.recognition ?? "none") === (other.recognition ?? "none");

/**
 * Returns whether the records may be out of date. Looks only at stored state, so that a server that starts on an
 * unchanged home opens no index.
 */
function mayHaveNews(
  { indexIds }: FileRoot,
  asked: RecordsAsked | undefined,
  jobs: readonly FileJob[],
  wish: TextsAsked,
): boolean {
  const scans = jobs.filter(
    (job) => job.kind === "index" && job.status === "succeeded" && indexIds.includes(job.indexId),
  );
  if (asked === undefined) return scans.length > 0;
  // An earlier version made the records differently.
  if (asked.declared !== VERSION) return true;
  if (!sameTexts(asked, wish) || !indexIds.includes(asked.indexId)) return true;
  // Jobs are listed newest first.
  const [last] = scans;
  return (last !== undefined && (last.indexId !== asked.indexId || last.scan !== asked.scan)) || isBehind(asked, jobs);
}

/** True if another scan ended while the records of the previous one were being made. */
function isBehind({ indexId, scan }: RecordsAsked, jobs: readonly FileJob[]): boolean {
  const last = jobs.find((job) => job.kind === "records" && job.indexId === indexId);
  return last?.status === "succeeded" && (last.scan ?? 0) < scan;
}

const sameWish = (one: RecordsAsked | undefined, other: RecordsAsked): boolean =>
  one !== undefined && one.indexId === other.indexId && one.scan === other.scan && sameTexts(one, other);
