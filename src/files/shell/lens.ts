// The files lens: its indexes, the state of the shell, and the roots as connections of the record server. It reaches
// its data through calls (lens-access.ts), so nothing here waits for SQLite.
import { PdppError } from "../../contract/errors.ts";
import { FILES_CONNECTOR } from "../../contract/file-access.ts";
import type { FileIndex, FileJob, FileRoot } from "../../contract/files.ts";
import { NAME_MAX } from "../../contract/limits.ts";
import type { TextChoice } from "../../contract/owner-file-lens.ts";
import type { JsonValue } from "../../contract/record.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { paging } from "../calls/context.ts";
import { filesDeclaration } from "../declaration.ts";
import { RecordSync } from "../sync/record-sync.ts";
import { recordsAnswers } from "../sync/records-sink.ts";
import { watchHolders } from "./app-jobs.ts";
import type { ConnectedRoot } from "./connected-roots.ts";
import { accessInProcess, accessInThread, type LensAccess } from "./lens-access.ts";
import type { LensDataOptions } from "./lens-data.ts";

export interface LensOptions extends Partial<LensDataOptions> {
  home: string;
  host: EngineHost;
  /** Keeps the data in a thread, as a server does, so that other requests do not wait. */
  inThread?: boolean;
  now?: () => number;
  log?: (text: string) => void;
}

/** Counts of everything that was removed together with a root. The files on disk are untouched. */
export interface RemovedRoot extends ConnectedRoot {
  /** Selections and saved queries of the root's indexes. */
  resourceSets: number;
  queries: number;
  /** The records of the root's connection. */
  records: number;
}

const OWNER: Credential = { home: true };

export class FilesLens {
  readonly host: EngineHost;
  readonly files: LensAccess["files"];
  readonly store: LensAccess["store"];
  readonly selections: LensAccess["selections"];
  readonly now: () => number;
  readonly #access: LensAccess;
  readonly #records: RecordSync;
  readonly #held: ReturnType<typeof watchHolders>;
  readonly #listeners = new Set<(job: FileJob) => void>();
  #cursorKey: Promise<Uint8Array> | undefined;

  constructor(options: LensOptions) {
    const { home, host, now = Date.now, resume = true, records = "gently", log = () => undefined } = options;
    this.host = host;
    this.now = now;
    const listeners = {
      onJob: (job: FileJob): void => this.#heardOf(job),
      onOthers: (): void => this.#records.wake(),
      answer: recordsAnswers(host),
    };
    this.#access = options.inThread
      ? accessInThread({ home, resume, records }, listeners, log)
      : accessInProcess({ home, resume, records }, listeners, now);
    this.files = this.#access.files;
    this.store = this.#access.store;
    this.selections = this.#access.selections;
    this.#records = new RecordSync({ host, files: this.files, store: this.store, log });
    this.#held = watchHolders({ host, files: this.files, log });
    // App jobs may have been running when the last process ended.
    if (resume) this.watchJobs();
    // Scans may have ended while no process was updating their records.
    if (records === "gently" && resume) this.#records.wake();
  }

