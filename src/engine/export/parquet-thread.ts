// The thread that writes Parquet: it receives lines of JSON and returns bytes of the file, one row group at a time.
import { workerData } from "node:worker_threads";
import { answerCalls } from "../threads/thread-calls.ts";
import type { ExportColumn } from "./columns.ts";
import type { ToParquet } from "./parquet.ts";
import { ParquetFile } from "./parquet-file.ts";

const file = new ParquetFile(workerData as ExportColumn[]);

answerCalls<ToParquet, Uint8Array<ArrayBuffer>>({
  answer: (message) => ("lines" in message ? file.add(message.lines) : file.end()),
  transferOf: (bytes) => [bytes.buffer],
});
