// Checks the records of an import batch, stores them a slice at a time, and counts them by origin.
import type { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import type { importBatch } from "../../contract/import-request.ts";
import type { JsonObject } from "../../contract/record.ts";
import type { StreamShape } from "../../core/scope.ts";
import type { BatchOptions, Change, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { KEPT_FIRST, sameData } from "./append-only.ts";
import type { ImportReportWriter, RecordOutcome } from "./import-report.ts";
import type { Removal } from "./import-snapshot.ts";
import { targetStream } from "./ingest.ts";
import { limitsOf, type ParsedRecord, parseFound } from "./parse-line.ts";

/**
 * How many records are held as changes at once: enough for full INSERTs, and few enough that they are freed by the
 * garbage collection of the young generation.
 */
const SLICE = 64;
const NEWLINE = 10;

interface OpenRun {
  id: string;
  connection_id: string;
  /** True if part of the batch may already be stored, because it was interrupted before. */
  mayRepeat: boolean;
}

type FoundLines = z.infer<typeof importBatch>["found"][number];
type LineHead = [key: string | string[], offset: number | null];

export async function storeFound(
  view: WriteView,
  caller: Caller,
  run: OpenRun,
  { found, lines }: Pick<z.infer<typeof importBatch>, "found" | "lines">,
  report: ImportReportWriter,
  way: Removal,
): Promise<void> {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  for (const [name, runs] of Map.groupBy(found, ({ stream }) => stream)) {
    const stream = targetStream(caller, { stream: name, connection_id: run.connection_id });
    await storeStream(view, stream, run, recordsIn(bytes, runs, run.id), report, way);
  }
}

/** "kept first" means different data for an existing key of an append-only stream. */
type StoredOutcome = RecordOutcome | "kept first";

interface FoundLine extends ParsedRecord {
  entry: string;
  offset: number | null;
}

function* recordsIn(bytes: Buffer, runs: readonly FoundLines[], run_id: string): Generator<FoundLine> {
  for (const { file, digest, entry, from, to } of runs) {
    const originAt = origins({ run_id, file, digest, entry });
    for (let start = from; start < to; ) {
      const middle = bytes.indexOf(NEWLINE, start);
      const end = middle === -1 ? -1 : bytes.indexOf(NEWLINE, middle + 1);
      if (end === -1) throw new Error("a batch ends in the middle of a record");
      const [key, offset] = JSON.parse(bytes.toString("utf8", start, middle)) as LineHead;
      yield { entry, offset, key, text: bytes.toString("utf8", middle + 1, end), origin: originAt(offset) };
      start = end + 1;
    }
  }
}

async function storeStream(
  view: WriteView,
  stream: StreamShape,
  run: OpenRun,
  records: Iterable<FoundLine>,
  report: ImportReportWriter,
  way: Removal,
): Promise<void> {
  let changes: Change[] = [];
  /** The entry that each change came from. */
  let entries: string[] = [];
  const store = async (): Promise<void> => {
    if (changes.length === 0) return;
    const outcomes = await apply(view, stream, run, changes, way);
    count(report, stream.name, entries, outcomes);
    changes = [];
    entries = [];
  };
  for (const record of records) {
    const { entry, offset } = record;
    try {
      changes.push(parseFound(record, stream, way.now));
      entries.push(entry);
    } catch (error) {
      if (!(error instanceof PdppError)) throw error;
      const place = offset === null ? {} : { offset };
      report.note(entry, 0, 1, [{ reason: error.message, count: 1, failed: true, ...place }]);
    }
    if (changes.length >= SLICE) await store();
  }
  await store();
}

/** The stored origin of a record. Within an entry, only the offset differs. */
function origins({ run_id, file, digest, entry }: RecordOrigin): (offset: number | null) => string {
  const whole = JSON.stringify({ run_id, file, digest, entry });
  const open = whole.slice(0, -1);
  return (offset) => (offset === null ? whole : `${open},"offset":${offset}}`);
}

async function apply(
  view: WriteView,
  stream: StreamShape,
  { id, mayRepeat }: OpenRun,
  changes: readonly Change[],
  way: Removal,
): Promise<StoredOutcome[]> {
  const outcomes: StoredOutcome[] = changes.map(() => "unchanged");
  const onSame: BatchOptions["onSame"] = (index, { data, origin, created }) => {
    if (!sameData(data, changes[index]!.data!)) outcomes[index] = "kept first";
    if (!mayRepeat) return;
    // Repeated after an interruption: the record is from the same place in the same run.
    const [one, other] = [placeIn(origin), placeIn(changes[index]!.origin)];
    if (one.run_id === id && one.entry === other.entry && one.offset === other.offset)
      outcomes[index] = created ? "imported" : "changed";
  };
  await view.apply(stream.streamNo, changes, {
    appendOnly: stream.declaration.semantics === "append_only",
    limitsOf: (data) => limitsOf(stream, JSON.parse(data) as JsonObject),
    ...way,
    onOutcome(index, outcome) {
      outcomes[index] = outcome === "created" ? "imported" : "changed";
    },
    onSame,
  });
  return outcomes;
}

/** Consecutive records from one entry with the same outcome are counted together. */
function count(
  report: ImportReportWriter,
  stream: string,
  entries: readonly string[],
  outcomes: readonly StoredOutcome[],
): void {
  for (let start = 0; start < entries.length; ) {
    const [entry, outcome] = [entries[start]!, outcomes[start]!];
    let end = start + 1;
    while (end < entries.length && entries[end] === entry && outcomes[end] === outcome) end++;
    if (outcome !== "kept first") report.records(stream, entry, outcome, end - start);
    else report.note(entry, end - start, 0, [{ reason: KEPT_FIRST, count: end - start, failed: false }]);
    start = end;
  }
}

interface RecordOrigin {
  run_id?: string;
  file?: string;
  digest?: string;
  entry?: string;
  offset?: number;
}

const placeIn = (origin: string | null): RecordOrigin => (origin === null ? {} : (JSON.parse(origin) as RecordOrigin));
