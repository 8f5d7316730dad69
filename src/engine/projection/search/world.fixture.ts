// An in-memory home for tests: a feed with only the newest version of each record, and a segment store.
import type { JsonObject } from "../../../contract/record.ts";
import { SearchIndex } from "./search-index.ts";
import type {
  SearchFeed,
  SearchFeedRow,
  SearchHit,
  SearchSegmentChange,
  SearchSegmentStore,
  SearchShape,
} from "./types.ts";

export class World implements SearchFeed, SearchSegmentStore {
  version = 0;
  rows = new Map<string, SearchFeedRow>();
  shapes = new Map<number, SearchShape>();
  blobs = new Map<string, Uint8Array>();
  manifest: Uint8Array | undefined;
  names = 0;

  put(streamNo: number, id: string, data: JsonObject | null): void {
    const key = `${streamNo}/${id}`;
    const version = ++this.version;
    const born = this.rows.get(key)?.born ?? version;
    this.rows.set(key, { version, streamNo, id, born, data: data === null ? null : JSON.stringify(data) });
  }

  changes(after: number, upTo: number, limit: number, streamNo?: number): SearchFeedRow[] {
    return [...this.rows.values()]
      .filter(
        (row) => row.version > after && row.version <= upTo && (streamNo === undefined || row.streamNo === streamNo),
      )
      .sort((one, other) => one.version - other.version)
      .slice(0, limit);
  }

  loadManifest(): Uint8Array | undefined {
    return this.manifest;
  }

  read(name: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.blobs.get(name));
  }

  save({ expected, manifest, put, drop }: SearchSegmentChange): boolean {
    if (String(expected) !== String(this.manifest)) return false;
    for (const { name, bytes } of put) {
      if (this.blobs.has(name)) throw new Error(`used twice: ${name}`);
      this.blobs.set(name, bytes);
    }
    for (const name of drop) this.blobs.delete(name);
    this.manifest = manifest;
    return true;
  }

  index(memory?: number): SearchIndex {
    return new SearchIndex({
      feed: this,
      store: this,
      shapes: (streamNo) => this.shapes.get(streamNo),
      newName: () => `n${++this.names}`,
      ...(memory === undefined ? {} : { memory }),
    });
  }

  live(): { streamNo: number; id: string; version: number; data: JsonObject }[] {
    return [...this.rows.values()]
      .filter((row) => row.data !== null)
      .map(({ streamNo, id, version, data }) => ({ streamNo, id, version, data: JSON.parse(data!) as JsonObject }));
  }
}

/** Versions differ between homes, and languages are tested through the evidence that they produce. */
export function withoutVersion({ version: _version, languages: _languages, repeats, ...hit }: SearchHit): object {
  return { ...hit, ...(repeats ? { repeats: { ...repeats, hits: repeats.hits.map(withoutVersion) } } : {}) };
}
