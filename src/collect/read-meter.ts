// The progress of a run in parsed bytes: files that are read twice, or beside the current one, do not count.
import type { Entry } from "./entry.ts";

interface ReadMeter {
  /** An entry is read from its beginning; the callback gets each piece. */
  opened(path: string): (bytes: number) => void;
  /** Something was found in it: all entries before it are done. */
  found(path: string): void;
  bytes(): number;
}

/** `from`: the index of the entry with which an interrupted run continues. */
export function readMeter(entries: readonly Pick<Entry, "path" | "size">[], from = 0): ReadMeter {
  const places = new Map(entries.map(({ path }, index) => [path, index]));
  const sizes = entries.map(({ size }) => Math.max(0, size));
  /** The bytes read of an entry since it was last opened. */
  const passes = new Map<number, number>();
  let at = from;
  let before = sizes.slice(0, from).reduce((sum, size) => sum + size, 0);
  return {
    opened(path) {
      const place = places.get(path) ?? -1;
      let pass = 0;
      passes.set(place, 0);
      return (bytes) => {
        pass += bytes;
        if (place >= at) passes.set(place, pass);
      };
    },
    found(path) {
      const place = places.get(path) ?? at;
      for (; at < place; at++) {
        before += sizes[at]!;
        passes.delete(at);
      }
    },
    // The size of a gzipped file is unknown, so it counts as it is read.
    bytes: () => before + Math.min(passes.get(at) ?? 0, sizes[at] || Number.POSITIVE_INFINITY),
  };
}
