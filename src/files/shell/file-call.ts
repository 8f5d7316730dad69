// Runs one call on the files lens: checks the caller and its roots, and logs the call before the response is sent.
import { PdppError } from "../../contract/errors.ts";
import type { FilePower } from "../../contract/file-access.ts";
import type { FilesBearer } from "../../contract/file-calls.ts";
import { type FileFilter, type FileIndex, type FileJob, isUnfinished } from "../../contract/files.ts";
import type { SignedLink } from "../../contract/signed-link.ts";
import type { Credential } from "../../engine/caller.ts";
import type { JobHolder } from "../catalogue.ts";
import { comparesContents } from "../read/filter.ts";
import type { ConnectedRoot } from "./connected-roots.ts";
import type { FilesLens } from "./lens.ts";

export interface FileCaller {
  credential: Credential;
  requestId: string;
  /** The server's origin, for links. */
  origin: string;
  /** The app's id for the current chat. Absent if the app sends none. */
  chat?: string;
  /** The access that the engine granted when the exchange began. If absent, each call asks the engine. */
  admitted?: FilesBearer;
}

/** The result of a call: the response, its root, and how many nodes it shows. */
export interface FileAnswer<T> {
  answer: T;
  connectionId?: string;
  records?: number;
  /** If the response is a byte stream, its length, known once the stream has ended. */
  bytes?: number;
}

/** The requirement of a call: a power, or being the owner. */
export type Needs = FilePower | "owner";

export class FileCall {
  readonly lens: FilesLens;
  readonly caller: FileCaller;
  readonly action: string;
  bearer!: FilesBearer;

  constructor(lens: FilesLens, caller: FileCaller, action: string) {
    this.lens = lens;
    this.caller = caller;
    this.action = action;
  }

  /** The id of the app that owns the call's sessions, selections and queries. */
  get client(): string {
    return this.bearer.client_id ?? "";
  }

  /** True if the caller may see what this app created: an app sees its own, and the owner sees everything (S-21). */
  sees({ client }: { client: string }): boolean {
    return client === this.client || this.bearer.kind === "owner";
  }

  /** Admits the caller or refuses it. Only refusals are logged. */
  async enter(needs: Needs | undefined): Promise<void> {
    const { credential, requestId, admitted } = this.caller;
    if (admitted !== undefined && isMet(needs, admitted)) {
      this.bearer = admitted;
      return;
    }
    const what = needs === undefined ? {} : needs === "owner" ? { owner: true } : { may: needs };
    const entry = { action: this.action, ...what };
    this.bearer = await this.lens.host.call("filesBearer", entry, credential, requestId);
  }

  async run<T extends object>(needs: Needs | undefined, work: () => Promise<FileAnswer<T>>): Promise<T> {
    const { host } = this.lens;
    const { credential, requestId } = this.caller;
    await this.enter(needs);
    try {
      const { answer, connectionId, records = 0, bytes } = await work();
      const line = {
        action: this.action,
        ...(connectionId === undefined ? {} : { connection_id: connectionId }),
        records,
        bytes: bytes ?? Buffer.byteLength(JSON.stringify(answer)),
      };
      await host.call("noteFileCall", line, credential, requestId);
      return answer;
    } catch (error) {
      if (error instanceof PdppError && error.code !== "insufficient_scope" && error.status !== 401)
        await host
          .call(
            "noteFileCall",
            { action: this.action, records: 0, bytes: 0, outcome: error.code },
            credential,
            requestId,
          )
          // The caller gets the first error. If the grant has ended in the meantime, the next call reports that.
          .catch(() => undefined);
      throw error;
    }
  }

  /**
   * Returns the URL with a signature, absolute if the given URL was. It allows reading that one resource under this
   * caller's grant for a few minutes (K-08).
   */
  async signed(url: string): Promise<SignedLink> {
    const { credential, requestId, origin } = this.caller;
    const base = url.startsWith(`${origin}/`) ? origin : "";
    const path = url.slice(base.length);
    const link = await this.lens.host.call("signFileLink", { action: "link", url: path }, credential, requestId);
    return { ...link, url: base + link.url };
  }

