// A thread in which files are parsed for their text: memory is limited by who starts it, and there is no network.
import { parentPort } from "node:worker_threads";
import { withoutNetwork } from "../../../collect/no-network.ts";
import { type Extracted, extract } from "./extract.ts";
import type { Format } from "./formats.ts";

export interface ExtractRequest {
  format: Format;
  bytes: Uint8Array<ArrayBuffer>;
}

export type ExtractReply = Extracted | { problem: string };

withoutNetwork();

parentPort!.on("message", ({ format, bytes }: ExtractRequest) => {
  extract(format, bytes).then(
    (extracted) => parentPort!.postMessage(extracted satisfies ExtractReply),
    (error: Error) => parentPort!.postMessage({ problem: error.message } satisfies ExtractReply),
  );
});
