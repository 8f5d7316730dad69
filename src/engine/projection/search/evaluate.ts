// Scores a segment's documents that match a plan. No single word is required, but records with every word rank first.
import { needsWord, type QueryPlan } from "../../../core/search/query.ts";
import { Accumulator, type ClauseRole, fieldBit, requiredFound, wordsFound } from "./accumulate.ts";
import { inverseFrequency, maxContribution, type Norms, normsOf } from "./bm25.ts";
import { type ClauseEntries, type ClausePart, cursorsOf } from "./clause-entries.ts";
import { EntryReader } from "./entry-reader.ts";
import { EntryScores, slotOf } from "./entry-scores.ts";
import { CODE_LENGTH } from "./lengths.ts";
import type { Months } from "./months.ts";
import { Proximity } from "./proximity.ts";
import { documentVisible, type SegmentView, visibleTime } from "./scope.ts";
import type { ScopeStatistics } from "./types.ts";

/** Receives a segment's matching documents. */
export interface HitSink {
  /** The number of matches, by stream. */
  counts: Uint32Array;
  /** The number of documents that match every clause. */
  all: number;
  /** Matches below this score are only counted. The score rises as the page fills. */
  floor(): number;
  /** `passage` is equal for documents whose matching texts are equal. */
  offer(document: number, score: number, passage: number): void;
  /** An additional condition on documents. */
  accepts?(document: number): boolean;
}

export interface Weights {
  /** One factor per clause. */
  factors: number[];
  norms: Norms;
}

/** More than the highest possible score of all words in a query, so that records with every word rank first. */
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

/** Handles a query with a single word, whose postings are the hits. */
function scanTerm(view: SegmentView, { term, allowed }: ClausePart, entryScores: EntryScores, sink: HitSink): void {
  const { streamOf, lengths, shift } = view.segment;
  const { counts } = sink;
  const { table } = entryScores;
  const reader = new EntryReader(view, term, allowed);
  const { documents, fields, frequencies } = reader;
  let floor = sink.floor();
  let last = -1;
  let score = 0;
  let sum = 0;
  let state = 0;
  const end = () => {
    if (last < 0 || score < floor) return;
    sink.offer(last, score, passageOf(view, last, state));
    floor = sink.floor();
  };
  for (let size = reader.fill(); size > 0; size = reader.fill()) {
    for (let at = 0; at < size; at++) {
      const document = documents[at]!;
      const field = fields[at]!;
      const frequency = frequencies[at]!;
      const length = lengths[(document << shift) | field]!;
      if (document !== last) {
        if (score >= floor) end();
        last = document;
        counts[streamOf[document]!]!++;
        sink.all++;
        score = EVERY_WORD + (table[slotOf(field, frequency, length)]! || entryScores.of(field, frequency, length));
        state = fieldBit(field);
        if (shift > 0) sum = entryScores.occurrences(field, frequency, length);
        continue;
      }
      sum += entryScores.occurrences(field, frequency, length);
      score = EVERY_WORD + entryScores.ofSum(sum);
      state |= fieldBit(field);
    }
  }
  end();
}

/** Texts with fewer words are names or headings, which many records share without being duplicates. */
export const PASSAGE_WORDS = 5;

/** A number that identifies the document's matching texts, or the document's own number if they are not a passage. */
function passageOf(view: SegmentView, document: number, state: number): number {
  const { fingerprints, lengths, shift } = view.segment;
  let passage = 0;
  let words = 0;
  for (let field = 0; field < 1 << shift; field++) {
    if ((state & fieldBit(field)) === 0) continue;
    const unit = (document << shift) | field;
    words += CODE_LENGTH[lengths[unit]!]!;
    passage = Math.imul(passage ^ fingerprints[unit]!, 0x01000193);
  }
  return words < PASSAGE_WORDS ? ownPassage(view, document) : passage >>> 0;
}

const ownPassage = ({ segment }: SegmentView, document: number): number => -1 - segment.versions[document]!;

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
