// The files thread of a server. It owns the data of the files lens and handles calls on it.
import { workerData } from "node:worker_threads";
import type { FileJob } from "../../contract/files.ts";
import { answerCalls } from "../../engine/threads/thread-calls.ts";
import type { OpenedFile } from "../calls/content-calls.ts";
import type { SyncAsk } from "../sync/records-sink.ts";
import { answerLensCall, type LensDataCall, type LensDataOptions, openLensData } from "./lens-data.ts";

/** Unsolicited messages: a job has changed, or another process has changed roots, indexes or jobs. */
export type LensNews = { job: FileJob } | { others: true };

const thread = answerCalls<LensDataCall, unknown, never, LensNews, SyncAsk>({
  answer: (call) => answerLensCall(data, call),
  // Transfer an open file to the event loop, which sends it.
  transferOf: (value) => (hasHandle(value) ? [value.handle] : []),
  onClose: () => data.close(),
});
const data = openLensData(workerData as LensDataOptions, {
  onJob: (job) => thread.tell({ job }),
  onOthers: () => thread.tell({ others: true }),
  answer: (asked) => thread.call(asked as SyncAsk),
});

function hasHandle(value: unknown): value is OpenedFile {
  return typeof value === "object" && value !== null && "handle" in value;
}
