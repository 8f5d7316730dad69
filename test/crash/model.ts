// The driver's expectations: acknowledged writes, and requests that had no response when the server died.

export interface Item {
  id: string;
  group: string;
  amount: number;
  /** Incremented with every change, so that no two states of a record are equal. */
  revision: number;
  /** A few words, and one word that occurs in no other state of any record. */
  note: string;
  picture?: { blob_id: string; mime_type: string; size_bytes: number; sha256: string };
}

/** null if the record was deleted or never written. */
export type Effect = ReadonlyMap<string, Item | null>;

export interface GrantModel {
  token: string;
  id: string;
  /** undefined if the revocation was requested but not acknowledged. */
  revoked: boolean | undefined;
}

export interface Model {
  items: Map<string, Item>;
  /** The unacknowledged batch. It is stored completely or not at all. */
  uncertain: Effect | undefined;
  grants: GrantModel[];
  /** The possible values of the state: one, or two while a write is unacknowledged. */
  states: number[];
  /** The digest of each acknowledged upload, by blob. */
  blobs: Map<string, string>;
  /** The response time of each read, by request id. */
  reads: Map<string, number>;
  revision: number;
}

export function newModel(): Model {
  return {
    items: new Map(),
    uncertain: undefined,
    grants: [],
    states: [0],
    blobs: new Map(),
    reads: new Map(),
    revision: 0,
  };
}

export function applied(items: ReadonlyMap<string, Item>, effect: Effect): Map<string, Item> {
  const after = new Map(items);
  for (const [id, item] of effect) {
    if (item === null) after.delete(id);
    else after.set(id, item);
  }
  return after;
}
