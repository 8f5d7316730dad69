// The search index's segment store on top of the Store: one manifest for the home, and blobs by name.
import type { Segments } from "../../store/store.ts";
import type { SearchSegmentStore } from "./search/types.ts";

/** The inverted index, and the vectors of passages. */
export type SearchSegmentKind = "search" | "vectors";
/** One index covers all streams. */
const WHOLE_HOME = 0;

/** If `persist` is false (in a second process on the same home), everything can be read and nothing is saved. */
export function searchSegments(segments: Segments, kind: SearchSegmentKind, persist: boolean): SearchSegmentStore {
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  return {
    async loadManifest() {
      const text = await segments.manifest(kind, WHOLE_HOME);
      return text === undefined ? undefined : Buffer.from(text, "base64");
    },
    read: (name) => segments.part(kind, WHOLE_HOME, 0, name),
    async save({ expected, manifest, put, drop }) {
      if (!persist) return false;
      return segments.save(kind, WHOLE_HOME, {
        expected: { manifest: expected && encode(expected) },
        manifest: encode(manifest),
        put: put.map(({ name, bytes }) => ({ seq: 0, part: name, bytes })),
        drop: drop.map((part) => ({ seq: 0, part })),
      });
    },
  };
}
