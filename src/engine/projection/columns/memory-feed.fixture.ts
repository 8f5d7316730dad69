// An in-memory change feed for tests. It keeps the newest version of each record, like a store.
import type { JsonObject } from "../../../contract/record.ts";
import type { ProjectionFeed, StreamFeedRow } from "./projection-feed.ts";

export interface MemoryFeed extends ProjectionFeed {
  version: number;
  put(id: string, data: JsonObject): void;
  remove(id: string): void;
}

export function memoryFeed(): MemoryFeed {
  const rows = new Map<string, StreamFeedRow>();
  function write(id: string, data: string | null): void {
    const version = ++feed.version;
    const born = rows.get(id)?.born ?? version;
    rows.delete(id); // A map keeps insertion order, which is then the version order.
    rows.set(id, { version, id, born, data });
  }
  const feed: MemoryFeed = {
    version: 0,
    put: (id, data) => write(id, JSON.stringify(data)),
    remove: (id) => write(id, null),
    changes: (_streamNo, after, upTo, limit) =>
      [...rows.values()].filter(({ version }) => version > after && version <= upTo).slice(0, limit),
  };
  return feed;
}
