// The columns' segment store on top of the Store: manifests as JSON, blobs as parts.
import type { Segments } from "../../store/store.ts";
import type { ColumnSegmentStore, ColumnsManifest } from "./columns/segment-store.ts";

export const COLUMN_SEGMENTS = "columns";

interface StoredManifest extends Omit<ColumnsManifest, "segments"> {
  segments: (Omit<ColumnsManifest["segments"][number], "dead"> & { dead: string })[];
}

export function columnSegments(segments: Segments): ColumnSegmentStore {
  /** The manifests that this process's folds are based on. */
  const seen = new Map<number, string | undefined>();
  async function manifest(streamNo: number): Promise<ColumnsManifest | undefined> {
    const text = await segments.manifest(COLUMN_SEGMENTS, streamNo);
    seen.set(streamNo, text);
    return text === undefined ? undefined : manifestFrom(text);
  }
  return {
    manifest,
    blob: (streamNo, seq, name) => segments.part(COLUMN_SEGMENTS, streamNo, seq, name),
    async save(streamNo, change) {
      const replaced = new Set([...change.drop, ...change.put.map((put) => put.seq)]);
      const marks = new Map(change.dead.map(({ seq, dead }) => [seq, dead]));
      const before = seen.get(streamNo);
      const kept = ((before === undefined ? undefined : manifestFrom(before))?.segments ?? [])
        .filter((segment) => !replaced.has(segment.seq))
        .map((segment) => ({ ...segment, dead: marks.get(segment.seq) ?? segment.dead }));
      const added = change.put.map(({ seq, rows, dead, blobs }) => ({
        seq,
        rows,
        dead,
        columns: blobs.map(({ name, checksum }) => ({ name, checksum })),
      }));
      const all = [...kept, ...added].sort((a, b) => a.seq - b.seq);
      const stored: StoredManifest = {
        shape: change.shape,
        through: change.through,
        segments: all.map((segment) => ({ ...segment, dead: Buffer.from(segment.dead).toString("base64") })),
      };
      const put = change.put.flatMap(({ seq, blobs }) => blobs.map(({ name, bytes }) => ({ seq, part: name, bytes })));
      const text = JSON.stringify(stored);
      const saved = await segments.save(COLUMN_SEGMENTS, streamNo, {
        manifest: text,
        drop: [...replaced].map((seq) => ({ seq })),
        put,
        expected: { manifest: before },
      });
      if (saved) seen.set(streamNo, text);
      return saved;
    },
  };
}

/** An unreadable manifest counts as missing, so the stream is folded again. */
function manifestFrom(text: string): ColumnsManifest | undefined {
  try {
    const stored = JSON.parse(text) as StoredManifest;
    const segments = stored.segments.map((segment) => ({ ...segment, dead: Buffer.from(segment.dead, "base64") }));
    return { ...stored, segments };
  } catch {
    return undefined;
  }
}
