// What runs inside the thread that writes Parquet: lines of JSON in, bytes of the file out, a row group at a time.
import { parentPort, workerData } from "node:worker_threads";
import type { ExportColumn } from "./columns.ts";
import type { ToParquet } from "./parquet.ts";
import { ParquetFile } from "./parquet-file.ts";

const port = parentPort!;
const file = new ParquetFile(workerData as ExportColumn[]);

port.on("message", (message: ToParquet) => {
  const bytes = "lines" in message ? file.add(message.lines) : file.end();
  port.postMessage(bytes, [bytes.buffer]);
});
