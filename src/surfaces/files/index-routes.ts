// /api/indexes and their jobs: scans, duplicate searches, and control of both.

import { PdppError } from "../../contract/errors.ts";
import type { FileIndexList, FileIndexRead, FileIndexRemoved } from "../../contract/file-answers.ts";
import type { FileScans } from "../../contract/file-report-answers.ts";
import * as requests from "../../contract/file-requests.ts";
import type { FileIndex, FileJob, FileScan } from "../../contract/files.ts";
import type { FileAnswer, FileCall } from "../../files/shell/file-call.ts";
import { links } from "../../files/shell/links.ts";
import { index, openJob, startedOf } from "../../files/shell/scans.ts";
import { jobRead } from "./job-read.ts";
import { REPORTS } from "./report-names.ts";
import { route } from "./route.ts";
import { onePage, type ReportColumns, rowsOf } from "./rows.ts";

export const indexRoutes = [
  route({
    method: "GET",
    path: "/api/indexes",
    summary: "The indexes that you may read, with totals, running jobs and links",
    call: "fileIndexes",
    action: "indexes",
    needs: "navigate",
    schema: requests.nothing,
    answer: indexes,
  }),
  route({
    method: "POST",
    path: "/api/indexes",
    summary: "Scan a root as a job; later scans read only what changed. Different options create a separate index",
    call: "startIndex",
    action: "index",
    needs: "index",
    schema: requests.indexStart,
    body: "needed",
    status: 202,
    answer: index,
  }),
  route({
    method: "GET",
    path: "/api/indexes/{indexId}",
    summary: "One index: its state, totals and links",
    call: "fileIndex",
    action: "indexes",
    needs: "navigate",
    schema: requests.indexById,
    async answer(call, { indexId }): Promise<FileAnswer<FileIndexRead>> {
      const found = await call.index(indexId);
      return { connectionId: found.root.connectionId, answer: await indexRead(call, found.index) };
    },
  }),
  route({
    method: "DELETE",
    path: "/api/indexes/{indexId}",
    summary: "Remove an index with its selections and saved queries; its root stays approved",
    call: "removeIndex",
    action: "remove-index",
    needs: "owner",
    schema: requests.indexById,
    async answer(call, { indexId }): Promise<FileAnswer<FileIndexRemoved>> {
      const { index: gone, root } = await call.index(indexId);
      const removed = await call.lens.removeIndex(indexId, call.caller.credential);
      const { rootId, path } = gone;
      return { connectionId: root.connectionId, answer: { indexId, rootId, path, removed, deleted: true } };
    },
  }),
  route({
    method: "GET",
    path: "/api/indexes/{indexId}/scans",
    summary: "Finished scans, latest first",
    call: "fileScans",
    action: "report",
    needs: "navigate",
    schema: requests.scansQuery,
    async answer(call, { indexId }): Promise<FileAnswer<FileScans>> {
      const { root } = await call.index(indexId);
      const answer = { indexId, scans: await call.lens.files.scans(indexId) };
      return { connectionId: root.connectionId, answer };
    },
    async rows(call, { indexId }) {
      const { root } = await call.index(indexId);
      return rowsOf({ root, name: `${indexId}-scans` }, SCANS, onePage(await call.lens.files.scans(indexId)));
    },
  }),
  route({
    method: "POST",
    path: "/api/indexes/{indexId}/scans",
    summary: "Scan an index again: directories that changed or, with verify, every file",
    call: "startScan",
    action: "index",
    needs: "index",
    schema: requests.scanStart,
    body: "empty",
    status: 202,
    async answer(call, { indexId, verify }) {
      const { root } = await call.index(indexId, "index");
      const job = await call.lens.files.rescan(indexId, { verify, holders: call.holders(root, ["index"]) });
      call.lens.watchJobs();
      return { connectionId: root.connectionId, answer: startedOf(call, job, root) };
    },
  }),
  route({
    method: "POST",
    path: "/api/indexes/{indexId}/digests",
    summary: "Find duplicate files, as a job; needs `download` too. The result is reports/duplicates",
    call: "startDigests",
    action: "digests",
    needs: "index",
    schema: requests.digestStart,
    body: "empty",
    status: 202,
    async answer(call, { indexId, minSize }) {
      const { index: known, root } = await call.index(indexId, "index");
      await call.requireContents(root);
      if (known.status === "empty") throw notScanned(known);
      const holders = call.holders(root, ["index", "download"]);
      const job = await call.lens.files.startDigests(indexId, { minSize, holders });
      call.lens.watchJobs();
      return { connectionId: root.connectionId, answer: startedOf(call, job, root) };
    },
  }),
  control("pause", "Pause a scan or a search for duplicates", "pauseJob"),
  control("resume", "Resume a paused job", "resumeJob"),
  control("cancel", "Cancel a job; its results so far are kept", "cancelJob"),
] as const;

function control(verb: string, summary: string, method: "pauseJob" | "resumeJob" | "cancelJob") {
  return route({
    method: "POST",
    path: `/api/jobs/{jobId}/${verb}`,
    summary,
    call: method,
    action: `job-${verb}`,
    needs: "index",
    schema: requests.jobById,
    async answer(call, { jobId }) {
      const { job: found, root } = await openJob(call, jobId);
      await call.require(root, "index");
      await call.requireOwnJob(root, found);
      const job: FileJob = await call.lens.files[method](jobId);
      return { connectionId: root.connectionId, answer: jobRead(call, job) };
    },
  });
}

const SCANS: ReportColumns<FileScan> = {
  scan: ({ scan }) => scan,
  mode: ({ mode }) => mode,
  startedAt: ({ startedAt }) => startedAt,
  endedAt: ({ endedAt }) => endedAt,
  files: ({ totals }) => totals.files,
  dirs: ({ totals }) => totals.dirs,
  size: ({ totals }) => totals.size,
  allocated: ({ totals }) => totals.allocated,
  problems: ({ totals }) => totals.problems,
  dirsRead: ({ dirsRead }) => dirsRead,
};

async function indexes(call: FileCall): Promise<FileAnswer<FileIndexList>> {
  const open = (await call.roots()).flatMap(({ indexIds }) => indexIds);
  const found: FileIndexRead[] = [];
  for (const indexId of open) found.push(await indexRead(call, await call.lens.files.indexInfo(indexId)));
  return { answer: { indexes: found } };
}

async function indexRead(call: FileCall, known: FileIndex): Promise<FileIndexRead> {
  const { indexId, rootNodeId } = known;
  const urls = links(call.caller.origin);
  return {
    ...known,
    link: urls.index(indexId),
    ...(await jobOf(call, known)),
    urls: {
      tree: urls.tree(indexId, rootNodeId),
      find: urls.find(indexId),
      scans: urls.scans(indexId),
      reports: Object.fromEntries(REPORTS.map((name) => [name, urls.report(indexId, name)])),
    },
  };
}

/** Returns the running scan, during which listings may still grow. */
export async function jobOf(call: FileCall, { jobId }: FileIndex): Promise<Pick<FileIndexRead, "job">> {
  if (jobId === undefined) return {};
  const { status } = await call.lens.files.job(jobId);
  return { job: { jobId, status, statusUrl: links(call.caller.origin).job(jobId) } };
}

const notScanned = ({ indexId }: FileIndex): PdppError =>
  new PdppError("not_found", `${indexId} is still empty`, {
    param: "indexId",
    next_step: `Scan it first: POST /api/indexes/${indexId}/scans.`,
  });
