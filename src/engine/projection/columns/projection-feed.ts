// One stream's change feed, as a projection reads it.
import type { Awaitable } from "../../../store/store.ts";

export interface StreamFeedRow {
  version: number;
  id: string;
  /** The version at which this id first appeared. The fold uses it to decide whether an older row can exist. */
  born: number;
  /** The record as JSON text. Null is a tombstone. */
  data: string | null;
}

export interface ProjectionFeed {
  /**
   * Returns rows with after < version <= upTo in ascending order, at most `limit`, in one atomic read. The feed
   * contains only the newest version of a record, including tombstones. A row must not be returned while a smaller
   * version can still appear.
   */
  changes(streamNo: number, after: number, upTo: number, limit: number): Awaitable<StreamFeedRow[]>;
  /**
   * How many live rows the stream has in the snapshot that `changes` reads. A fold with fewer rows missed some because
   * of a damaged file.
   */
  liveRows?(streamNo: number): Awaitable<number>;
}
