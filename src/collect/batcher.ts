// Collects what an importer finds into batches: large enough to be quick, small enough to be kept in memory thrice.
import { canonicalKey } from "../contract/key.ts";
import { type KeySet, keySet } from "../core/key-set.ts";
import type { Checkpoint, FoundRecord, ImportEvent } from "./importer.ts";
import type { Batch, EntryNotes, SeenKeys } from "./messages.ts";

/** As an ingest commits: see INGEST.batchBytes. From here on the next checkpoint ends the batch. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_EVENTS = 5000;
/** So much longer it waits for one. */
const PATIENCE = 2;
/** Different reasons kept per entry and batch; more of one kind are counted. */
const REASONS_MAX = 20;
/** Names in an archive may be longer than what a record keeps of where it came from. */
const PLACE_MAX = 1000;

export interface BatcherOptions {
  runId: string;
  /** The group the entries came from. */
  file: string;
  /** Bytes read so far. */
  read: () => number;
  /** Streams of which the importer shows all there is. */
  snapshotOf: readonly string[];
  /** Hands a batch over; resolves when there is room for another. */
  send: (batch: Batch) => Promise<void>;
}

export interface Batcher {
  blob(stored: Batch["blobs"][number]): void;
  take(event: ImportEvent): Promise<void>;
  /** Sends what is held; answers what was met of the streams that are shown whole. */
  end(): Promise<SeenKeys[]>;
}

export function batcher({ runId, file, read, snapshotOf, send }: BatcherOptions): Batcher {
  let streams = new Map<string, string[]>();
  let notes = new Map<string, EntryNotes>();
  let blobs: Batch["blobs"] = [];
  let bytes = 0;
  let events = 0;
  const seen = new Map<string, KeySet>(snapshotOf.map((stream) => [stream, keySet()]));

  async function flush(checkpoint?: Checkpoint): Promise<void> {
    if (events === 0 && blobs.length === 0) return;
    const batch: Batch = {
      streams: [...streams].map(([stream, lines]) => ({ stream, text: lines.join("\n") })),
      blobs,
      ...(checkpoint === undefined ? {} : { checkpoint }),
      notes: [...notes.values()],
      bytes: read(),
    };
    streams = new Map();
    notes = new Map();
    blobs = [];
    bytes = 0;
    events = 0;
    await send(batch);
  }

  let digested: { path: string; digest: string | undefined } | undefined;

  async function record({ stream, key, data, emittedAt, entry, offset }: FoundRecord): Promise<void> {
    if (digested?.path !== entry.path) digested = { path: entry.path, digest: await entry.digest?.() };
    const { digest } = digested;
    const provenance = {
      run_id: runId,
      file: placeName(file),
      ...(digest === undefined ? {} : { digest }),
      entry: placeName(entry.path),
      ...(offset === undefined ? {} : { offset }),
    };
    const line = JSON.stringify({ key, data, emitted_at: emittedAt, provenance });
    const lines = streams.get(stream) ?? [];
    lines.push(line);
    streams.set(stream, lines);
    seen.get(stream)?.add(canonicalKey([key].flat()));
    bytes += line.length;
  }

  function note(entry: string, reason: string, failed: boolean, count: number, offset: number | undefined): void {
    const own = notes.get(entry) ?? { entry, skipped: 0, failed: 0, reasons: [] };
    notes.set(entry, own);
    if (failed) own.failed += count;
    else own.skipped += count;
    const same = own.reasons.find((one) => one.reason === reason && one.failed === failed);
    if (same !== undefined) same.count += count;
    else if (own.reasons.length < REASONS_MAX) {
      own.reasons.push({ reason, count, failed, ...(offset === undefined ? {} : { offset }) });
    }
  }

  return {
    blob: (stored) => void blobs.push(stored),
    async take(event) {
      events++;
      const full = (times: number): boolean => bytes >= times * BATCH_BYTES || events >= times * BATCH_EVENTS;
      if (event.kind === "checkpoint") {
        const { entry, position } = event;
        if (full(1)) await flush({ entry: entry.path, ...(position === undefined ? {} : { position }) });
        return;
      }
      if (event.kind === "record") await record(event);
      else if (event.kind === "skip")
        note(placeName(event.entry.path), event.reason, false, event.count ?? 1, event.offset);
      else note(placeName(event.entry.path), event.message, true, 1, event.offset);
      if (full(PATIENCE)) await flush();
    },
    async end() {
      await flush();
      return [...seen].map(([stream, keys]) => ({ stream, hashes: keys.bytes() }));
    },
  };
}

/** The end of a name says more than its beginning. */
const placeName = (name: string): string => (name.length <= PLACE_MAX ? name : `…${name.slice(-PLACE_MAX)}`);
