// Collects an importer's results into batches that are large enough to be fast and small enough to be held in memory
// three times.
import { canonicalKey } from "../contract/key.ts";
import { type KeySet, keySet } from "../core/key-set.ts";
import type { Entry } from "./entry.ts";
import type { Checkpoint, FoundRecord, ImportEvent } from "./importer.ts";
import { lineBuffer } from "./line-buffer.ts";
import type { EntryNotes, FoundRun, ParserBatch, SeenKeys } from "./messages.ts";

/**
 * The size at which an ingest commits: see INGEST.batchBytes. Once it is reached, the next checkpoint ends the batch.
 */
const BATCH_BYTES = 1024 * 1024;
const BATCH_EVENTS = 5000;
/** A batch may exceed that size by this factor while it waits for a checkpoint. */
const OVERSIZE_FACTOR = 2;
/** How many different reasons are kept per entry and batch. Repeated reasons are only counted. */
const REASONS_MAX = 20;
/** Names in an archive can be longer than the origin that a record can store. */
const PLACE_MAX = 1000;

export interface BatcherOptions {
  /** The group that the entries belong to. */
  file: string;
  /** Bytes parsed so far. */
  read: () => number;
  /** Streams that the export contains completely. */
  snapshotOf: readonly string[];
  /** Passes on a batch; resolves when there is room for another. */
  send: (batch: ParserBatch) => Promise<void>;
}

export interface Batcher {
  blob(stored: ParserBatch["blobs"][number]): void;
  /**
   * Returns a promise only if the caller has to wait. Most events are buffered immediately, and there are millions of
   * them.
   */
  take(event: ImportEvent): Promise<void> | undefined;
  /** Sends buffered records. Returns the keys found in streams that the export contains completely. */
  end(): Promise<SeenKeys[]>;
}

/** Also holds the full path of the entry. A record may store a shortened one. */
type PathRun = FoundRun & { path: string };

export function batcher({ file, read, snapshotOf, send }: BatcherOptions): Batcher {
  let found: PathRun[] = [];
  const lines = lineBuffer();
  let notes = new Map<string, EntryNotes>();
  let blobs: ParserBatch["blobs"] = [];
  let events = 0;
  const seen = new Map<string, KeySet>(snapshotOf.map((stream) => [stream, keySet()]));

  async function flush(checkpoint?: Checkpoint): Promise<void> {
    if (events === 0 && blobs.length === 0) return;
    const batch: ParserBatch = {
      found: found.map(({ path: _path, ...run }) => run),
      lines: lines.take(),
      blobs,
      ...(checkpoint === undefined ? {} : { checkpoint }),
      notes: [...notes.values()],
      bytes: read(),
    };
    found = [];
    notes = new Map();
    blobs = [];
    events = 0;
    await send(batch);
  }

  /** The last checkpoint, or undefined once another event follows it. */
  let settled: Checkpoint | undefined;
  let digested: { path: string; digest: string | undefined } | undefined;

  function record({ stream, key, data, entry, offset }: FoundRecord): void {
    const run = runOf(stream, entry);
    lines.add(JSON.stringify([key, offset]));
    lines.add(JSON.stringify(data));
    run.to = lines.length();
    seen.get(stream)?.add(canonicalKey(key));
  }

  function runOf(stream: string, { path }: Entry): PathRun {
    const last = found.at(-1);
    if (last?.path === path && last.stream === stream) return last;
    const digest = digested?.digest;
    const place = { file: placeName(file), ...(digest === undefined ? {} : { digest }), entry: placeName(path) };
    const from = lines.length();
    const run = { stream, ...place, from, to: from, path };
    found.push(run);
    return run;
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

  const full = (times: number): boolean => lines.length() >= times * BATCH_BYTES || events >= times * BATCH_EVENTS;

  function take(event: ImportEvent): Promise<void> | undefined {
    events++;
    if (event.kind === "checkpoint") {
      const { entry, position } = event;
      settled = { entry: entry.path, ...(position === undefined ? {} : { position }) };
      return full(1) ? flush(settled) : undefined;
    }
    settled = undefined;
    if (event.kind === "record") record(event);
    else if (event.kind === "skip")
      note(placeName(event.entry.path), event.reason, false, event.count ?? 1, event.offset);
    else note(placeName(event.entry.path), event.message, true, 1, event.offset);
    return full(OVERSIZE_FACTOR) ? flush() : undefined;
  }

  /** The first event of an entry carries the entry's metadata. */
  async function takeFirst(event: FoundRecord): Promise<void> {
    digested = { path: event.entry.path, digest: await event.entry.digest?.() };
    await take(event);
  }

  return {
    blob: (stored) => void blobs.push(stored),
    take: (event) => (event.kind === "record" && digested?.path !== event.entry.path ? takeFirst(event) : take(event)),
    async end() {
      await flush(settled);
      return [...seen].map(([stream, keys]) => ({ stream, hashes: keys.bytes() }));
    },
  };
}

/** The end of a name is more telling than its beginning. */
export const placeName = (name: string): string => (name.length <= PLACE_MAX ? name : `…${name.slice(-PLACE_MAX)}`);
