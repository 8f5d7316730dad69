// Walks the documents of a segment that a plan matches, scoring each in a fixed order: clauses as typed, fields as declared.
import type { QueryPlan } from "../../../core/search/query.ts";
import { inverseFrequency, saturation, saturationTable } from "./bm25.ts";
import { type ClauseEntries, entriesOf } from "./clause-entries.ts";
import { type Cursor, END } from "./cursor.ts";
import { CODE_LENGTH } from "./lengths.ts";
import { scanTerm } from "./scan-term.ts";
import { documentVisible, type SegmentView } from "./scope.ts";
import type { ScopeStatistics } from "./types.ts";

/** Takes the matching documents of a segment. */
export interface HitSink {
  /** By stream: every match is counted. */
  counts: Uint32Array;
  /** Matches below this score are only counted; it rises while the page fills. */
  floor(): number;
  offer(document: number, score: number): void;
  /** A further condition, on documents. */
  accepts?(document: number): boolean;
}

export interface Weights {
  idf: number[];
  averageLength: number;
  table: Float64Array;
}

/** Entries from which on a table is cheaper than computing each score. */
const TABLE_PAYS = 2000;

export function weightsOf(statistics: ScopeStatistics): Weights {
  const averageLength = statistics.units === 0 ? 1 : statistics.words / statistics.units;
  return {
    idf: statistics.matching.map((matching) => inverseFrequency(statistics.units, matching)),
    averageLength,
    table: saturationTable(
      averageLength,
      statistics.matching.some((matching) => matching > TABLE_PAYS),
    ),
  };
}

export function evaluate(
  view: SegmentView,
  plan: QueryPlan,
  entries: (ClauseEntries | undefined)[],
  weights: Weights,
  sink: HitSink,
): void {
  const excluded = plan.excluded
    .map((clause) => entriesOf(view, clause)?.open())
    .filter((cursor) => cursor !== undefined);
  const isExcluded = (document: number) => {
    for (const cursor of excluded) {
      cursor.seek(document);
      if (cursor.document === document) return true;
    }
    return false;
  };
  const { streamOf } = view.segment;
  const match = (document: number, score: number) => {
    if (sink.accepts && !sink.accepts(document)) return;
    sink.counts[streamOf[document]!]!++;
    if (score >= sink.floor()) sink.offer(document, score);
  };
  if (plan.clauses.length === 0) {
    everything(view, isExcluded, match);
    return;
  }
  if (plan.mode === "all" && entries.includes(undefined)) return;
  const alone = entries.length === 1 && excluded.length === 0 && !sink.accepts ? entries[0]?.term : undefined;
  if (alone) {
    scanTerm(alone, weights, sink);
    return;
  }
  const cursors = entries.map((clause) => clause?.open());
  const present = cursors.filter((cursor) => cursor !== undefined);
  if (present.length === 0) return;
  const score = scorer(view, cursors, weights);
  const found = (document: number) => {
    const value = score(document);
    if (excluded.length === 0 || !isExcluded(document)) match(document, value);
  };
  if (plan.mode === "all") inAll(present, found);
  else inAny(present, found);
}

/** The cursor with the fewest entries leads, the others follow by seeking. `found` moves all of them on. */
function inAll(cursors: Cursor[], found: (document: number) => void): void {
  const [lead, ...others] = cursors.toSorted((one, other) => one.cost - other.cost);
  next: while (lead!.document !== END) {
    const { document } = lead!;
    for (const other of others) {
      other.seek(document);
      if (other.document === document) continue;
      if (other.document === END) return;
      lead!.seek(other.document);
      continue next;
    }
    found(document);
  }
}

function inAny(cursors: Cursor[], found: (document: number) => void): void {
  for (;;) {
    let document = END;
    for (const cursor of cursors) if (cursor.document < document) document = cursor.document;
    if (document === END) return;
    found(document);
  }
}

/** Adds up and moves on the cursors that stand at the document. */
function scorer(view: SegmentView, cursors: (Cursor | undefined)[], weights: Weights): (document: number) => number {
  const { lengths, shift, streamOf } = view.segment;
  const { table, averageLength, idf } = weights;
  return (document) => {
    let score = 0;
    const stream = streamOf[document]! << shift;
    for (let clause = 0; clause < cursors.length; clause++) {
      const cursor = cursors[clause];
      if (cursor === undefined) continue;
      while (cursor.document === document) {
        const { field, frequency } = cursor;
        const length = lengths[(document << shift) | field]!;
        const slot = (frequency << 8) | length;
        const value = slot < table.length ? table[slot]! : saturation(frequency, CODE_LENGTH[length]!, averageLength);
        score += view.weights[stream | field]! * (idf[clause]! * value);
        cursor.next();
      }
    }
    return score;
  };
}

/** A query of filters only: every visible document, all with score 0. */
function everything(
  view: SegmentView,
  isExcluded: (document: number) => boolean,
  match: (document: number, score: number) => void,
): void {
  const { documents, dead } = view.segment;
  for (let document = 0; document < documents; document++) {
    if (dead[document] === 0 && documentVisible(view, document) && !isExcluded(document)) match(document, 0);
  }
}
