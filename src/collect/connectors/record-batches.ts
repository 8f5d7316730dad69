// Collects RECORD lines into batches for the store. One batch is stored while the next is collected, and there are
// never more than these two.
import { INGEST } from "../../contract/limits.ts";
import type { OutputLine } from "./output-lines.ts";

const BATCH_LINES = 2000;
const NEWLINE = Buffer.from("\n");

export interface RecordBatch {
  lines: Uint8Array;
  numbers: number[];
}

export interface RecordBatches {
  /** Returns a promise if the caller has to wait. */
  add(line: OutputLine): Promise<void> | undefined;
  /** Resolves when everything that was added is stored. */
  flush(): Promise<void>;
  count(): number;
}

export function recordBatches(store: (batch: RecordBatch) => Promise<void>): RecordBatches {
  let parts: Buffer[] = [];
  let numbers: number[] = [];
  let bytes = 0;
  let count = 0;
  let storing: Promise<void> = Promise.resolve();

  function send(): Promise<void> {
    const before = storing;
    if (numbers.length > 0) {
      const batch = { lines: new Uint8Array(Buffer.concat(parts)), numbers };
      parts = [];
      numbers = [];
      bytes = 0;
      storing = before.then(() => store(batch));
      // The caller that awaits the batch gets the error.
      storing.catch(() => undefined);
    }
    return before;
  }

  return {
    add({ number, bytes: line }) {
      count++;
      parts.push(line, NEWLINE);
      numbers.push(number);
      bytes += line.length + 1;
      // One batch is stored while the next is read.
      return bytes >= INGEST.batchBytes || numbers.length >= BATCH_LINES ? send() : undefined;
    },
    async flush() {
      await send();
      await storing;
    },
    count: () => count,
  };
}
