// Splits a stream of NDJSON bytes into batches of lines, in bounded memory.

import { isUtf8 } from "node:buffer";
import { INGEST } from "../../contract/limits.ts";
import type { IngestReport, Rejection } from "../../contract/record.ts";
import type { Credential } from "../caller.ts";
import type { EngineHost } from "../host.ts";
import type { BatchResult, IngestTarget } from "./ingest.ts";

const NEWLINE = 0x0a;

export interface IngestOptions {
  host: EngineHost;
  credential: Credential;
  target: IngestTarget;
  requestId?: string;
  onProgress?: (report: IngestReport) => void;
}

/**
 * Each batch is committed before the batch after the next is read, so a broken stream loses nothing that was counted.
 */
export async function ingestStream(source: AsyncIterable<Uint8Array>, options: IngestOptions): Promise<IngestReport> {
  const { host, credential, target, requestId } = options;
  const place = await host.call("ingestTarget", target, credential, requestId);
  const report: IngestReport = {
    stream: target.stream,
    connection_id: place.connection_id,
    records_attempted: 0,
    records_accepted: 0,
    records_changed: 0,
    records_new: 0,
    records_unchanged: 0,
    records_rejected: 0,
    errors: [],
    rejections: [],
  };
  // All batches share one time, because where a batch ends depends on the size of hidden fields and records, and apps
  // can see the time (G-01).
  const shared = { stream: target.stream, connection_id: place.connection_id, began: place.began };
  let previous: Promise<void> = Promise.resolve();
  try {
    for await (const batch of lineBatches(source)) {
      const sent =
        "bytes" in batch ? host.call("ingest", { ...shared, text: batch.bytes }, credential, requestId) : undefined;
      // If an earlier batch fails too, nothing else waits for this one.
      sent?.catch(() => undefined);
      // One batch is written while the next is read. Results are counted in order.
      const before = previous;
      previous = (async () => {
        await before;
        const stored = await sent;
        if (stored === undefined) return count(report, refusedLine((batch as { refused: IngestRefusal }).refused));
        count(report, stored);
        host.changed(place.stream_no);
        options.onProgress?.(report);
      })();
      previous.catch(() => undefined);
      await before;
    }
  } finally {
    await previous;
  }
  return report;
}

type IngestRefusal = Pick<Rejection, "code" | "message">;
/**
 * The lines stay bytes until they reach the thread that parses them. As a string, they would fill this thread's heap.
 * The bytes have a buffer of their own, which is moved to that thread.
 */
type LineBatch = { bytes: Uint8Array } | { refused: IngestRefusal };

const TOO_LARGE: IngestRefusal = {
  code: "resource_limit",
  message: `the line is longer than ${INGEST.lineBytes} bytes`,
};
const NOT_TEXT: IngestRefusal = { code: "invalid_record", message: "the line is not UTF-8" };

const refusedLine = (refusal: IngestRefusal): Omit<BatchResult, "connection_id"> => ({
  attempted: 1,
  changed: 0,
  created: 0,
  rejected: 1,
  rejections: [{ input_index: 0, ...refusal }],
});

function count(report: IngestReport, batch: Omit<BatchResult, "connection_id">): void {
  const first = report.records_attempted;
  report.records_attempted += batch.attempted;
  report.records_rejected += batch.rejected;
  report.records_accepted += batch.attempted - batch.rejected;
  report.records_changed += batch.changed;
  report.records_new += batch.created;
  report.records_unchanged += batch.attempted - batch.rejected - batch.changed;
  for (const rejection of batch.rejections as Rejection[]) {
    if (report.rejections.length >= INGEST.rejectionsListed) break;
    const inputIndex = first + rejection.input_index;
    report.rejections.push({ ...rejection, input_index: inputIndex });
    report.errors.push(`line ${inputIndex + 1}: ${rejection.message}`);
  }
}

/** Yields whole lines, about a megabyte at a time. A line over the limit is skipped and reported. */
export async function* lineBatches(source: AsyncIterable<Uint8Array>): AsyncGenerator<LineBatch> {
  let held: Buffer[] = [];
  let size = 0;
  let skipping = false;
  const take = (): Buffer => {
    const bytes = Buffer.concat(held);
    held = [];
    size = 0;
    return bytes;
  };
  for await (const piece of source) {
    let chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (skipping) {
      const end = chunk.indexOf(NEWLINE);
      if (end === -1) continue;
      chunk = chunk.subarray(end + 1);
      skipping = false;
    }
    const end = chunk.lastIndexOf(NEWLINE);
    if (end === -1) {
      held.push(chunk);
      size += chunk.length;
    } else {
      held.push(chunk.subarray(0, end + 1));
      size += end + 1;
      if (size >= INGEST.batchBytes) yield* checked(take());
      if (end + 1 < chunk.length) {
        held.push(chunk.subarray(end + 1));
        size += chunk.length - end - 1;
      }
    }
    if (size > INGEST.batchBytes + INGEST.lineBytes) {
      // More than a batch has arrived without a line end. Everything up to the last line end is passed on, and the rest
      // is one giant line.
      const all = take();
      const cut = all.lastIndexOf(NEWLINE) + 1;
      if (cut > 0) yield* checked(all.subarray(0, cut));
      if (all.length - cut > INGEST.lineBytes) {
        skipping = true;
        yield { refused: TOO_LARGE };
      } else {
        held = [all.subarray(cut)];
        size = all.length - cut;
      }
    }
  }
  if (size > 0) yield* checked(take());
}

/** Lines with invalid UTF-8 are refused, because they would not be stored as they were sent. The others are stored. */
function* checked(bytes: Buffer): Generator<LineBatch> {
  let start = 0;
  let end = isUtf8(bytes) ? bytes.length : 0;
  while (end < bytes.length) {
    const next = bytes.indexOf(NEWLINE, end) + 1 || bytes.length;
    if (isUtf8(bytes.subarray(end, next))) {
      end = next;
      continue;
    }
    if (end > start) yield { bytes: ownBuffer(bytes.subarray(start, end)) };
    yield { refused: NOT_TEXT };
    start = next;
    end = next;
  }
  if (end > start) yield { bytes: ownBuffer(bytes.subarray(start, end)) };
}

/** Small buffers are parts of a pool, which must be neither moved nor copied as a whole. */
const ownBuffer = (bytes: Buffer): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
