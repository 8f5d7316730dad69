// Ingests a batch of NDJSON lines into one stream of one connection, in one transaction.
import { PdppError } from "../../contract/errors.ts";
import { INGEST } from "../../contract/limits.ts";
import type { JsonObject, Rejection } from "../../contract/record.ts";
import { ambiguousConnection, connectionNotFound, type StreamShape } from "../../core/scope.ts";
import type { BatchOptions, Change, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { KEPT_FIRST, sameData } from "./append-only.ts";
import { limitsOf, parseLine } from "./parse-line.ts";

export interface IngestTarget {
  stream: string;
  connector_id?: string;
  connection_id?: string;
}

export interface BatchResult {
  connection_id: string;
  attempted: number;
  /** The number of new or changed records. */
  changed: number;
  created: number;
  rejected: number;
  /** `input_index` counts from the batch's first line. */
  rejections: Rejection[];
}

export async function ingestBatch(
  view: WriteView,
  caller: Caller,
  target: IngestTarget,
  text: string | Uint8Array,
  { now, onReleased }: Pick<BatchOptions, "now" | "onReleased">,
): Promise<BatchResult> {
  const stream = targetStream(caller, target);
  const rejections: Rejection[] = [];
  const changes: Change[] = [];
  /** The line number of each change. */
  const numbers: number[] = [];
  let attempted = 0;
  let rejected = 0;
  const reject = (input_index: number, code: string, message: string): void => {
    rejected++;
    if (rejections.length < INGEST.rejectionsListed) rejections.push({ input_index, code, message });
  };
  const lines = typeof text === "string" ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString();
  for (const line of lines.split("\n")) {
    if (line.trim() === "") continue;
    const index = attempted++;
    try {
      changes.push(parseLine(line, stream, now));
      numbers.push(index);
    } catch (error) {
      if (!(error instanceof PdppError)) throw error;
      reject(index, error.code, error.message);
    }
  }
  let created = 0;
  const changed = await view.apply(stream.streamNo, changes, {
    appendOnly: stream.declaration.semantics === "append_only",
    limitsOf: (data) => limitsOf(stream, JSON.parse(data) as JsonObject),
    now,
    ...(onReleased === undefined ? {} : { onReleased }),
    onOutcome(_index, outcome) {
      if (outcome === "created") created++;
    },
    onSame(index, { data }) {
      if (!sameData(data, changes[index]!.data!)) reject(numbers[index]!, "already_exists", KEPT_FIRST);
    },
  });
  rejections.sort((one, other) => one.input_index - other.input_index);
  return { connection_id: stream.connectionId, attempted, changed, created, rejected, rejections };
}

/** The target stream of an ingest: given by its connection, or by a connector that has exactly one connection. */
export function targetStream({ catalog }: Caller, { stream, connector_id, connection_id }: IngestTarget): StreamShape {
  const candidates = catalog.streams.filter(
    (shape) =>
      shape.name === stream &&
      (connection_id === undefined || shape.connectionId === connection_id) &&
      (connector_id === undefined || shape.connectorKey === connector_id || shape.source.id === connector_id),
  );
  if (candidates.length === 1) return candidates[0]!;
  if (candidates.length > 1) {
    throw ambiguousConnection(`${candidates.length} connections have a stream ${JSON.stringify(stream)}`, candidates);
  }
  if (connection_id !== undefined && !catalog.connections.some((row) => row.connectionId === connection_id)) {
    throw connectionNotFound(connection_id);
  }
  throw new PdppError("not_found", `no connection has a stream ${JSON.stringify(stream)}`, {
    param: "stream",
    next_step: "Register the source (PUT /v1/connectors/KEY) and create a connection (POST /v1/connections) first.",
  });
}

/** Deletes one record, as its source would. */
export async function deleteRecord(
  view: WriteView,
  caller: Caller,
  target: IngestTarget & { id: string },
  { now, onReleased }: Pick<BatchOptions, "now" | "onReleased">,
): Promise<void> {
  const stream = targetStream(caller, target);
  const gone: Change = { id: target.id, data: null, ord: null, time: null, emittedAt: now, origin: null, blobs: [] };
  const changed = await view.apply(stream.streamNo, [gone], {
    appendOnly: false,
    limitsOf: (data) => limitsOf(stream, JSON.parse(data) as JsonObject),
    now,
    onReleased,
  });
  if (changed === 0)
    throw new PdppError("not_found", `no record ${JSON.stringify(target.id)} in ${target.stream}`, { param: "id" });
}

export interface SyncedBatch extends Pick<BatchResult, "rejected" | "changed"> {
  /** The stream's number, for notifying the projections. */
  stream_no: number;
}

export interface StreamEmptied {
  removed: number;
  stream_no: number;
  /** Where to continue. Absent if nothing is left. */
  next?: { after: number; up_to: number };
}

/** How many records are read together, so that this takes no longer than an ingest. */
const EMPTIED_AT_ONCE = 2000;

/** Only for a stream whose records refer to no blobs. */
export async function emptyStream(
  view: WriteView,
  caller: Caller,
  { after, up_to, ...target }: IngestTarget & { after: number; up_to?: number },
  now: number,
): Promise<StreamEmptied> {
  const stream = targetStream(caller, target);
  // Deleted records get a version above this one.
  const upTo = up_to ?? (await view.version());
  const rows = await view.changes(stream.streamNo, after, upTo, EMPTIED_AT_ONCE);
  const gone = rows
    .filter(({ data }) => data !== null)
    .map(({ id }): Change => ({ id, data: null, ord: null, time: null, emittedAt: now, origin: null, blobs: [] }));
  const removed = await view.apply(stream.streamNo, gone, {
    appendOnly: false,
    limitsOf: (data) => limitsOf(stream, JSON.parse(data) as JsonObject),
    now,
  });
  return {
    removed,
    stream_no: stream.streamNo,
    ...(rows.length < EMPTIED_AT_ONCE ? {} : { next: { after: rows.at(-1)!.version, up_to: upTo } }),
  };
}
