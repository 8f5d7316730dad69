// Measures the progress of a run in parsed bytes. Reading a file a second time, or a file other than the current one,
// does not count.
import type { Entry } from "./entry.ts";

interface ReadMeter {
  /** Called when an entry is read from its beginning. The returned callback gets the size of each chunk. */
  opened(path: string): (bytes: number) => void;
  /** Called when something was found in the entry, so all entries before it are done. */
  found(path: string): void;
  bytes(): number;
}

/** `from` is the index of the entry at which an interrupted run continues. */
export function readMeter(entries: readonly Pick<Entry, "path" | "size">[], from = 0): ReadMeter {
  const places = new Map(entries.map(({ path }, index) => [path, index]));
  const sizes = entries.map(({ size }) => Math.max(0, size));
  /** How many bytes of an entry were read since it was last opened. */
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
    // The size of a gzipped file is unknown, so its bytes count as they are read.
    bytes: () => before + Math.min(passes.get(at) ?? 0, sizes[at] || Number.POSITIVE_INFINITY),
  };
}
