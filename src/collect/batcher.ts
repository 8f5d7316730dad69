// Collects what an importer finds into batches: large enough to be quick, small enough to be kept in memory twice.
import type { Checkpoint, FoundRecord, ImportEvent } from "./importer.ts";
import type { Batch, EntryNotes, FromThread } from "./messages.ts";

/** As an ingest commits: see INGEST.batchBytes. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_EVENTS = 5000;
/** Different reasons kept per entry and batch; more of one kind are counted. */
const REASONS_MAX = 20;

interface BatcherOptions {
  runId: string;
  /** The root the entries came from. */
  file: string;
  /** Bytes read so far. */
  read: () => number;
  say: (message: FromThread) => void;
  turn: () => Promise<void>;
}

export function batcher({ runId, file, read, say, turn }: BatcherOptions) {
  let streams = new Map<string, { lines: string[]; entries: Record<string, number> }>();
  let notes = new Map<string, EntryNotes>();
  let blobs: Batch["blobs"] = [];
  let checkpoint: Checkpoint | undefined;
  let bytes = 0;
  let events = 0;

  async function flush(): Promise<void> {
    if (events === 0 && blobs.length === 0) return;
    const batch: Batch = {
      streams: [...streams].map(([stream, { lines, entries }]) => ({
        stream,
        text: lines.join("\n"),
        records: lines.length,
        entries,
      })),
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
    say({ batch });
    await turn();
  }

  let digested: { path: string; digest: string | undefined } | undefined;

  async function record({ stream, key, data, emittedAt, entry, offset }: FoundRecord): Promise<void> {
    if (digested?.path !== entry.path) digested = { path: entry.path, digest: await entry.digest?.() };
    const { digest } = digested;
    const provenance = {
      run_id: runId,
      file,
      ...(digest === undefined ? {} : { digest }),
      entry: entry.path,
      ...(offset === undefined ? {} : { offset }),
    };
    const line = JSON.stringify({ key, data, emitted_at: emittedAt, provenance });
    const own = streams.get(stream) ?? { lines: [], entries: {} };
    own.lines.push(line);
    own.entries[entry.path] = (own.entries[entry.path] ?? 0) + 1;
    streams.set(stream, own);
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
    blob: (stored: Batch["blobs"][number]): void => void blobs.push(stored),
    async take(event: ImportEvent): Promise<void> {
      events++;
      if (event.kind === "record") await record(event);
      else if (event.kind === "skip") note(event.entry.path, event.reason, false, event.count ?? 1, event.offset);
      else if (event.kind === "error") note(event.entry.path, event.message, true, 1, event.offset);
      else {
        checkpoint = {
          entry: event.entry.path,
          ...(event.position === undefined ? {} : { position: event.position }),
        };
      }
      if (bytes >= BATCH_BYTES || events >= BATCH_EVENTS) await flush();
    },
    async end(): Promise<void> {
      await flush();
      say({ done: { seen: {} } });
    },
  };
}
