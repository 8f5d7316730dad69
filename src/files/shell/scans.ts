// Starts scans for the shell and reports their progress.
import { PdppError } from "../../contract/errors.ts";
import type { IndexResult, JobProgressResult } from "../../contract/file-shell.ts";
import type { FileJob } from "../../contract/files.ts";
import { formatInstant } from "../../core/instant.ts";
import type { ConnectedRoot } from "./connected-roots.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import { links } from "./links.ts";
import { placeOf } from "./navigate.ts";
import { enterRunningScan, openSession } from "./sessions.ts";

export interface IndexQuery {
  root: string;
  depthLimit?: number;
  followSymlinks?: boolean;
  ignore?: string[];
  /** Check every file again, not only directories that changed. */
  verify?: boolean;
  /** Computes digests of the indexed files instead of scanning, to find duplicates. */
  digests?: boolean;
  sessionId?: string;
}

/** Scans an approved root and everything below it. */
export async function index(call: FileCall, query: IndexQuery): Promise<FileAnswer<IndexResult>> {
  return indexRoot(call, await rootOf(call, query), query);
}

/** `root` is the path or id of an approved root. */
async function rootOf(call: FileCall, { root: named, sessionId }: IndexQuery): Promise<ConnectedRoot> {
  const roots = await call.roots();
  const root =
    roots.find(({ rootId, connectionId }) => rootId === named || connectionId === named) ??
    (await placeOf(call, await openSession(call, sessionId), named))?.root;
  if (root === undefined) {
    throw new PdppError("root_not_allowed", `${JSON.stringify(named.slice(0, 200))} is not a root`, {
      param: "root",
      next_step:
        roots.length === 0
          ? "The owner approves a directory with `pdpp files roots add PATH`."
          : `Call index(${JSON.stringify({ root: roots[0]!.path })}).`,
    });
  }
  return root;
}

async function indexRoot(
  call: FileCall,
  root: ConnectedRoot,
  { depthLimit, followSymlinks, ignore, verify, digests }: IndexQuery,
): Promise<FileAnswer<IndexResult>> {
  await call.require(root, "index");
  if (digests) return makeDigests(call, root);
  const job = await call.lens.files.index({
    rootId: root.rootId,
    options: { depthLimit, followSymlinks, ignore },
    verify,
    holders: call.holders(root, ["index"]),
  });
  call.lens.watchJobs();
  return { connectionId: root.connectionId, answer: startedOf(call, job, root) };
}

/** Computes digests for the fullest index. Equal digests reveal contents, so this also needs `download`. */
async function makeDigests(call: FileCall, root: ConnectedRoot): Promise<FileAnswer<IndexResult>> {
  await call.requireContents(root);
  const known = await call.lens.indexOf(root);
  if (known === undefined || known.status === "empty") {
    throw new PdppError("invalid_request", `${root.path} has not been scanned yet, so there is nothing to compare`, {
      param: "digests",
      next_step: `Call index(${JSON.stringify({ root: root.path })}) first.`,
    });
  }
  const holders = call.holders(root, ["index", "download"]);
  const job = await call.lens.files.startDigests(known.indexId, { holders });
  call.lens.watchJobs();
  return { connectionId: root.connectionId, answer: startedOf(call, job, root) };
}

/** Starts a scan from a session. The session continues with the fullest index of the root (S-16). */
export async function indexHere(call: FileCall, query: IndexQuery): Promise<FileAnswer<IndexResult>> {
  const root = await rootOf(call, query);
  // Looked up before the scan, because a short scan ends before this call returns.
  const fullest = await call.lens.indexOf(root);
  const outcome = await indexRoot(call, root, query);
  const indexId = outcome.answer.indexId!;
  await enterRunningScan(call, indexId, query.sessionId);
  if (fullest === undefined || fullest.indexId === indexId || fullest.status === "empty") return outcome;
  const isFuller = fullest.unread !== undefined && query.depthLimit === undefined;
  const note = isFuller
    ? `Until this scan has finished, cd and query-run may use ${fullest.indexId}, which is partial.`
    : `cd and query-run use ${fullest.indexId}, which has more entries; pass "indexId":"${indexId}" to use this one.`;
  return { ...outcome, answer: { ...outcome.answer, note } };
}

export function startedOf(call: FileCall, { jobId, indexId }: FileJob, { path }: ConnectedRoot): IndexResult {
  const url = links(call.caller.origin).job(jobId);
  return { jobId, indexId, statusUrl: url, progressUrl: url, cwdHint: path };
}

export async function jobProgress(
  call: FileCall,
  { jobId }: { jobId: string },
): Promise<FileAnswer<JobProgressResult>> {
  const { job, root } = await openJob(call, jobId);
  return { connectionId: root.connectionId, answer: progressOf(call, job) };
}

/** If the caller may not open the job's index, the job is reported as if it did not exist. */
export async function openJob(call: FileCall, jobId: string): Promise<{ job: FileJob; root: ConnectedRoot }> {
  const unknown = (): PdppError =>
    new PdppError("not_found", `there is no job ${JSON.stringify(jobId.slice(0, 60))}`, {
      param: "jobId",
      next_step: "Call index to start a job; its result contains the jobId.",
    });
  const job = await call.lens.files.job(jobId).catch(() => {
    throw unknown();
  });
  const root = (await call.roots()).find(({ indexIds }) => indexIds.includes(job.indexId));
  if (root === undefined) throw unknown();
  // The amount compared in full reveals which files have the same beginning and end.
  if (job.kind === "digest") await call.requireContents(root);
  return { job, root };
}

export function progressOf(call: FileCall, job: FileJob): JobProgressResult {
  const { jobId, kind, status, startedAt, indexId, error, progress } = job;
  const { files, dirs, bytes, problems, rate, percent, etaSeconds } = progress;
  const urls = links(call.caller.origin);
  const { now } = call.lens;
  return {
    jobId,
    kind,
    status,
    startedAt,
    ...(percent === undefined ? {} : { progressPct: Math.round(percent * 10) / 10 }),
    ...(etaSeconds === undefined ? {} : { eta: formatInstant(now() + etaSeconds * 1000) }),
    indexId,
    report: { files, dirs, size: bytes, problems, rate },
    ...(error === undefined ? {} : { error }),
    statusUrl: urls.job(jobId),
    links: {
      index: urls.index(indexId),
      ...(status === "succeeded"
        ? {
            largest: urls.report(indexId, "largest"),
            types: urls.report(indexId, "types"),
            growth: urls.report(indexId, "growth"),
          }
        : {}),
    },
  };
}