  /** The roots that this caller may open, in the order of approval. */
  async roots(): Promise<ConnectedRoot[]> {
    const open = new Set(this.bearer.roots.map(({ connection_id }) => connection_id));
    return (await this.lens.roots()).filter(({ connectionId }) => open.has(connectionId));
  }

  /** An index that the caller may not open is reported as if it did not exist. */
  async index(indexId: string, may: FilePower = "navigate"): Promise<{ index: FileIndex; root: ConnectedRoot }> {
    const root = (await this.roots()).find(({ indexIds }) => indexIds.includes(indexId));
    if (root === undefined) {
      throw new PdppError("not_found", `there is no index ${JSON.stringify(indexId.slice(0, 60))}`, {
        param: "indexId",
        next_step: 'Call cd({"path":"/"}), or GET /api/indexes, to see what you can open.',
      });
    }
    await this.require(root, may);
    return { index: await this.lens.files.indexInfo(indexId), root };
  }

  /** Returns an index to search. A filter on duplicates compares contents, so it needs `download` (G-07). */
  async searchable(
    indexId: string,
    filter: FileFilter | undefined,
    may?: FilePower,
  ): Promise<{ index: FileIndex; root: ConnectedRoot }> {
    const found = await this.index(indexId, may);
    if (filter !== undefined && comparesContents(filter)) await this.requireContents(found.root);
    return found;
  }

  /** Returns the app for which this call starts a job, or undefined for the owner. */
  holders({ connectionId }: Pick<ConnectedRoot, "connectionId">, may: readonly FilePower[]): JobHolder[] | undefined {
    const { grant_id, grant_package_id } = this.bearer;
    const grant = grant_package_id ?? grant_id;
    return grant === undefined ? undefined : [{ grant, connectionId, may }];
  }

  /**
   * An app can control only jobs that run for it alone, because other apps, or the owner, may be waiting for a shared
   * one.
   */
  async requireOwnJob(root: ConnectedRoot, job: FileJob): Promise<void> {
    const { jobId } = job;
    const [holder] = this.holders(root, []) ?? [];
    if (holder === undefined || !isUnfinished(job)) return;
    const held = (await this.lens.files.heldJobs()).find((one) => one.jobId === jobId);
    if (held?.holders.every(({ grant }) => grant === holder.grant)) return;
    throw new PdppError("insufficient_scope", `${jobId} was not started by this app alone`, {
      next_step:
        "Wait until it ends: GET /api/jobs/JOB shows its progress. Only the owner can pause, resume or cancel it.",
    });
  }

  may({ connectionId }: Pick<ConnectedRoot, "connectionId">, power: FilePower): boolean {
    return this.bearer.roots.some((root) => root.connection_id === connectionId && root.may.includes(power));
  }

  /** Digests and duplicates reveal contents, because the content of a short file can be guessed (G-07). */
  async requireContents(root: ConnectedRoot): Promise<void> {
    try {
      await this.require(root, "download");
    } catch (error) {
      if (!(error instanceof PdppError) || error.code !== "insufficient_scope") throw error;
      const message = `digests and duplicates need the download power: ${error.message}`;
      throw Object.assign(new PdppError(error.code, message, error.details), { stack: error.stack });
    }
  }

  /** With `afresh`, checks the current grants instead of those at the start of the call. */
  async require(
    root: Pick<ConnectedRoot, "connectionId">,
    may: FilePower,
    { afresh = false }: { afresh?: boolean } = {},
  ): Promise<void> {
    if (!afresh && this.may(root, may)) return;
    const { connectionId } = root;
    // The engine refuses the call and reports which line of the grant is the reason.
    await this.lens.host.call(
      "filesBearer",
      { action: this.action, connection_id: connectionId, may },
      this.caller.credential,
      this.caller.requestId,
    );
  }
}

/** If this is false, the call goes to the engine, which refuses and logs it. */
const isMet = (needs: Needs | undefined, { roots }: FilesBearer): boolean =>
  needs === undefined || (needs !== "owner" && roots.some(({ may }) => may.includes(needs)));