  /** Calls the listener for every change to a job that runs here. Returns a function that stops listening. */
  onJob(listener: (job: FileJob) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Watches the jobs of apps until there are none left, and ends each job when its grant ends. */
  watchJobs(): void {
    this.#held.watch();
  }

  #heardOf(job: FileJob): void {
    if (job.status === "succeeded" && job.kind !== "digest") this.#records.wake();
    for (const listener of [...this.#listeners]) listener(job);
  }

  /** Turns list positions into cursors that cannot be forged, and back. */
  async pages<Position extends JsonValue = string>(binding: JsonValue) {
    this.#cursorKey ??= this.files.cursorKey();
    this.#cursorKey.catch(() => {
      this.#cursorKey = undefined;
    });
    return paging<Position>({ key: await this.#cursorKey }, binding);
  }

  /**
   * Also creates the connection. Adding the same path again returns the same root; `text` and `crossMounts` stay
   * unchanged unless given.
   */
  async addRoot(
    { text, crossMounts, ...root }: { path: string | Uint8Array; name?: string; text?: boolean; crossMounts?: boolean },
    credential = OWNER,
  ): Promise<ConnectedRoot> {
    await this.host.call("admit", { owner: true }, credential);
    // This makes the files of another directory readable.
    await this.host.call("recentPassword", {}, credential);
    const { rootId } = await this.files.addRoot(root);
    const added = await (crossMounts === undefined
      ? this.files.root(rootId)
      : this.files.setCrossMounts(rootId, crossMounts));
    const connectionId = await this.#connect(added, credential);
    if (text !== undefined) await this.#setText(added.rootId, text);
    return { ...added, connectionId, text: await this.store.wantsText(added.rootId) };
  }

  /** Sets whether scans enter other file systems below the root, and rescans its indexes to apply the choice. */
  async setCrossMounts(rootId: string, crossMounts: boolean, credential = OWNER): Promise<void> {
    await this.host.call("admit", { owner: true }, credential);
    if ((await this.files.root(rootId)).crossMounts === crossMounts) return;
    // This makes the files of other disks readable.
    if (crossMounts) await this.host.call("recentPassword", {}, credential);
    const { indexIds } = await this.files.setCrossMounts(rootId, crossMounts);
    for (const indexId of indexIds) {
      // A running scan still uses the previous setting, so cancel it.
      const { jobId } = await this.files.indexInfo(indexId);
      if (jobId !== undefined) await this.files.cancelJob(jobId);
      await this.files.rescan(indexId);
    }
  }

  /**
   * Sets whether the text of the root's files is also a record stream. The text is extracted, or removed again, in the
   * background.
   */
  async setText(rootId: string, text: TextChoice, credential = OWNER): Promise<void> {
    await this.host.call("admit", { owner: true }, credential);
    await this.files.root(rootId);
    await this.#setText(rootId, text);
  }

  async #setText(rootId: string, text: TextChoice): Promise<void> {
    await this.store.setText(rootId, text);
    this.#records.wake();
  }

  /** Updates a root's records to match its last scan. Returns undefined if the root was never scanned. */
  async syncRecords(rootId: string, credential = OWNER): Promise<FileJob | undefined> {
    await this.host.call("admit", { owner: true }, credential);
    return this.#records.now(rootId);
  }

  /** Removes the root with its indexes and its connection. The files themselves are not touched. */
  async removeRoot(rootId: string, credential = OWNER): Promise<RemovedRoot> {
    await this.host.call("admit", { owner: true }, credential);
    const root = await this.files.root(rootId);
    const connectionId = await this.store.connectionOf(rootId);
    await this.files.removeRoot(rootId);
    const gone = await this.store.forgetRoot(rootId, root.indexIds);
    const records = connectionId === undefined ? 0 : await this.#disconnect(connectionId, credential);
    return { ...root, connectionId: connectionId ?? "", text: false, ...gone, records };
  }

  /** Removes the index with its selections and saved queries. Its root stays approved. */
  async removeIndex(indexId: string, credential = OWNER): Promise<{ resourceSets: number; queries: number }> {
    await this.host.call("admit", { owner: true }, credential);
    await this.files.removeIndex(indexId);
    const gone = await this.store.forgetIndexes([indexId]);
    this.#records.wake();
    return gone;
  }

  /** Returns all roots, including those that some callers may not see. */
  roots(): Promise<ConnectedRoot[]> {
    return this.#access.roots.list();
  }

  /**
   * Rescans the disk of a connection and returns a summary of the result. If the caller stops waiting, the scan
   * continues.
   */
  async scanAgain(connectionId: string, signal?: AbortSignal): Promise<string> {
    const root = (await this.roots()).find((one) => one.connectionId === connectionId);
    if (root === undefined) {
      throw new PdppError("connection_not_found", `${connectionId} no longer has a disk`, {
        next_step: `Remove its schedule: pdpp schedules remove ${connectionId}`,
      });
    }
    const index = await this.indexOf(root);
    const { jobId } =
      index === undefined ? await this.files.index({ rootId: root.rootId }) : await this.files.rescan(index.indexId);
    const { status, error, progress } = await this.files.jobEnded(jobId, signal);
    if (status !== "succeeded") throw new Error(error ?? `the scan was ${status}`);
    return `${progress.files} files, ${progress.problems} problems`;
  }

  /** Returns the index to use for a root. */
  indexOf(root: FileRoot): Promise<FileIndex | undefined> {
    return this.#access.roots.indexOf(root);
  }

  async close(): Promise<void> {
    await this.#held.close();
    await this.#records.close();
    await this.#access.close();
  }

  async #connect({ rootId, path }: FileRoot, credential: Credential): Promise<string> {
    const known = await this.store.connectionOf(rootId);
    if (known !== undefined && (await this.#exists(known))) return known;
    await this.host.call(
      "putConnector",
      { connector_key: FILES_CONNECTOR, declaration: filesDeclaration as never },
      credential,
    );
    const { connection_id } = await this.host.call(
      "createConnection",
      { connector_id: FILES_CONNECTOR, display_name: path.length > NAME_MAX ? `…${path.slice(1 - NAME_MAX)}` : path },
      credential,
    );
    await this.store.setConnection(rootId, connection_id);
    return connection_id;
  }

  async #disconnect(connectionId: string, credential: Credential): Promise<number> {
    if (!(await this.#exists(connectionId))) return 0;
    const { records_deleted } = await this.host.call("deleteConnection", { connection_id: connectionId }, credential);
    return records_deleted;
  }

  async #exists(connectionId: string): Promise<boolean> {
    const { data } = await this.host.call("connections", {}, OWNER);
    return data.some(({ connection_id }) => connection_id === connectionId);
  }
}
