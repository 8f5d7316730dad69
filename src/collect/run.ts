// An import from plan to report: each group into its connection, batch by batch, resumable at every one of them.
import { PdppError } from "../contract/errors.ts";
import type { ImportJob } from "../contract/import.ts";
import type { Credential } from "../engine/caller.ts";
import type { EngineHost } from "../engine/host.ts";
import type { Answers } from "./importer.ts";
import type { Batch, PlannedGroup } from "./messages.ts";
import { type Planned, planInThread, runInThread, type ThreadLimits } from "./parser-thread.ts";

export interface ImportOptions {
  home: string;
  host: EngineHost;
  credential: Credential;
  paths: readonly string[];
  answers: Answers;
  /** What the connection is to be called. */
  as?: string;
  onProgress?: (job: ImportJob) => void;
  stopped?: () => boolean;
  limits?: ThreadLimits;
}

export const planImport = ({
  home,
  paths,
  answers,
  limits,
}: Pick<ImportOptions, "home" | "paths" | "answers" | "limits">): Promise<Planned> =>
  planInThread({ home, paths, task: { kind: "plan", answers } }, limits);

/** Entries that bring the parser down one after another: then something else is wrong. */
const BREAKS_MAX = 20;

export async function runImport(options: ImportOptions, group: PlannedGroup): Promise<ImportJob> {
  const { host, credential, as } = options;
  const ask = async <T>(method: Parameters<EngineHost["call"]>[0], query: object): Promise<T> =>
    JSON.parse(await host.call(method, query as never, credential)) as T;
  const connectorKey = await register(ask, group);
  const { connection_id } = await ask<{ connection_id: string }>("importTarget", {
    connector_key: connectorKey,
    account: group.account,
    ...(as === undefined ? {} : { as }),
  });
  let job = await ask<ImportJob>("beginImport", {
    connection_id,
    importer: group.importer,
    group: group.group,
    name: group.name,
    total_bytes: group.bytes,
  });
  options.onProgress?.(job);
  const store = async (batch: Batch): Promise<void> => {
    job = await ask<ImportJob>("importBatch", batchOf(job.import_id, batch));
    options.onProgress?.(job);
  };
  let past: string | undefined;
  for (let breaks = 0; ; breaks++) {
    const outcome = await runInThread(taskOf(options, group, job, past), handlers(options, store), options.limits);
    if (outcome.ended === "done") return ask("endImport", { import_id: job.import_id, status: "succeeded" });
    if (options.stopped?.()) return job;
    if (outcome.at === undefined || breaks >= BREAKS_MAX) {
      return ask("endImport", { import_id: job.import_id, status: "failed", error: outcome.reason });
    }
    // This entry brought the parser down: one entry is lost, and said to be.
    past = outcome.at;
    const reasons = [{ reason: outcome.reason, count: 1, failed: true }];
    job = await ask("importBatch", {
      import_id: job.import_id,
      streams: [],
      blobs: [],
      notes: [{ path: outcome.at, skipped: 0, failed: 1, reasons }],
      bytes: job.progress.bytes,
    });
  }
}

function taskOf(
  { home, paths, answers }: ImportOptions,
  { group }: PlannedGroup,
  job: ImportJob,
  past: string | undefined,
) {
  const { checkpoint } = job.progress;
  return {
    home,
    paths,
    task: {
      kind: "run" as const,
      group,
      runId: job.import_id,
      answers,
      ...(checkpoint === undefined ? {} : { resume: checkpoint }),
      ...(past === undefined ? {} : { past }),
    },
  };
}

const handlers = ({ stopped }: ImportOptions, batch: (batch: Batch) => Promise<void>) => ({
  total: () => undefined,
  batch,
  stopped: () => stopped?.() ?? false,
});

function batchOf(importId: string, { streams, blobs, checkpoint, notes, bytes }: Batch): object {
  return {
    import_id: importId,
    streams: streams.map(({ stream, text }) => ({ stream, text })),
    blobs: blobs.map(({ blobId, mimeType, sizeBytes, sha256 }) => ({
      blob_id: blobId,
      mime_type: mimeType,
      size_bytes: sizeBytes,
      sha256,
    })),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    notes: notes.map(({ entry, ...note }) => ({ path: entry, ...note })),
    bytes,
  };
}

/** Another source may have the short name already, a demo's for one; then this one takes the next. */
async function register(
  ask: <T>(method: Parameters<EngineHost["call"]>[0], query: object) => Promise<T>,
  { importer, declaration }: PlannedGroup,
): Promise<string> {
  const { data } = await ask<{ data: { connector_key: string; source: { id: string } }[] }>("connectors", {});
  const own = data.find(({ source }) => source.id === declaration.source.id)?.connector_key;
  for (let suffix = 1; suffix < 100; suffix++) {
    const key = own ?? (suffix === 1 ? importer : `${importer}-${suffix}`);
    try {
      await ask("putConnector", { connector_key: key, declaration });
      return key;
    } catch (error) {
      if (!(error instanceof PdppError) || error.code !== "already_exists") throw error;
    }
  }
  throw new PdppError("already_exists", `there is no free name for the source ${importer}`);
}
