// Record rows as both engines select them: columns in a fixed order, read by index.
import type { StoredRow } from "../core/plan.ts";
import type { FeedEntry, FeedRow } from "./store.ts";

export const ROW_COLUMNS = "version, id, ord, emitted_at, ingested_at, data, origin, history";

/** `ord` in the engine's own encoding. */
export const storedRow = (row: unknown[], ord: StoredRow["ord"]): StoredRow => ({
  version: row[0] as number,
  id: row[1] as string,
  ord,
  emittedAt: row[3] as number,
  ingestedAt: row[4] as number,
  data: row[5] as string | null,
  origin: row[6] as string | null,
  history: row[7] as string | null,
});

/** For a change: the row, and the first version of the record. */
export const BORN_COLUMNS = `${ROW_COLUMNS}, coalesce(born, version)`;

export interface BornRow extends StoredRow {
  born: number;
}

export const bornIn = (row: unknown[]): number => row[8] as number;

/** Merges the records and the trail, which are read separately. */
export const feedOrder = (entries: FeedEntry[], descending: boolean): FeedEntry[] =>
  entries.sort((a, b) => (descending ? b.position - a.position : a.position - b.position));

/** version, stream_no, id, born, data. */
export const feedRow = (row: unknown[]): FeedRow => ({
  version: row[0] as number,
  streamNo: row[1] as number,
  id: row[2] as string,
  born: row[3] as number,
  data: row[4] as string | null,
});
