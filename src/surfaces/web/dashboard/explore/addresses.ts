// Dashboard addresses for streams, records and blob bytes, and addresses with one choice changed.
import { recordPath } from "../../../../core/record-path.ts";

export const EXPLORE = "/dashboard/explore";

export interface StreamPlace {
  connection_id: string;
  stream: string;
}

export interface RecordPlace extends StreamPlace {
  id: string;
}

/** The query of an address, in order. A name may occur several times. */
export type Pairs = readonly [name: string, value: string][];

export const streamAddress = ({ connection_id, stream }: StreamPlace, pairs: Pairs = []): string =>
  withPairs(`${EXPLORE}/${encodeURIComponent(connection_id)}/${encodeURIComponent(stream)}`, pairs);

/** Agents cite this address, so it never changes. */
export const recordAddress = (place: RecordPlace, pairs: Pairs = []): string => withPairs(recordPath(place), pairs);

/** The address of the list. The pages of single connections are below it. */
export const CONNECTIONS = "/dashboard/connections";
export const connectionAddress = (connectionId: string): string => `${CONNECTIONS}/${encodeURIComponent(connectionId)}`;

export const blobAddress = (connectionId: string, blobId: string): string =>
  `/dashboard/v1/blobs/${encodeURIComponent(blobId)}?connection_id=${encodeURIComponent(connectionId)}`;

export function withPairs(path: string, pairs: Pairs): string {
  if (pairs.length === 0) return path;
  // Brackets are legal in a query, and people read addresses too.
  return `${path}?${new URLSearchParams(pairs)}`.replace(/%5B|%5D/g, (code) => (code === "%5B" ? "[" : "]"));
}

export const pair = (name: string, value: string): [string, string] => [name, value];

/** Returns the same choices with some changed; null removes one. */
export function changed(pairs: Pairs, changes: Readonly<Record<string, string | null>>): Pairs {
  const kept = pairs.filter(([name]) => !Object.hasOwn(changes, name));
  const added = Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [pair(name, value)]));
  return [...kept, ...added];
}
