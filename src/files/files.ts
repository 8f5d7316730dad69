// Wires up a home's files lens: approved roots, their indexes, scan jobs and reads.
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { programFile } from "../program-file.ts";
import { contentCalls } from "./calls/content-calls.ts";
import {
  digestDirectory,
  digestFile,
  type FilesContext,
  indexFile,
  recordsDirectory,
  sentFile,
} from "./calls/context.ts";
import { jobCalls } from "./calls/job-calls.ts";
import { nodeCalls } from "./calls/node-calls.ts";
import { reportCalls } from "./calls/report-calls.ts";
import { rootCalls } from "./calls/root-calls.ts";
import { Catalogue, type FileJobRow } from "./catalogue.ts";
import type { DigestOptions } from "./digest/digest-run.ts";
import { indexHandle } from "./handles.ts";
import { homeIdentities } from "./home-identities.ts";
import { JobRunner } from "./job-runner.ts";
import { IndexReads } from "./read/index-reads.ts";
import type { RecordsSink } from "./sync/records-sink.ts";
import type { SyncOptions } from "./sync/sync-run.ts";
import type { ScanThreadData } from "./write/thread.ts";

export interface FilesOptions {
  home: string;
  now?: () => number;
  /** The number of scanner processes. Defaults to two if there are at least two processors. */
  scanners?: number;
  /** How often a first scan makes its results visible. */
  commitMs?: number;
  /** The maximum size of an index in pages of 8 KB. Tests use it to simulate a full disk. */
  indexPages?: number;
  /** Resume jobs that were running when the last process ended. */
  resume?: boolean;
  /** Receives the records made from files. Without it, jobs that update records wait for a process that has it. */
  records?: RecordsSink;
}

/** Rare enough to be cheap, and frequent enough for someone who is watching. */
const COMMIT_MS = 700;

/**
 * A scan is often followed by another one soon, and rescanning an unchanged tree takes less time than starting the
 * thread.
 */
const KEEP_SCAN_MS = 30_000;

export type Files = ReturnType<typeof openFiles>;

export function openFiles({
  home,
  now = Date.now,
  scanners = Math.min(2, availableParallelism()),
  commitMs = COMMIT_MS,
  indexPages,
  resume = true,
  records: sink,
}: FilesOptions) {
  const directory = join(home, "files");
  for (const folder of [digestDirectory(directory), recordsDirectory(directory)])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  const catalogue = new Catalogue(join(directory, "catalogue.db"));
  const reads = new IndexReads();
  const scans = new JobRunner({
    kind: "index",
    catalogue,
    now,
    lockDirectory: directory,
    program: programFile(import.meta.url, "./write/thread"),
    keepThreadMs: KEEP_SCAN_MS,
    dataOf: (job) => scanData(job),
  });
  const digests = new JobRunner({
    kind: "digest",
    catalogue,
    now,
    lockDirectory: digestDirectory(directory),
    program: programFile(import.meta.url, "./digest/thread"),
    dataOf: (job) => digestData(job),
  });
  const records = new JobRunner({
    kind: "records",
    catalogue,
    now,
    lockDirectory: recordsDirectory(directory),
    program: programFile(import.meta.url, "./sync/thread"),
    dataOf: (job) => recordsData(job),
    ...(sink === undefined ? { elsewhere: true } : { answer: sink.answer }),
  });
  const { key } = catalogue;
  const context: FilesContext = { home, directory, now, catalogue, reads, scans, digests, records, key };
  if (resume) for (const runner of [scans, digests, records]) runner.wake();

  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    await Promise.all([scans, digests, records].map((runner) => runner.close()));
    await reads.close();
    catalogue.close();
  }

  function scanData({ index: no, jobId, request }: FileJobRow): ScanThreadData | undefined {
    const index = catalogue.index(no);
    const root = index && catalogue.root(index.root);
    if (index === undefined || root === undefined) return undefined;
    const { depthLimit = null, followSymlinks = false, ignore = [] } = index.options;
    return {
      path: indexFile(directory, no),
      jobId,
      verify: request.verify ?? false,
      scanners,
      commitMs,
      pages: indexPages,
      isNew: request.isNew ?? false,
      settings: {
        root: Buffer.from(root.path).toString("latin1"),
        depthLimit,
        crossMounts: root.cross_mounts === 1,
        followSymlinks,
        ignore,
        own: [...homeIdentities(home)],
      },
    };
  }

  function digestData({ index: no, request }: FileJobRow): DigestOptions | undefined {
    const index = catalogue.index(no);
    const root = index && catalogue.root(index.root);
    if (root === undefined) return undefined;
    return {
      index: no,
      indexPath: indexFile(directory, no),
      digestPath: digestFile(directory, no),
      root: root.path,
      home,
      minSize: request.minSize ?? 1,
    };
  }

  function recordsData({ index: no }: FileJobRow): SyncOptions | undefined {
    const index = catalogue.index(no);
    const root = index && catalogue.root(index.root);
    const target = sink?.target(indexHandle(no));
    if (root === undefined || target === undefined) return undefined;
    return {
      index: no,
      indexPath: indexFile(directory, no),
      sentPath: sentFile(directory, root.no),
      root: root.path,
      home,
      ...target,
    };
  }

  return {
    ...rootCalls(context),
    ...jobCalls(context),
    ...nodeCalls(context),
    ...reportCalls(context),
    ...contentCalls(context),

    /** Returns the key that also seals the cursors of lists stored next to the indexes. */
    async cursorKey(): Promise<Uint8Array> {
      return key;
    },

    /** Stops running jobs where they are. They continue when the home is opened again. */
    close(): Promise<void> {
      closed ??= close();
      return closed;
    },
  };
}
