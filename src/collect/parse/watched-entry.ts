// Wraps an entry so that the parent learns when it is opened and read.
import type { Entry } from "../entry.ts";
import { reasonOf } from "../walk.ts";
import { orHalt } from "./halt.ts";
import type { Reporter } from "./reporter.ts";

/** `opened` is called when the entry is opened, and the function it returns is called with the size of every chunk. */
export function watchedEntry(
  entry: Entry,
  report: Reporter,
  opened: () => (bytes: number) => void = () => () => undefined,
): Entry {
  return {
    ...entry,
    async *open(options) {
      report.at(entry.path);
      const onBytes = opened();
      for await (const part of withPlainReasons(entry.open(options))) {
        onBytes(part.byteLength);
        report.beat();
        yield part;
      }
    },
    file() {
      report.at(entry.path);
      return orHalt(report, () => entry.file());
    },
  };
}

/** Translates library errors for the report. */
async function* withPlainReasons(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* parts;
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === (error as Error).message ? error : new Error(reason, { cause: error });
  }
}
