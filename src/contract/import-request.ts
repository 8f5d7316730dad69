// Calls from the import runner to the engine: create a connection, start a job, send one batch at a time.
import { z } from "zod";
import { jsonValue } from "./json.ts";
import { NAME_MAX } from "./limits.ts";

const name = z.string().min(1).max(NAME_MAX);
const whole = z.int().min(0);
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** A file that no importer recognised, or that could not be read. */
export const leftOut = z.strictObject({
  path: z.string(),
  reason: z.string(),
  advice: z.string().optional(),
  /**
   * True if the file should have been read but could not be, so data is missing. If absent, no importer reads such
   * files.
   */
  failed: z.literal(true).optional(),
});

/** A stream in a plan: roughly how many records it has, and in which files if that is cheap to determine. */
const plannedStream = z.strictObject({
  stream: z.string(),
  count: whole.optional(),
  files: z.array(z.strictObject({ path: z.string(), count: whole })).optional(),
  since: z.string().optional(),
  until: z.string().optional(),
});

export const plannedGroup = z.strictObject({
  group: z.string(),
  importer: z.string(),
  /** Explains in words why this importer was chosen. */
  reason: z.string(),
  name: z.string(),
  account: z.strictObject({ key: z.string(), name: z.string() }),
  files: whole,
  bytes: whole,
  streams: z.array(plannedStream),
  /** The answers are passed to the next plan and to the run as {id: answer}. */
  questions: z.array(
    z.strictObject({
      id: z.string(),
      text: z.string(),
      options: z.array(z.strictObject({ value: z.string(), label: z.string() })).optional(),
      default: z.string().optional(),
      /** The answer given in an earlier import of the same data. It applies instead of the default. */
      earlier: z.string().optional(),
      /** Set if the answer is a time zone, so that a page can suggest the owner's. */
      asks_for: z.literal("time_zone").optional(),
    }),
  ),
  warnings: z.array(z.string()),
});

/**
 * Why items in a file were skipped or could not be read: the first few reasons, each with its count and first position.
 */
export const reasons = z.array(
  z.strictObject({ reason: z.string(), count: whole, failed: z.boolean(), offset: z.number().optional() }),
);
/** Where a run resumes: at this position, or after this entry if there is no position. */
export const checkpoint = z.strictObject({ entry: z.string(), position: jsonValue.optional() });

export const importSource = z.strictObject({
  importer: name,
  /** Validated when the source is registered. */
  declaration: z.looseObject({ source: z.looseObject({ id: z.string() }) }),
  own_layout: z.boolean().optional(),
});

export const importTarget = z.strictObject({
  connector_key: name,
  account: z.strictObject({ key: z.string().min(1).max(2000), name }),
  /** The name that the owner chose for the connection. */
  as: name.optional(),
});

export const importBegin = z.strictObject({
  connection_id: name,
  importer: name,
  /** Identifies the input. */
  group: name,
  /** Identifies the content and settings. An unfinished run with the same value is resumed. */
  fingerprint: name,
  /**
   * Identifies the input's bytes, the importers that read it and the answers, so that the same input is not read twice.
   */
  content: name.optional(),
  name: z.string().max(2000),
  total_bytes: whole,
  /** Answers under the importer's own names. They are the defaults for the next import of the same source. */
  answers: z.record(z.string(), z.string()).optional(),
});

const run = { import_id: name, attempt: whole };

export const importBatch = z.strictObject({
  ...run,
  /**
   * Each item is a series of consecutive records of one stream in one file, with the range of lines that belong to
   * them.
   */
  found: z.array(
    z.strictObject({
      stream: name,
      file: z.string(),
      digest: z.string().optional(),
      entry: z.string(),
      from: whole,
      to: whole,
    }),
  ),
  /** Two lines for each record, in UTF-8: `[key, offset]`, and the data as it will be stored. */
  lines: bytes,
  blobs: z.array(
    z.strictObject({
      blob_id: name,
      mime_type: z.string(),
      size_bytes: whole,
      sha256: z.string(),
      generation: z.string().optional(),
    }),
  ),
  /** If absent, an interrupted run repeats this batch. */
  checkpoint: checkpoint.optional(),
  notes: z.array(z.strictObject({ path: z.string(), skipped: whole, failed: whole, reasons })),
  bytes: whole,
});

export const importBroken = z.strictObject({ ...run, path: z.string(), reason: z.string() });

export const importEnd = z.strictObject({
  ...run,
  status: z.enum(["succeeded", "failed"]),
  error: z.string().max(2000).optional(),
  /**
   * Streams that the export contains in full. `seen` contains the keys that the run saw; it is absent after a run with
   * gaps.
   */
  snapshot_of: z.array(name),
  seen: z.array(z.strictObject({ stream: name, hashes: bytes })).optional(),
  /** The planned streams, to compare with what the run found. */
  expected: z.array(plannedStream).optional(),
});

const answers = z.record(z.string().max(NAME_MAX), z.string().max(2000)).optional();

/** Announces a file to upload. With import_id, it is another file of the same import. */
export const importCreate = z.strictObject({
  name: z.string().min(1).max(1000),
  size: whole,
  import_id: name.optional(),
});

/** The size of a file that was uploaded without being announced. */
export const uploadSize = z.strictObject({ id: name, size: whole });

export const importPlan = z.strictObject({ id: name, answers });

export const importStart = z.strictObject({
  id: name,
  answers,
  /** The name for the connection. */
  as: name.optional(),
});

/** The state that the server saves for an import request that it runs. */
export const importSettled = z.strictObject({
  id: name,
  status: z.enum(["running", "paused", "succeeded", "failed"]),
  /** Finished groups, each with the id of its import. */
  done: z.record(z.string(), name),
  /** The import that is running now. */
  running: name.optional(),
  parts: whole.optional(),
  left: z.array(leftOut),
  error: z.string().optional(),
});

export type LeftOut = z.infer<typeof leftOut>;
