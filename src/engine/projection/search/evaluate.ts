// Scores a segment's documents that match a plan. No single word is required, but records with every word rank first.
import { needsWord, type QueryPlan } from "../../../core/search/query.ts";
import { Accumulator, type ClauseRole, requiredFound, wordsFound } from "./accumulate.ts";
import { inverseFrequency, maxContribution, type Norms, normsOf } from "./bm25.ts";
import { type ClauseEntries, cursorsOf } from "./clause-entries.ts";
import { EntryScores } from "./entry-scores.ts";
import { EVERY_WORD, type HitSink } from "./hit-sink.ts";
import type { Months } from "./months.ts";
import { pageFloor } from "./page-floor.ts";
import { ownPassage, passageOf } from "./passage.ts";
import { Proximity } from "./proximity.ts";
import { scanTerm } from "./scan-term.ts";
import { documentVisible, type SegmentView, visibleTime } from "./scope.ts";
import type { ScopeStatistics } from "./types.ts";

export interface Weights {
  /** One factor per clause. */
  factors: number[];
  norms: Norms;
}

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
  const { accepts, counts } = sink;
  if (plan.clauses.length === 0) {
    everything(view, (document) => {
      if (isExcluded?.(document) || (accepts && !accepts(document))) return;
      sink.all++;
      counts[streamOf[document]!]!++;
      if (sink.floor() <= 0) sink.offer(document, 0, ownPassage(view, document));
    });
    return;
  }
  const alone = !isExcluded && !accepts && entries.length === 1 ? entries[0]!.parts : [];
  if (alone.length === 1 && !alone[0]!.list && view.weightsAgree) {
    scanTerm(view, alone[0]!, new EntryScores(view, weights.factors[0]!, weights.norms, alone[0]!), sink);
    return;
  }
  const required = plan.clauses.filter((clause) => clause.required).length;
  const leastWords = needsWord(plan) ? 1 : 0;
  const words = plan.clauses.filter((clause) => !clause.required && !clause.related).length;
  try {
    const near = new Proximity(view, plan, entries, weights.factors);
    let floor = sink.floor();
    const ranked = rarestFirst(plan, entries);
    const most = mostOf(ranked, weights, near);
    const isPlain = !isExcluded && !accepts && required === 0;
    const isShort = ranked.filter(({ role }) => role === "word").length < words;
    const lastWord = ranked.findLastIndex(({ role }) => role === "word");
    ranked.forEach(({ clause, index, role }, place) => {
      // After the first clause, or if a word is missing, a new document cannot have every word.
      const cannotReach = isPlain && role === "word" && (place > 0 || isShort) && most[place]! < floor;
      const counted = cannotReach ? counts : undefined;
      sums.clause(view, clause, {
        factor: weights.factors[index]!,
        norms: weights.norms,
        role,
        counts: counted,
        isLast: place >= lastWord,
      });
      // A frequent word's other documents need not be scored if those found so far fill the page with higher scores.
      if (isPlain && place < lastWord && sums.found.length <= ranked[place + 1]!.clause.count)
        floor = Math.max(floor, pageFloor(view, sums, sink.firstPageSize));
    });
    const { scores, states } = sums;
    const found = sums.touchedIn(documents);
    for (let at = 0; at < found.length; at++) {
      const document = found[at]!;
      const state = states[document]!;
      const its = wordsFound(state);
      if (requiredFound(state) < required || its < leastWords || isExcluded?.(document)) continue;
      if (accepts && !accepts(document)) continue;
      counts[streamOf[document]!]!++;
      if (its === words) sink.all++;
      let score = scores[document]! + (its === words ? EVERY_WORD : 0);
      if (score + near.most[its]! < floor) continue;
      if (near.most[its]! > 0) score += near.of(document);
      if (score < floor) continue;
      sink.offer(document, score, passageOf(view, document, state));
      floor = sink.floor();
    }
  } finally {
    sums.clear();
  }
}

interface RankedClause {
  clause: ClauseEntries;
  /** The clause's index in the plan. */
  index: number;
  role: ClauseRole;
}

/**
 * The clauses that match something here, rarest first. Those that only affect ranking are last, because they add no
 * hits.
 */
function rarestFirst({ clauses }: QueryPlan, entries: readonly (ClauseEntries | undefined)[]): RankedClause[] {
  const ranked = entries.flatMap((clause, index): RankedClause[] => {
    const { required, related } = clauses[index]!;
    return clause ? [{ clause, index, role: required ? "required" : related ? "related" : "word" }] : [];
  });
  const isRelated = ({ role }: RankedClause) => (role === "related" ? 1 : 0);
  return ranked.sort((one, other) => isRelated(one) - isRelated(other) || one.clause.count - other.clause.count);
}

/** Computes an upper bound for each clause: the score of a document that matches none of the earlier clauses. */
function mostOf(ranked: readonly RankedClause[], { factors }: Weights, near: Proximity): Float64Array {
  const most = new Float64Array(ranked.length);
  let sum = 0;
  let words = 0;
  for (let place = ranked.length - 1; place >= 0; place--) {
    const { index, role } = ranked[place]!;
    sum += maxContribution(factors[index]!);
    if (role === "word") words++;
    most[place] = sum + near.most[words]!;
  }
  return most;
}

/** Returns a test for documents that contain something the query excludes. Documents must be passed in order. */
export function exclusion(view: SegmentView, plan: QueryPlan): ((document: number) => boolean) | undefined {
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

/** For a query with only filters: every visible document, each with score 0. */
function everything(view: SegmentView, match: (document: number) => void): void {
  const { documents, dead } = view.segment;
  for (let document = 0; document < documents; document++)
    if (dead[document] === 0 && documentVisible(view, document)) match(document);
}

/** Checks the time range and the typed filters, and counts by month. Undefined if there is nothing to check. */
export function acceptance(
  view: SegmentView,
  plan: QueryPlan,
  months: Months | undefined,
  admitted: { has(version: number): boolean } | undefined,
): ((document: number) => boolean) | undefined {
  if (!plan.time && !months && !admitted) return undefined;
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = plan.time ?? {};
  return (document) => {
    if (admitted && !admitted.has(view.segment.versions[document]!)) return false;
    const time = visibleTime(view, document);
    if (plan.time && !(time >= since && time < until)) return false;
    months?.add(time);
    return true;
  };
}
