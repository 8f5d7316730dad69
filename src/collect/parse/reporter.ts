// Messages from a parser to its parent while it works.
import type { FromParser } from "../from-parser.ts";

const BEAT_MS = 500;

export interface Reporter {
  tell(message: FromParser, bytes?: Uint8Array): void;
  /** Sent on real progress, never by a timer, so that a parser in an endless loop is silent. */
  beat(): void;
  /** Reports that this entry is now being read. */
  at(path: string): void;
}

export function reporter(tell: Reporter["tell"]): Reporter {
  let beaten = 0;
  return {
    tell,
    beat() {
      const now = performance.now();
      if (now - beaten < BEAT_MS) return;
      beaten = now;
      tell({ beat: true });
    },
    at: (path) => tell({ at: path }),
  };
}
