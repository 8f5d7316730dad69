// The shape of the demo home: sources, connections, streams of record batches, and blobs.
import { createHash } from "node:crypto";
import type { BlobRef } from "../contract/blob.ts";
import type { SourceDeclaration } from "../contract/declaration.ts";
import type { JsonObject, RecordInput } from "../contract/record.ts";
import { TODAY } from "./clock.ts";

export interface DemoSource {
  connector_key: string;
  declaration: SourceDeclaration;
}

export interface DemoConnection extends DemoSource {
  /** Stable name of this connection inside the demo, e.g. "mail-work". */
  key: string;
  display_name: string;
  streams: DemoStream[];
}

export interface DemoStream {
  name: string;
  /** Record lines in the order they were emitted: upserts, later updates, deletions. */
  batches(): Iterable<RecordInput[]>;
  /** The bytes that `blob_ref`s of this stream's records refer to. Store them before the records. */
  blobs(): Iterable<DemoBlob>;
}

export interface DemoBlob {
  record_key: string;
  ref: BlobRef;
  bytes: Uint8Array;
}

/** One version of a record (or its end), before it becomes an ingest line. */
export interface DemoRecord {
  id: string;
  /** When the source made it, in milliseconds. */
  at: number;
  /** Absent: the record was deleted. */
  data?: JsonObject;
}

const BATCH_RECORDS = 500;

export function stream(
  name: string,
  lines: () => readonly DemoRecord[],
  blobs: () => readonly DemoBlob[] = () => [],
): DemoStream {
  return {
    name,
    blobs,
    *batches() {
      const ordered = [...lines()].sort((a, b) => a.at - b.at);
      for (let start = 0; start < ordered.length; start += BATCH_RECORDS)
        yield ordered.slice(start, start + BATCH_RECORDS).map((line) => recordInput(name, line));
    },
  };
}

/** All of the demo is emitted at once, at the end of its last day: no record's own time can be told from it. */
const EMITTED_AT = `${TODAY}T22:59:57Z`;

function recordInput(streamName: string, line: DemoRecord): RecordInput {
  return {
    stream: streamName,
    key: line.id,
    ...(line.data === undefined ? { op: "delete" as const } : { data: line.data }),
    emitted_at: EMITTED_AT,
    provenance: { file: "demo", run_id: "demo" },
  };
}

/** Computes once, on first use. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function demoBlob(recordKey: string, mimeType: string, bytes: Uint8Array): DemoBlob {
  const digest = createHash("sha256").update(bytes).digest();
  const ref = {
    blob_id: `blob_${digest.toString("base64url")}`,
    mime_type: mimeType,
    size_bytes: bytes.length,
    sha256: digest.toString("hex"),
  };
  return { record_key: recordKey, ref, bytes };
}

/** A BlobRef as record data. */
export function refData(blob: DemoBlob): JsonObject {
  return { ...blob.ref };
}
