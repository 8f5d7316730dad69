// Collects the hashes of the keys that a run found. The parser sends them in chunks.
import type { SeenKeys } from "./messages.ts";

export function seenCollector(): { add(stream: string, piece: Uint8Array): void; all(): SeenKeys[] } {
  const pieces = new Map<string, Uint8Array[]>();
  return {
    add(stream, piece) {
      pieces.set(stream, [...(pieces.get(stream) ?? []), piece]);
    },
    all: () => [...pieces].map(([stream, own]) => ({ stream, hashes: new Uint8Array(Buffer.concat(own)) })),
  };
}
