// Stores records from a connector: checks them like any ingest, and counts them by outcome.
import { PdppError } from "../../contract/errors.ts";
import { COLLECT } from "../../contract/limits.ts";
import type { JsonObject } from "../../contract/record.ts";
import type { StreamShape } from "../../core/scope.ts";
import type { Change, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import type { RunProgress } from "./collect-runs.ts";
import type { Removal } from "./import-snapshot.ts";
import { limitsOf, parseRecordMessage } from "./parse-line.ts";

const NEWLINE = 10;

interface ConnectorBatch {
  connectionId: string;
  origin: string;
  lines: Uint8Array;
  /** Line numbers in the connector's output. */
  numbers: readonly number[];
}

export interface StoredLines {
  /** The streams that changed, for the projections. */
  streamNos: number[];
  /** Set if a line is not a message at all, so the run cannot continue. */
  broken?: { line: number; message: string };
}

type Counted = RunProgress["counts"];

export const noCounts = (): Counted => ({
  received: 0,
  created: 0,
  changed: 0,
  unchanged: 0,
  deleted: 0,
  rejected: 0,
});

/**
 * Adds the stored lines to `progress`. If a batch fails in the middle, the lines before that point stay stored, and
 * sending them again changes nothing.
 */
export async function storeLines(
  view: WriteView,
  { catalog }: Caller,
  { connectionId, origin, lines, numbers }: ConnectorBatch,
  progress: RunProgress,
  way: Removal,
): Promise<StoredLines> {
  const shapes = new Map<string, StreamShape>();
  for (const shape of catalog.streams) if (shape.connectionId === connectionId) shapes.set(shape.name, shape);
  const found = new Map<StreamShape, Change[]>();
  let broken: StoredLines["broken"];
  let index = 0;
  for (const text of textsIn(lines)) {
    const line = numbers[index++]!;
    const parsed = parse(text, shapes, origin, way.now);
    if ("broken" in parsed) {
      broken = { line, message: parsed.broken };
      break;
    }
    const counts = countsOf(progress, "shape" in parsed ? parsed.shape.name : undefined);
    for (const one of counts) one.received++;
    if ("shape" in parsed) {
      const changes = found.get(parsed.shape) ?? [];
      found.set(parsed.shape, changes);
      changes.push(parsed.change);
    } else {
      for (const one of counts) one.rejected++;
      const { stream, code, message } = parsed;
      if (progress.rejections.length < COLLECT.rejectionsListed)
        progress.rejections.push({ line, ...(stream === undefined ? {} : { stream }), code, message });
    }
  }
  for (const [shape, changes] of found) await apply(view, shape, changes, progress, way);
  return { streamNos: [...found.keys()].map(({ streamNo }) => streamNo), ...(broken === undefined ? {} : { broken }) };
}

type ParsedLine =
  | { shape: StreamShape; change: Change }
  | { stream?: string; code: string; message: string }
  | { broken: string };

function parse(text: string, shapes: ReadonlyMap<string, StreamShape>, origin: string, now: number): ParsedLine {
  let stream: string | undefined;
  try {
    const message = parseRecordMessage(text);
    if (message === undefined) return { broken: "a line begins like a RECORD message but is not one" };
    stream = message.stream;
    const shape = shapes.get(stream);
    if (shape === undefined)
      // The connector's output is never repeated in a message, because it may contain a secret.
      return { code: "not_found", message: "its declaration has no such stream" };
    return { shape, change: message.parse(shape, origin, now) };
  } catch (error) {
    if (!(error instanceof PdppError)) throw error;
    if (error.message.startsWith("not JSON"))
      return { broken: `${withoutQuote(error.message)}; expected one JSON object per line` };
    const message = error.message.slice(0, COLLECT.textMax);
    return { ...(stream === undefined ? {} : { stream }), code: error.code, message };
  }
}

/** JSON.parse quotes the text that it could not parse. */
const withoutQuote = (complaint: string): string => complaint.replace(/, (?:\.\.\.)?"[\s\S]*$/, "");

function* textsIn(lines: Uint8Array): Generator<string> {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    const until = end === -1 ? bytes.length : end;
    yield bytes.toString("utf8", start, until);
    start = until + 1;
  }
}

/** The run's counts, and the stream's if it is known. */
function countsOf(progress: RunProgress, stream: string | undefined): Counted[] {
  if (stream === undefined) return [progress.counts];
  progress.streams[stream] ??= noCounts();
  return [progress.counts, progress.streams[stream]];
}

async function apply(
  view: WriteView,
  shape: StreamShape,
  changes: readonly Change[],
  progress: RunProgress,
  way: Removal,
): Promise<void> {
  const outcomes: ("created" | "changed" | "unchanged" | "deleted")[] = changes.map(() => "unchanged");
  await view.apply(shape.streamNo, changes, {
    appendOnly: shape.declaration.semantics === "append_only",
    limitsOf: (data) => limitsOf(shape, JSON.parse(data) as JsonObject),
    ...way,
    onOutcome(index, outcome) {
      outcomes[index] = changes[index]!.data === null ? "deleted" : outcome;
    },
  });
  for (const one of countsOf(progress, shape.name)) for (const outcome of outcomes) one[outcome]++;
}
