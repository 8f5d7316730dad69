// Scores the documents of a segment that a plan matches. No word is needed, but a record with every word comes first.
import { needsWord, type QueryPlan } from "../../../core/search/query.ts";
import { Accumulator } from "./accumulate.ts";
import { inverseFrequency, type Norms, normsOf } from "./bm25.ts";
import { type ClauseEntries, cursorsOf } from "./clause-entries.ts";
import { CODE_LENGTH } from "./lengths.ts";
import { documentVisible, type SegmentView } from "./scope.ts";
import type { ScopeStatistics } from "./types.ts";

/** Takes the matching documents of a segment. */
export interface HitSink {
  /** By stream: every match is counted. */
  counts: Uint32Array;
  /** Documents that match every clause. */
  all: number;
  /** Matches below this score are only counted; it rises while the page fills. */
  floor(): number;
  /** `passage`: equal for equal texts that matched. */
  offer(document: number, score: number, passage: number): void;
  /** A further condition, on documents. */
  accepts?(document: number): boolean;
}

export interface Weights {
  /** By clause. */
  factors: number[];
  norms: Norms;
}

/** More than all words of a query can score: a record with every word comes first. */
export const EVERY_WORD = 2 ** 45;

const sums = new Accumulator();

export function weightsOf({ clauses }: QueryPlan, statistics: ScopeStatistics): Weights {
  return {
    factors: statistics.matching.map(
      (matching, clause) => (clauses[clause]!.weight ?? 1) * inverseFrequency(statistics.units, matching),
    ),
    norms: normsOf(statistics),
  };
}

export function evaluate(
  view: SegmentView,
  plan: QueryPlan,
  entries: (ClauseEntries | undefined)[],
  weights: Weights,
  sink: HitSink,
): void {
  const isExcluded = exclusion(view, plan);
  const { streamOf, documents } = view.segment;
  const match = (document: number, score: number) => {
    sink.counts[streamOf[document]!]!++;
    if (score >= sink.floor()) sink.offer(document, score, passageOf(view, document));
  };
  if (plan.clauses.length === 0) {
    everything(view, (document) => {
      if (isExcluded?.(document) || (sink.accepts && !sink.accepts(document))) return;
      sink.all++;
      match(document, 0);
    });
    return;
  }
  const required = plan.clauses.filter((clause) => clause.required).length;
  const leastWords = needsWord(plan) ? 1 : 0;
  const words = plan.clauses.filter((clause) => !clause.required && !clause.related).length;
  try {
    entries.forEach((clause, index) => {
      const { required, related } = plan.clauses[index]!;
      const role = required ? "required" : related ? "related" : "word";
      if (clause) sums.clause(view, clause, weights.factors[index]!, weights.norms, role);
    });
    sums.each(documents, (document) => {
      const found = sums.words[document]!;
      if (sums.required[document]! < required || found < leastWords || isExcluded?.(document)) return;
      if (sink.accepts && !sink.accepts(document)) return;
      const full = found === words;
      if (full) sink.all++;
      match(document, sums.scores[document]! + (full ? EVERY_WORD : 0));
    });
  } finally {
    sums.clear();
  }
}

/** Fewer words are a name or a heading: many records share one, and are not the same for it. */
export const PASSAGE_WORDS = 5;

/** One number for the texts of a document that matched; its own where they are no passage. */
function passageOf({ segment }: SegmentView, document: number): number {
  const { fingerprints, lengths, shift, versions } = segment;
  const fields = sums.fields[document]!;
  let passage = 0;
  let words = 0;
  for (let field = 0; field < 1 << shift; field++) {
    if (((fields >>> Math.min(field, 31)) & 1) === 0) continue;
    const unit = (document << shift) | field;
    words += CODE_LENGTH[lengths[unit]!]!;
    passage = Math.imul(passage ^ fingerprints[unit]!, 0x01000193);
  }
  return words < PASSAGE_WORDS ? -1 - versions[document]! : passage >>> 0;
}

/** Whether a document has what the query leaves out. Documents are asked for in order. */
function exclusion(view: SegmentView, plan: QueryPlan): ((document: number) => boolean) | undefined {
  const excluded = plan.excluded.flatMap((clause) => cursorsOf(view, clause));
  if (excluded.length === 0) return undefined;
  return (document) => {
    for (const cursor of excluded) {
      cursor.seek(document);
      if (cursor.document === document) return true;
    }
    return false;
  };
}

/** A query of filters only: every visible document, all with score 0. */
function everything(view: SegmentView, match: (document: number) => void): void {
  const { documents, dead } = view.segment;
  for (let document = 0; document < documents; document++)
    if (dead[document] === 0 && documentVisible(view, document)) match(document);
}
