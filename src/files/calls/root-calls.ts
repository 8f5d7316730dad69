// Roots and their indexes: directories that the owner approved, and their scans.
import { existsSync, rmSync } from "node:fs";
import { PdppError } from "../../contract/errors.ts";
import type { FileIndex, FileJob, FileRoot, IndexOptions } from "../../contract/files.ts";
import { canonicalJson } from "../../core/cursor.ts";
import type { FileJobRequest, IndexRow, JobHolder } from "../catalogue.ts";
import { indexHandle, nodeHandle, rootHandle } from "../handles.ts";
import { plainOptions } from "../index-options.ts";
import { openIndex } from "../index-schema.ts";
import { isFinished } from "../job-runner.ts";
import { printable } from "../printable.ts";
import type { IndexSummary } from "../read/read-calls.ts";
import { addRoot, requireRoot, rootRead } from "../roots.ts";
import { ROOT_ID } from "../write/tree.ts";
import { digestFile, type FilesContext, filesOf, indexFile, requireIndex, sentFile } from "./context.ts";
import { jobRead } from "./job-calls.ts";

export interface IndexRequest {
  rootId: string;
  options?: IndexOptions;
  /** Check every file again, not only directories that changed. */
  verify?: boolean;
  holders?: JobHolder[];
}

/** The maximum number of indexes per root. Each takes as much space as the first. */
const INDEXES_MAX = 16;

export function rootCalls(context: FilesContext) {
  const { catalogue, home, directory, now, reads, scans, digests, records } = context;

  async function rescan(
    indexId: string,
    { verify = false, holders }: Pick<FileJobRequest, "verify" | "holders"> = {},
  ): Promise<FileJob> {
    const { no } = requireIndex(context, indexId);
    scans.prepare();
    // Create the index immediately, because the caller may read the root before the job starts.
    const path = indexFile(directory, no);
    const isNew = !existsSync(path);
    if (isNew) openIndex(path, { write: true }).close();
    return jobRead(scans.start(no, { verify, isNew, holders }));
  }

  async function removeIndexNo(no: number): Promise<void> {
    await Promise.all([scans, digests, records].map((runner) => runner.release(no)));
    catalogue.removeIndex(no);
    await reads.forget(no);
    for (const path of [indexFile(directory, no), digestFile(directory, no)]) removeDatabase(path);
  }

  return {
    /**
     * Expects an absolute path. Links in it are resolved once, now. Adding the same path again returns the same root.
     */
    async addRoot(root: { path: string | Uint8Array; name?: string }): Promise<FileRoot> {
      return rootRead(catalogue, addRoot(catalogue, home, root, now()));
    },

    async roots(): Promise<FileRoot[]> {
      return catalogue.roots().map((root) => rootRead(catalogue, root));
    },

    async root(rootId: string): Promise<FileRoot> {
      return rootRead(catalogue, requireRoot(catalogue, rootId));
    },

    /** Takes effect at the next scan of each of its indexes. */
    async setCrossMounts(rootId: string, crossMounts: boolean): Promise<FileRoot> {
      const { no } = requireRoot(catalogue, rootId);
      catalogue.setCrossMounts(no, crossMounts);
      return rootRead(catalogue, requireRoot(catalogue, rootId));
    },

    /** Removes the root and its indexes. The files themselves are never touched. */
    async removeRoot(rootId: string): Promise<void> {
      const { no } = requireRoot(catalogue, rootId);
      for (const index of catalogue.indexes()) if (index.root === no) await removeIndexNo(index.no);
      removeDatabase(sentFile(directory, no));
      catalogue.removeRoot(no);
    },

    /** Starts a scan, or returns the running one. */
    async index({ rootId, options, verify = false, holders }: IndexRequest): Promise<FileJob> {
      const { no: root } = requireRoot(catalogue, rootId);
      const wanted = canonicalJson(plainOptions(options));
      const others = catalogue.indexes().filter((index) => index.root === root);
      if (others.length >= INDEXES_MAX && !others.some((index) => canonicalJson(index.options) === wanted)) {
        throw new PdppError("resource_limit", `this root already has ${INDEXES_MAX} indexes`, {
          param: "options",
          next_step:
            "Scan it with the options of one of these indexes. The owner can remove an index: DELETE /api/indexes/INDEX.",
        });
      }
      const no = catalogue.ensureIndex(root, wanted, now());
      return rescan(indexHandle(no), { verify, holders });
    },

    rescan,

    async indexes(): Promise<FileIndex[]> {
      return Promise.all(catalogue.indexes().map((index) => indexRead(context, index)));
    },

    async indexInfo(indexId: string): Promise<FileIndex> {
      return indexRead(context, requireIndex(context, indexId));
    },

    async removeIndex(indexId: string): Promise<void> {
      await removeIndexNo(requireIndex(context, indexId).no);
    },
  };
}

function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
}

async function summaryOf(context: FilesContext, no: number): Promise<IndexSummary> {
  const index = filesOf(context, context.catalogue.index(no)!);
  return index === undefined ? { complete: false, scans: 0 } : context.reads.call(index, "summary", undefined);
}

async function indexRead(context: FilesContext, { no, root, options }: IndexRow): Promise<FileIndex> {
  const { path, name } = context.catalogue.root(root)!;
  const { complete, ...summary } = await summaryOf(context, no);
  const job = context.catalogue
    .unfinishedJobs()
    .find((one) => one.index === no && one.kind === "index" && !isFinished(one));
  return {
    indexId: indexHandle(no),
    rootId: rootHandle(root),
    path: printable(path),
    name,
    options,
    status: complete ? "complete" : summary.totals === undefined ? "empty" : "partial",
    rootNodeId: nodeHandle(no, { dir: ROOT_ID }),
    ...summary,
    ...(job === undefined ? {} : { jobId: job.jobId }),
  };
}
