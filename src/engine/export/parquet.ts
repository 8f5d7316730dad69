// Parquet, written in a thread of its own: encoding a row group takes longer than a request may wait.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { programFile } from "../../program-file.ts";
import type { ExportColumn } from "./columns.ts";

export type ToParquet = { lines: string } | { end: true };

export interface ParquetEncoder {
  /** Takes records, one JSON line each; answers the bytes that are ready, often none. */
  add(lines: string): Promise<Uint8Array>;
  /** The rest of the file. */
  end(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export function parquetEncoder(columns: readonly ExportColumn[]): ParquetEncoder {
  const worker = new Worker(programFile(import.meta.url, "./parquet-thread"), {
    workerData: columns,
    // Left to itself the heap grows to several times what a row group needs before it is swept.
    resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 384 },
  });
  const ask = async (message: ToParquet): Promise<Uint8Array> => {
    worker.postMessage(message);
    // Rejects when the thread fails.
    const [bytes] = (await once(worker, "message")) as [Uint8Array];
    return bytes;
  };
  return {
    add: (lines) => ask({ lines }),
    end: () => ask({ end: true }),
    async close() {
      await worker.terminate();
    },
  };
}
