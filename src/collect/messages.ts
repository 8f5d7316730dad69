// Messages between a parser and the runner of an import.
import type { BlobFile } from "../engine/blob-files.ts";
import type { Checkpoint, ImportAnswers, ImportPlan } from "./importer.ts";
import type { InputPath } from "./walk.ts";

/** The start message of a parser; it examines the files once and keeps the result. */
export interface ParserStart {
  given: readonly InputPath[];
  /** A folder for copies; it is removed when the parser ends. */
  scratch: string;
  /** A module with importers other than ours, as a URL: for tests of importers that misbehave. */
  importers?: string;
}

export interface RunTask {
  group: string;
  answers: ImportAnswers;
  resume?: Checkpoint;
  /** Entries that crashed a parser before. */
  broken: readonly string[];
  /** Thumbnails can be requested. */
  thumbnails?: boolean;
  /** The key for ids that the importer generates: the only secret of the home that a parser gets. */
  idKey?: string;
}

export interface PlanTask {
  answers: ImportAnswers;
  /** Entries that crashed a parser before. */
  broken: readonly string[];
}

/** `thumbnail` answers a picture that was sent, with the thumbnail in its bytes; false: it cannot be created. */
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
  /** Changes with the input and the way it is read: an unfinished run is resumed only on the same input. */
  fingerprint: string;
  /** A digest of all its bytes; absent if computing it would take long. */
  content?: string;
  /** Streams that the export contains in full. */
  snapshotOf: readonly string[];
}

/** For one entry: what was skipped or failed, with the first few positions. */
export interface EntryNotes {
  entry: string;
  skipped: number;
  failed: number;
  reasons: { reason: string; count: number; offset?: number; failed: boolean }[];
}

/** Consecutive records of one stream from one entry: their shared members are sent once. */
export interface FoundRun {
  stream: string;
  /** The group of the entry. */
  file: string;
  digest?: string;
  entry: string;
  /** An offset in the batch's lines, in bytes. */
  from: number;
  to: number;
}

/** Records since the previous batch, and where an interrupted run would continue. One transaction. */
export interface ParserBatch {
  /** In the order in which they were found. */
  found: FoundRun[];
  /** Two for each record: `[key, offset]`, and its data. */
  lines: Uint8Array<ArrayBuffer>;
  blobs: (BlobFile & { mimeType: string })[];
  /** Absent: the importer has not reached one since; an interrupted run repeats this batch. */
  checkpoint?: Checkpoint;
  notes: EntryNotes[];
  bytes: number;
}

/** Records that a run found in a stream that the export contains in full: hashes of the keys, 8 bytes each, sorted. */
export interface SeenKeys {
  stream: string;
  hashes: Uint8Array;
}
