// The files lens: its indexes, the state of the shell, and the roots as connections of the record server. Its data is
// accessed through calls (lens-access.ts): nothing here waits for SQLite.
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
import type { ConnectedRoot } from "./connected-roots.ts";
import { watchHolders } from "./held-jobs.ts";
import { accessInProcess, accessInThread, type LensAccess } from "./lens-access.ts";
import type { LensDataOptions } from "./lens-data.ts";

export interface LensOptions extends Partial<LensDataOptions> {
  home: string;
  host: EngineHost;
  /** Keeps its data in a thread, as in a server, where others wait for this process. */
  inThread?: boolean;
  now?: () => number;
  log?: (text: string) => void;
}

/** Everything that was removed with a root besides the root itself; the files on disk are untouched. */
export interface RemovedRoot extends ConnectedRoot {
  /** Selections and saved queries of its indexes. */
  resourceSets: number;
  queries: number;
  /** The records of its connection. */
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
    // Jobs of apps that were running when the last process ended.
    if (resume) this.watchJobs();
    // Scans that ended while no process updated their records.
    if (records === "gently" && resume) this.#records.wake();
  }

  /** Called for every change of a job that runs here; returns a function that stops listening. */
  onJob(listener: (job: FileJob) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends jobs of apps with their grants, until there are none left. */
  watchJobs(): void {
    this.#held.watch();
  }

  #heardOf(job: FileJob): void {
    if (job.status === "succeeded" && job.kind !== "digest") this.#records.wake();
    for (const listener of [...this.#listeners]) listener(job);
  }

  /** Positions in a list, as cursors that cannot be forged. */
  async pages<Position extends JsonValue = string>(binding: JsonValue) {
    this.#cursorKey ??= this.files.cursorKey();
    this.#cursorKey.catch(() => {
      this.#cursorKey = undefined;
    });
    return paging<Position>({ key: await this.#cursorKey }, binding);
  }

  /**
   * Also creates the connection. The same path again is the same root; `text` and `crossMounts` stay unchanged unless
   * given.
   */
  async addRoot(
    { text, crossMounts, ...root }: { path: string | Uint8Array; name?: string; text?: boolean; crossMounts?: boolean },
    credential = OWNER,
  ): Promise<ConnectedRoot> {
    await this.host.call("admit", { owner: true }, credential);
    // From now on the files of another directory can be read.
    await this.host.call("recentPassword", {}, credential);
    const { rootId } = await this.files.addRoot(root);
    const added = await (crossMounts === undefined
      ? this.files.root(rootId)
      : this.files.setCrossMounts(rootId, crossMounts));
    const connectionId = await this.#connect(added, credential);
    if (text !== undefined) await this.#setText(added.rootId, text);
    return { ...added, connectionId, text: await this.store.wantsText(added.rootId) };
  }

  /** Whether scans enter other file systems below it. Its indexes are scanned again to apply the choice. */
  async setCrossMounts(rootId: string, crossMounts: boolean, credential = OWNER): Promise<void> {
    await this.host.call("admit", { owner: true }, credential);
    if ((await this.files.root(rootId)).crossMounts === crossMounts) return;
    // From now on the files of other disks can be read.
    if (crossMounts) await this.host.call("recentPassword", {}, credential);
    const { indexIds } = await this.files.setCrossMounts(rootId, crossMounts);
    for (const indexId of indexIds) {
      // A scan that has started uses the previous choice.
      const { jobId } = await this.files.indexInfo(indexId);
      if (jobId !== undefined) await this.files.cancelJob(jobId);
      await this.files.rescan(indexId);
    }
  }

  /** Whether the text of its files is also a stream of records: extracted in the background, or removed again. */
  async setText(rootId: string, text: TextChoice, credential = OWNER): Promise<void> {
    await this.host.call("admit", { owner: true }, credential);
    await this.files.root(rootId);
    await this.#setText(rootId, text);
  }

  async #setText(rootId: string, text: TextChoice): Promise<void> {
    await this.store.setText(rootId, text);
    this.#records.wake();
  }

  /** Updates the records of a root to match its last scan; undefined: it was never scanned. */
  async syncRecords(rootId: string, credential = OWNER): Promise<FileJob | undefined> {
    await this.host.call("admit", { owner: true }, credential);
    return this.#records.now(rootId);
  }

  /** Removes it with its indexes and its connection. The files themselves are not touched. */
  async removeRoot(rootId: string, credential = OWNER): Promise<RemovedRoot> {
    await this.host.call("admit", { owner: true }, credential);
    const root = await this.files.root(rootId);
    const connectionId = await this.store.connectionOf(rootId);
    await this.files.removeRoot(rootId);
    const gone = await this.store.forgetRoot(rootId, root.indexIds);
    const records = connectionId === undefined ? 0 : await this.#disconnect(connectionId, credential);
    return { ...root, connectionId: connectionId ?? "", text: false, ...gone, records };
  }

  /** Removes it with its selections and saved queries; its root stays approved. */
  async removeIndex(indexId: string, credential = OWNER): Promise<{ resourceSets: number; queries: number }> {
    await this.host.call("admit", { owner: true }, credential);
    await this.files.removeIndex(indexId);
    const gone = await this.store.forgetIndexes([indexId]);
    this.#records.wake();
    return gone;
  }

  /** All of them, including those that some callers may not see. */
  roots(): Promise<ConnectedRoot[]> {
    return this.#access.roots.list();
  }

  /**
   * Scans the disk of a connection again; returns a remark about the result. If the caller stops waiting, the scan
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

  /** The index of a root to use. */
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
