// The change feed of one stream, as a projection reads it.
import type { Awaitable } from "../../../store/store.ts";

export interface StreamFeedRow {
  version: number;
  id: string;
  /** The version at which this id first appeared: tells the fold whether an older row can exist. */
  born: number;
  /** JSON text of the record; null is a tombstone. */
  data: string | null;
}

export interface ProjectionFeed {
  /**
   * Rows with after < version <= upTo, by version ascending, at most `limit`; one atomic read. Only the newest version
   * of a record is in the feed, tombstones included. No row may be returned while a smaller version can still appear.
   */
  changes(streamNo: number, after: number, upTo: number, limit: number): Awaitable<StreamFeedRow[]>;
  /** How many live rows there are at the same moment: a fold with fewer missed some in a damaged file. */
  liveRows?(streamNo: number): Awaitable<number>;
}
