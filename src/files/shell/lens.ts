// The files lens of a server: its indexes, what the shell remembers, and the roots as connections of the record server.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { List } from "../../contract/answers.ts";
import type { ConnectionDeleted, ConnectionRead } from "../../contract/connection.ts";
import { PdppError } from "../../contract/errors.ts";
import { FILES_CONNECTOR } from "../../contract/file-access.ts";
import type { FileIndex, FileJob, FileRoot } from "../../contract/files.ts";
import { NAME_MAX } from "../../contract/limits.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { filesDeclaration } from "../declaration.ts";
import { type Files, openFiles } from "../files.ts";
import { RecordSync } from "../sync/record-sync.ts";
import { recordsAnswers } from "../sync/records-sink.ts";
import { ShellStore } from "./shell-store.ts";

export interface LensOptions {
  home: string;
  host: EngineHost;
  now?: () => number;
  /** Go on with scans that were under way when the last process ended. */
  resume?: boolean;
  /** Whether records of files are brought up to date here, and how; "later": by the next process that does. */
  records?: "gently" | "at once" | "later";
  log?: (text: string) => void;
}

/** A root with the connection that grants name it by. */
export interface ConnectedRoot extends FileRoot {
  connectionId: string;
  /** Whether what is in its files is a stream of records, too. */
  text: boolean;
}

/** What went with a root besides the root itself; the files are where they were. */
export interface RemovedRoot extends ConnectedRoot {
  /** Selections and saved queries of its indexes. */
  resourceSets: number;
  queries: number;
  /** Of its connection. */
  records: number;
}

const OWNER: Credential = { home: true };

export class FilesLens {
  readonly host: EngineHost;
  readonly files: Files;
  readonly store: ShellStore;
  readonly now: () => number;
  readonly #records: RecordSync;

  constructor(options: LensOptions) {
    const { home, host, now = Date.now, resume = true, records = "gently", log = () => undefined } = options;
    this.host = host;
    this.now = now;
    mkdirSync(join(home, "files"), { recursive: true, mode: 0o700 });
    const store = new ShellStore(join(home, "files", "shell.db"));
    this.store = store;
    const gentle = records === "gently";
    const sink = { target: (indexId: string) => store.recordsTarget(indexId, gentle), answer: recordsAnswers(host) };
    this.files = openFiles({ home, now, resume, ...(records === "later" ? {} : { records: sink }) });
    this.#records = new RecordSync({ host, files: this.files, store, log, watches: gentle });
    // Scans that ended while nobody brought their files here.
    if (records === "gently" && resume) this.#records.wake();
  }

  /** Makes the connection as well. The same path again is the same root; `text` and `crossMounts` stay as they were unless given. */
  async addRoot(
    { text, crossMounts, ...root }: { path: string | Uint8Array; name?: string; text?: boolean; crossMounts?: boolean },
    credential = OWNER,
  ): Promise<ConnectedRoot> {
    await this.host.call("admit", { owner: true }, credential);
    // The files of another directory can be read from now on.
    await this.host.call("recentPassword", {}, credential);
    const { rootId } = await this.files.addRoot(root);
    const added = await (crossMounts === undefined
      ? this.files.root(rootId)
      : this.files.setCrossMounts(rootId, crossMounts));
    const connectionId = await this.#connect(added, credential);
    if (text !== undefined) this.#setText(added.rootId, text);
    return { ...added, connectionId, text: this.store.wantsText(added.rootId) };
  }

  /** Whether scans enter other file systems below it. Its indexes are scanned again, so that they show what was chosen. */
  async setCrossMounts(rootId: string, crossMounts: boolean, credential = OWNER): Promise<void> {
    await this.host.call("admit", { owner: true }, credential);
    if ((await this.files.root(rootId)).crossMounts === crossMounts) return;
    // The files of other disks can be read from now on.
    if (crossMounts) await this.host.call("recentPassword", {}, credential);
    const { indexIds } = await this.files.setCrossMounts(rootId, crossMounts);
    for (const indexId of indexIds) {
      // A scan that has begun goes by what was chosen before.
      const { jobId } = await this.files.indexInfo(indexId);
      if (jobId !== undefined) await this.files.cancelJob(jobId);
      await this.files.rescan(indexId);
    }
  }

