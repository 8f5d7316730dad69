// Where sealed segments are stored. All of it can be deleted, because it is rebuilt from the feed.
import type { Awaitable } from "../../../store/store.ts";

export interface StoredColumn {
  name: string;
  /**
   * The blob's checksum, which also identifies it: a blob with another checksum belongs to another segment with the
   * same number.
   */
  checksum: number;
}

export interface StoredSegment {
  seq: number;
  rows: number;
  /** The encoded bitmap of rows that were replaced or deleted since the segment was sealed. Empty if there are none. */
  dead: Uint8Array;
  columns: StoredColumn[];
}

export interface ColumnsManifest {
  shape: string;
  /** The segments contain the feed up to and including this version. */
  through: number;
  segments: StoredSegment[];
}

export interface SegmentBlob extends StoredColumn {
  bytes: Uint8Array;
}

export interface SegmentPut {
  seq: number;
  rows: number;
  dead: Uint8Array;
  blobs: SegmentBlob[];
}

export interface ColumnSegmentChange {
  shape: string;
  through: number;
  /** Replaces anything stored under the same number. */
  put: SegmentPut[];
  /** Segments to delete along with their blobs. */
  drop: number[];
  /** New bitmaps for the remaining segments. */
  dead: { seq: number; dead: Uint8Array }[];
}

export interface ColumnSegmentStore {
  manifest(streamNo: number): Awaitable<ColumnsManifest | undefined>;
  /** The bytes of one blob, or undefined if it does not exist. */
  blob(streamNo: number, seq: number, name: string): Awaitable<Uint8Array | undefined>;
  /**
   * Atomic: after a crash, either all of the change is stored or none of it. Returns false without saving if another
   * process has saved since the manifest was last read or saved here.
   */
  save(streamNo: number, change: ColumnSegmentChange): Awaitable<boolean>;
}
