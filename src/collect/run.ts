// An import from plan to report: each group is imported into its connection, batch by batch, and can resume after every
// batch.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { PdppError } from "../contract/errors.ts";
import type { ImportJob, ImportRun } from "../contract/import.ts";
import { oneImport } from "../core/one-import.ts";
import type { Credential } from "../engine/caller.ts";
import type { AnswerOf, CallName, QueryOf } from "../engine/calls/calls.ts";
import type { EngineHost } from "../engine/host.ts";
import { answerTo, isChoice } from "./answers.ts";
import type { ImportAnswers, ImporterQuestion } from "./importer.ts";
import type { ParserBatch, PlannedGroup } from "./messages.ts";
import type { ParseOutcome, Parser } from "./parser.ts";
import { answersOf } from "./remembered-answers.ts";
import { installedDecoders } from "./thumbnails/installed.ts";

export interface ImportOptions {
  host: EngineHost;
  credential: Credential;
  parser: Parser;
  answers: ImportAnswers;
  /** The name for the connection. */
  as?: string;
  onProgress?: (job: ImportJob) => void;
  /** Pauses the run: stored records are kept, and the next run continues where it stopped. */
  signal?: AbortSignal;
}

/** Returns the questions without a valid answer that must be answered before the group can be imported. */
export const openQuestions = (group: PlannedGroup, answers: ImportAnswers): ImporterQuestion[] =>
  group.questions.filter((question) => {
    const answer = answerTo(group, question, answers);
    return answer === undefined ? question.default === undefined : !isChoice(question, answer);
  });

const { version: VERSION } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
/** If this many entries in a row crash the parser, something else is wrong. */
const CRASHES_MAX = 20;
/** Errors that are not the file's fault. The job waits until they are fixed. */
const TEMPORARY_ERRORS: readonly string[] = ["storage_full", "store_unavailable", "api_error"];

type Ask = <C extends CallName>(name: C, query: QueryOf<C>) => Promise<AnswerOf<C>>;

/** Returns the job in its current state: succeeded, failed, paused, or taken over by another process. */
export async function runImport(options: ImportOptions, group: PlannedGroup): Promise<ImportJob> {
  const { host, credential, as, answers, signal } = options;
  const ask: Ask = (name, query) => host.call(name, query, credential);
  const { connector_key } = await ask("importSource", {
    importer: group.importer,
    declaration: group.declaration,
    own_layout: group.ownLayout,
  });
  const { connection_id } = await ask("importTarget", {
    connector_key,
    account: group.account,
    ...(as === undefined ? {} : { as }),
  });
  let run = await ask("beginImport", {
    connection_id,
    importer: group.importer,
    group: group.group,
    fingerprint: fingerprintOf(group, answers),
    ...contentOf(group, answers),
    name: group.name,
    total_bytes: group.bytes,
    ...(group.questions.length === 0 ? {} : { answers: answersOf(group, answers) }),
  });
  const { import_id } = run.job;
  options.onProgress?.(run.job);
  // The same input was imported before, and nothing has changed since.
  if (run.job.status === "succeeded") return run.job;
  try {
    for (let breaks = 0; ; breaks++) {
      const outcome = await parse(options, group, run, ask);
      if (outcome.ended === "stopped") return oneImport(await ask("pauseImport", { id: import_id }));
      const { attempt } = run;
      if (outcome.ended === "done") return await end(ask, group, { import_id, attempt }, outcome);
      if (outcome.at === undefined || breaks >= CRASHES_MAX || run.broken.includes(outcome.at))
        return await fail(ask, { import_id, attempt }, outcome.reason);
      const place = { path: outcome.at, reason: outcome.reason };
      run = { ...run, ...(await ask("importBroken", { import_id, attempt, ...place })) };
    }
  } catch (error) {
    if (!(error instanceof PdppError) || TEMPORARY_ERRORS.includes(error.code)) throw error;
    // Another process has continued the run, or told it to stop.
    if (error.code === "job_already_running" || signal?.aborted)
      return oneImport(await ask("import", { id: import_id }));
    return fail(ask, { import_id, attempt: run.attempt }, error.message);
  }
}

async function parse(options: ImportOptions, group: PlannedGroup, run: ImportRun, ask: Ask): Promise<ParseOutcome> {
  const { parser, answers, signal, onProgress } = options;
  const { job, attempt, broken, id_key } = run;
  const { checkpoint } = job.progress;
  const task = {
    group: group.group,
    answers,
    ...(checkpoint === undefined ? {} : { resume: checkpoint }),
    broken,
    ...(id_key === undefined ? {} : { idKey: id_key }),
  };
  return parser.run(task, {
    signal,
    async batch(batch, store) {
      const now = await store({
        known: (blob_ids) => ask("knownBlobs", { blob_ids }),
        write: (generations) => ask("importBatch", batchOf(job.import_id, attempt, batch, generations)),
      });
      onProgress?.(now);
    },
  });
}

interface RunRef {
  import_id: string;
  attempt: number;
}

const end = (
  ask: Ask,
  { snapshotOf, streams }: PlannedGroup,
  ref: RunRef,
  { seen }: Extract<ParseOutcome, { ended: "done" }>,
): Promise<ImportJob> =>
  ask("endImport", { ...ref, status: "succeeded", snapshot_of: [...snapshotOf], seen, expected: [...streams] });

const fail = (ask: Ask, ref: RunRef, error: string): Promise<ImportJob> =>
  ask("endImport", { ...ref, status: "failed", error: error.slice(0, 2000), snapshot_of: [] });

/** Includes the answers, because the same files are read differently with other answers. */
const fingerprintOf = ({ fingerprint }: PlannedGroup, answers: ImportAnswers): string =>
  createHash("sha256")
    .update(JSON.stringify([fingerprint, Object.entries(answers).sort()]))
    .digest("base64url");

/**
 * Includes the version, because another version may read the same bytes differently, and the decoders, because
 * thumbnails may have become available.
 */
function contentOf({ content, declaration }: PlannedGroup, answers: ImportAnswers): { content?: string } {
  if (content === undefined) return {};
  const decoders = installedDecoders();
  const read = JSON.stringify([
    content,
    VERSION,
    declaration,
    Object.entries(answers).sort(),
    [decoders?.sharp, decoders?.heif].map((one) => one !== undefined),
  ]);
  return { content: createHash("sha256").update(read).digest("base64url") };
}

function batchOf(
  import_id: string,
  attempt: number,
  { found, lines, blobs, checkpoint, notes, bytes }: ParserBatch,
  generations: ReadonlyMap<string, string>,
): QueryOf<"importBatch"> {
  return {
    import_id,
    attempt,
    found,
    lines,
    blobs: blobs.map(({ blobId, mimeType, sizeBytes, sha256 }) => ({
      blob_id: blobId,
      mime_type: mimeType,
      size_bytes: sizeBytes,
      sha256,
      ...(generations.has(blobId) && { generation: generations.get(blobId) }),
    })),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    notes: notes.map(({ entry, ...note }) => ({ path: entry, ...note })),
    bytes,
  };
}
