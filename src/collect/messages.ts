// Messages between a parser and the runner of an import.
import type { BlobFile } from "../engine/blob-files.ts";
import type { Checkpoint, ImportAnswers, ImportPlan } from "./importer.ts";
import type { Given } from "./walk.ts";

/** The start message of a parser; it looks at the files once and keeps what it found. */
export interface ParserStart {
  given: readonly Given[];
  /** A folder for copies; it is removed when the parser ends. */
  scratch: string;
  /** A module with other importers than ours, as a URL: for tests of importers that misbehave. */
  importers?: string;
}

export interface RunTask {
  group: string;
  answers: ImportAnswers;
  resume?: Checkpoint;
  /** Entries that brought a parser down before. */
  broken: readonly string[];
  /** Small pictures can be asked for. */
  thumbnails?: boolean;
  /** Keys the ids that the importer makes: all of the home's secrets that a parser knows. */
  idKey?: string;
}

export interface PlanTask {
  answers: ImportAnswers;
  /** Entries that broke a parser before. */
  broken: readonly string[];
}

/** `thumbnail` answers a picture that was sent, with the small one in its bytes; false: it cannot be made. */
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
  /** A digest of all its bytes; absent where that would take long. */
  content?: string;
  /** Streams of which it shows all there is. */
  snapshotOf: readonly string[];
}

/** For one entry: what was skipped or failed, with the first few positions. */
export interface EntryNotes {
  entry: string;
  skipped: number;
  failed: number;
  reasons: { reason: string; count: number; offset?: number; failed: boolean }[];
}

/** Records of one stream out of one entry, one after another: their shared members are sent once. */
export interface FoundRun {
  stream: string;
  /** The group that the entry came from. */
  file: string;
  digest?: string;
  entry: string;
  /** Of the batch's lines, in bytes. */
  from: number;
  to: number;
}

/** Records since the batch before, and where a run that breaks would continue. One transaction. */
export interface ParserBatch {
  /** In the order in which they were found. */
  found: FoundRun[];
  /** Two for each record: `[key, offset]`, and its data. */
  lines: Uint8Array<ArrayBuffer>;
  blobs: (BlobFile & { mimeType: string })[];
  /** Absent: the importer has come to none since; a run that breaks now does this batch again. */
  checkpoint?: Checkpoint;
  notes: EntryNotes[];
  bytes: number;
}

/** Records that a run found in a stream that its importer shows whole: hashes of the keys, 8 bytes each, sorted. */
export interface SeenKeys {
  stream: string;
  hashes: Uint8Array;
}
