// An in-memory segment store for tests, with functions to damage it.
import type { ColumnSegmentChange, ColumnSegmentStore, ColumnsManifest } from "./segment-store.ts";

export interface MemorySegments extends ColumnSegmentStore {
  manifests: Map<number, ColumnsManifest>;
  blobs: Map<string, Uint8Array>;
}

export function memorySegments(): MemorySegments {
  const manifests = new Map<number, ColumnsManifest>();
  const blobs = new Map<string, Uint8Array>();
  const key = (streamNo: number, seq: number, name: string) => `${streamNo}/${seq}/${name}`;

  function save(streamNo: number, { shape, through, put, drop, dead }: ColumnSegmentChange): boolean {
    const gone = new Set([...drop, ...put.map(({ seq }) => seq)]);
    const kept = (manifests.get(streamNo)?.segments ?? []).filter(({ seq }) => !gone.has(seq));
    for (const seq of gone)
      for (const name of blobs.keys()) if (name.startsWith(`${streamNo}/${seq}/`)) blobs.delete(name);
    for (const change of dead) kept.find(({ seq }) => seq === change.seq)!.dead = change.dead;
    const added = put.map(({ seq, rows, dead, blobs: list }) => {
      for (const { name, bytes } of list) blobs.set(key(streamNo, seq, name), bytes);
      return { seq, rows, dead, columns: list.map(({ name, checksum }) => ({ name, checksum })) };
    });
    manifests.set(streamNo, { shape, through, segments: [...kept, ...added] });
    return true;
  }

  return {
    manifests,
    blobs,
    manifest: (streamNo) => structuredClone(manifests.get(streamNo)),
    blob: (streamNo, seq, name) => blobs.get(key(streamNo, seq, name)),
    save,
  };
}
