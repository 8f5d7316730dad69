// What a parser's thread and the runner say to each other.
import type { StoredBlobFile } from "../engine/blob-files.ts";
import type { Answers, Checkpoint, ImportPlan } from "./importer.ts";

export interface ThreadTask {
  home: string;
  paths: readonly string[];
  task:
    | { kind: "plan"; answers: Answers }
    | { kind: "run"; group: string; runId: string; answers: Answers; resume?: Checkpoint; past?: string };
}

export interface PlannedGroup extends ImportPlan {
  group: string;
  importer: string;
  reason: string;
  name: string;
  files: number;
  bytes: number;
}

export interface LeftOut {
  path: string;
  reason: string;
  advice?: string;
}

/** Of one entry: what was left out or could not be read, with the first few places. */
export interface EntryNotes {
  entry: string;
  skipped: number;
  failed: number;
  reasons: { reason: string; count: number; offset?: number; failed: boolean }[];
}

/** Records since the batch before, and where a run that breaks would go on. One transaction. */
export interface Batch {
  /** NDJSON by stream. */
  streams: { stream: string; text: string; records: number; entries: Record<string, number> }[];
  blobs: (StoredBlobFile & { mimeType: string })[];
  checkpoint?: Checkpoint;
  notes: EntryNotes[];
  bytes: number;
}

export type FromThread =
  | { plan: { groups: PlannedGroup[]; left: LeftOut[] } }
  | { total: { bytes: number; entries: number } }
  /** The thread waits for `go` before it makes the next but one. */
  | { batch: Batch }
  | { at: string }
  | { done: { seen: Record<string, number> } }
  | { failed: string };

export type ToThread = { go: true } | { stop: true };
