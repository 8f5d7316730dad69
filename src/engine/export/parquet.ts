// Parquet export in its own thread, because encoding a row group takes longer than a request should wait.
import { programFile } from "../../program-file.ts";
import { CalledThread } from "../threads/thread-calls.ts";
import type { ExportColumn } from "./columns.ts";

export type ToParquet = { lines: string } | { end: true };

export interface ParquetEncoder {
  /** Accepts records, one JSON line each. Returns the bytes that are ready, often none. */
  add(lines: string): Promise<Uint8Array>;
  /** The rest of the file. */
  end(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export function parquetEncoder(columns: readonly ExportColumn[]): ParquetEncoder {
  const thread = new CalledThread<ToParquet, Uint8Array>({
    program: programFile(import.meta.url, "./parquet-thread"),
    name: "Parquet",
    workerData: columns,
    // Without a limit, the heap grows to several times the size of a row group before garbage collection.
    resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 384 },
  });
  return {
    add: (lines) => thread.call({ lines }),
    end: () => thread.call({ end: true }),
    close: () => thread.terminate(),
  };
}
