// Messages between a parser and the import runner.
import type { BlobFile } from "../engine/blob-files.ts";
import type { Checkpoint, ImportAnswers, ImportPlan } from "./importer.ts";
import type { InputPath } from "./walk.ts";

/** The first message to a parser. The parser then examines the files once and keeps the result. */
export interface ParserStart {
  given: readonly InputPath[];
  /** A folder for copies. It is removed when the parser ends. */
  scratch: string;
  /** The URL of a module with importers other than ours, for tests of importers that misbehave. */
  importers?: string;
}

export interface RunTask {
  group: string;
  answers: ImportAnswers;
  resume?: Checkpoint;
  /** Entries that have crashed a parser. */
  broken: readonly string[];
  /** True if thumbnails can be requested. */
  thumbnails?: boolean;
  /** The key for ids that the importer generates. It is the only secret of the home that a parser gets. */
  idKey?: string;
}

export interface PlanTask {
  answers: ImportAnswers;
  /** Entries that have crashed a parser. */
  broken: readonly string[];
}

/**
 * `thumbnail` is the reply to a picture, with the thumbnail in the message's bytes, or false if it cannot be created.
 */
export type ToParser = { plan: PlanTask } | { run: RunTask } | { thumbnail: boolean };

export interface PlannedGroup extends ImportPlan {
  questions: NonNullable<ImportPlan["questions"]>;
  warnings: NonNullable<ImportPlan["warnings"]>;
  group: string;
  importer: string;
  reason: string;
  name: string;
  files: number;
  bytes: number;
  /** Changes with the input and with how it is read. An unfinished run is resumed only on the same input. */
  fingerprint: string;
  /** A digest of all bytes. Absent if computing it would take too long. */
  content?: string;
  /** Streams that the export contains completely. */
  snapshotOf: readonly string[];
}

/** The items of one entry that were skipped or failed, with the first few positions. */
export interface EntryNotes {
  entry: string;
  skipped: number;
  failed: number;
  reasons: { reason: string; count: number; offset?: number; failed: boolean }[];
}

/** Consecutive records of one stream from one entry, so that their common properties are sent once. */
export interface FoundRun {
  stream: string;
  /** The group that the entry belongs to. */
  file: string;
  digest?: string;
  entry: string;
  /** A byte offset into the batch's lines. */
  from: number;
  to: number;
}

/** Records since the previous batch, and where an interrupted run would continue. Stored in one transaction. */
export interface ParserBatch {
  /** In the order in which they were found. */
  found: FoundRun[];
  /** Two lines per record: `[key, offset]`, and its data. */
  lines: Uint8Array<ArrayBuffer>;
  blobs: (BlobFile & { mimeType: string })[];
  /**
   * Absent if the importer has not reached a checkpoint since the previous batch. An interrupted run repeats this
   * batch.
   */
  checkpoint?: Checkpoint;
  notes: EntryNotes[];
  bytes: number;
}

/**
 * The records that a run found in a stream that the export contains completely: sorted hashes of the keys, 8 bytes
 * each.
 */
export interface SeenKeys {
  stream: string;
  hashes: Uint8Array;
}