  /** Whether what is in its files is a stream of records, too: read in the background, or taken away again. */
  async setText(rootId: string, text: boolean, credential = OWNER): Promise<void> {
    await this.host.call("admit", { owner: true }, credential);
    await this.files.root(rootId);
    this.#setText(rootId, text);
  }

  #setText(rootId: string, text: boolean): void {
    this.store.setText(rootId, text);
    this.#records.wake();
  }

  /** Brings the records of a root up to date with its last scan; undefined: it was never scanned. */
  async syncRecords(rootId: string, credential = OWNER): Promise<FileJob | undefined> {
    await this.host.call("admit", { owner: true }, credential);
    return this.#records.now(rootId);
  }

  /** Forgets it, its indexes and its connection. The files themselves are not touched. */
  async removeRoot(rootId: string, credential = OWNER): Promise<RemovedRoot> {
    await this.host.call("admit", { owner: true }, credential);
    const root = await this.files.root(rootId);
    const connectionId = this.store.connectionOf(rootId);
    await this.files.removeRoot(rootId);
    const gone = this.store.forgetRoot(rootId, root.indexIds);
    const records = connectionId === undefined ? 0 : await this.#disconnect(connectionId, credential);
    return { ...root, connectionId: connectionId ?? "", text: false, ...gone, records };
  }

  /** With its selections and saved queries; its root stays approved. */
  async removeIndex(indexId: string, credential = OWNER): Promise<{ resourceSets: number; queries: number }> {
    await this.host.call("admit", { owner: true }, credential);
    await this.files.removeIndex(indexId);
    const gone = this.store.forgetIndexes([indexId]);
    this.#records.wake();
    return gone;
  }

  /** All of them, whoever may see them. */
  async roots(): Promise<ConnectedRoot[]> {
    const roots = await this.files.roots();
    return roots.flatMap((root) => {
      const connectionId = this.store.connectionOf(root.rootId);
      return connectionId === undefined ? [] : [{ ...root, connectionId, text: this.store.wantsText(root.rootId) }];
    });
  }

  /** Scans the disk of a connection again; answers what there is to say of it. Who waits no longer leaves the scan running. */
  async scanAgain(connectionId: string, signal?: AbortSignal): Promise<string> {
    const root = (await this.roots()).find((one) => one.connectionId === connectionId);
    if (root === undefined) {
      throw new PdppError("connection_not_found", `there is no disk of ${connectionId} any more`, {
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

  /** Of a root, the one to look into: complete before partial, all levels before some, then the latest. */
  async indexOf(root: FileRoot): Promise<FileIndex | undefined> {
    const rank = { complete: 2, partial: 1, empty: 0 };
    const found = await Promise.all(root.indexIds.map((indexId) => this.files.indexInfo(indexId)));
    return found.sort(
      (one, other) =>
        rank[other.status] - rank[one.status] ||
        Number(one.options.depthLimit !== undefined) - Number(other.options.depthLimit !== undefined) ||
        (other.scannedAt ?? "").localeCompare(one.scannedAt ?? ""),
    )[0];
  }

  async close(): Promise<void> {
    await this.#records.close();
    await this.files.close();
    this.store.close();
  }

  async #connect({ rootId, path }: FileRoot, credential: Credential): Promise<string> {
    const known = this.store.connectionOf(rootId);
    if (known !== undefined && (await this.#exists(known))) return known;
    await this.host.call(
      "putConnector",
      { connector_key: FILES_CONNECTOR, declaration: filesDeclaration as never },
      credential,
    );
    const made = await this.host.call(
      "createConnection",
      { connector_id: FILES_CONNECTOR, display_name: path.length > NAME_MAX ? `…${path.slice(1 - NAME_MAX)}` : path },
      credential,
    );
    const { connection_id } = JSON.parse(made) as ConnectionRead;
    this.store.setConnection(rootId, connection_id);
    return connection_id;
  }

  async #disconnect(connectionId: string, credential: Credential): Promise<number> {
    if (!(await this.#exists(connectionId))) return 0;
    const gone = await this.host.call("deleteConnection", { connection_id: connectionId }, credential);
    return (JSON.parse(gone) as ConnectionDeleted).records_deleted;
  }

  async #exists(connectionId: string): Promise<boolean> {
    const { data } = JSON.parse(await this.host.call("connections", {}, OWNER)) as List<ConnectionRead>;
    return data.some(({ connection_id }) => connection_id === connectionId);
  }
}
