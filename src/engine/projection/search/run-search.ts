// Runs one search over the segments: statistics first, then hits. Wider plans are tried only if nothing matched.
import { FEEDBACK_HITS, type Feedback, feedbackFrom, isQuestion, withFeedback } from "../../../core/search/feedback.ts";
import type { QueryPlan, SearchExpression } from "../../../core/search/query.ts";
import { hasRows, planFor, samePlan } from "../../../core/search/relax.ts";
import { type ClauseEntries, entriesOf } from "./clause-entries.ts";
import { acceptance, evaluate, weightsOf } from "./evaluate.ts";
import { EVERY_WORD } from "./hit-sink.ts";
import { Months } from "./months.ts";
import { type SearchScope, viewOf } from "./scope.ts";
import { documentId, type SearchSegment } from "./segment.ts";
import { type NearWord, Suggestions } from "./suggest.ts";
import { candidateOf, type HitCandidate, TopHits } from "./top-hits.ts";
import type { ScopeStatistics, SearchAnswer, SearchHit, SearchPosition } from "./types.ts";

export interface SearchRequest {
  query: SearchExpression;
  scope: SearchScope;
  limit: number;
  order: "relevance" | "newest";
  /** `next` from the previous page. Everything else must be the same. */
  position?: SearchPosition;
  /** If true, also counts by month. */
  months?: boolean;
  /** If true, also returns where the next page would start after each hit. */
  ends?: boolean;
  /** The versions of the records that pass the typed filters. They narrow the hits, not the Scope's statistics. */
  admitted?: { has(version: number): boolean };
  /** Returns the texts of these hits that the caller may search, for feedback. Without it there is no feedback. */
  texts?(hits: readonly SearchHit[]): Promise<string[][]>;
}

/**
 * Visits segments one after another. Those that are not in memory are loaded, and may be dropped again after the visit.
 */
export interface SegmentSource {
  each(visit: (segment: SearchSegment) => void): Promise<void>;
  /** True if all segments fit into memory at once, so that results for each may be cached. */
  readonly resident: boolean;
}

export async function runSearch(source: SegmentSource, request: SearchRequest): Promise<SearchAnswer> {
  const { query, position } = request;
  if (query.notes.includes("query_empty")) return emptyAnswer(planFor(query, "none"), request);
  if (position) {
    const plan = planFor(query, position.relaxation, position.near);
    const { feedback } = position;
    const weighed = feedback ? withFeedback(plan, feedback) : plan;
    const fits = weighed.clauses.length === position.statistics.matching.length;
    return fits ? runPlan(source, request, plan, { feedback, near: position.near }) : emptyAnswer(plan, request);
  }
  const typed = planFor(query, "none");
  let answer = await runQuestion(source, request, typed);
  // An address or a number without matches is searched for by its parts.
  if (answer.unmatched.some((clause) => typed.clauses[clause]!.terms.length > 1) && hasRows(typed))
    answer = await runQuestion(source, request, planFor(query, "words"));
  if (answer.total > 0) return answer;
  const wider = planFor(query, "beginnings");
  if (!samePlan(wider, answer.plan)) {
    const found = await runPlan(source, request, wider);
    if (found.total > 0) return found;
  }
  const suggestions = await suggest(source, request);
  if (suggestions.length === 0) return answer;
  const near = suggestions.filter(({ distance }) => distance === 1).map(({ term }) => term);
  const spelt = near.length === 0 ? answer : await runPlan(source, request, planFor(query, "spelling", near), { near });
  return { ...(spelt.total > 0 ? spelt : answer), suggestions: suggestions.map(({ term }) => term) };
}

/** A question is searched for twice: in the second search, words that the best hits share help to rank the others. */
async function runQuestion(source: SegmentSource, request: SearchRequest, plan: QueryPlan): Promise<SearchAnswer> {
  const { texts, order } = request;
  if (!texts || order !== "relevance" || !isQuestion(plan)) return runPlan(source, request, plan);
  const { months: _months, ...plain } = request;
  const { hits, ...first } = await runPlan(source, { ...plain, limit: FEEDBACK_HITS }, plan);
  if (first.total === 0) return runPlan(source, request, plan);
  const read = await texts(hits);
  const feedback = feedbackFrom(
    plan,
    hits.map(({ score }, index) => ({ score: score % EVERY_WORD, texts: read[index] ?? [] })),
  );
  return runPlan(source, request, plan, { feedback });
}

/** Words that a search added to the typed ones. */
interface PlanAdditions {
  near?: string[];
  feedback?: Feedback;
}

async function runPlan(
  source: SegmentSource,
  request: SearchRequest,
  typed: QueryPlan,
  added: PlanAdditions = {},
): Promise<SearchAnswer> {
  const plan = added.feedback ? withFeedback(typed, added.feedback) : typed;
  const prepared = new Map<SearchSegment, (ClauseEntries | undefined)[]>();
  const statistics = request.position?.statistics ?? (await gather(source, request.scope, plan, prepared));
  const { matching } = statistics;
  const answer = emptyAnswer(typed, request);
  if (added.feedback) answer.related = added.feedback.related.map(([term]) => term);
  answer.unmatched = [...matching.keys()].filter((clause) => matching[clause] === 0);
  const hopeless =
    answer.unmatched.some((clause) => plan.clauses[clause]!.required) ||
    answer.unmatched.length === plan.clauses.length;
  if (hopeless && plan.clauses.length > 0 && !request.position) return answer;
  const weights = weightsOf(plan, statistics);
  const { keys } = request.scope;
  const top = new TopHits(request.limit, request.order === "relevance", request.position, (key) => rankOf(keys, key));
  const months = request.months ? new Months() : undefined;
  let counts = new Uint32Array(0);
  let offered = 0;
  await source.each((segment) => {
    const view = viewOf(request.scope, segment);
    if (!view.any) return;
    const entries = prepared.get(segment) ?? plan.clauses.map((clause) => entriesOf(view, clause));
    // Skipped, because most segments do not contain a rare word.
    if (entries.length > 0 && entries.every((clause) => clause === undefined)) return;
    if (entries.some((clause, index) => clause === undefined && plan.clauses[index]!.required)) return;
    // One table for all segments, because creating one takes longer than searching for a rare word.
    if (counts.length < segment.streams.length) counts = new Uint32Array(segment.streams.length);
    else counts.fill(0);
    const byScore = request.order === "relevance";
    const offer = (document: number, score: number, passage: number) => {
      offered++;
      top.offer(candidateOf(view, document, score, byScore ? score : 0), passage);
    };
    const accepts = acceptance(view, plan, months, request.admitted);
    const firstPageSize = byScore && !request.position ? request.limit : 0;
    const sink = { counts, all: 0, floor: () => top.floor(), firstPageSize, offer, ...(accepts ? { accepts } : {}) };
    evaluate(view, plan, entries, weights, sink);
    answer.all += sink.all;
    for (let stream = 0; stream < segment.streams.length; stream++) {
      const count = counts[stream]!;
      if (count === 0) continue;
      const { streamNo } = segment.streams[stream]!;
      answer.total += count;
      answer.perStream.set(streamNo, (answer.perStream.get(streamNo) ?? 0) + count);
    }
  });
  const { groups, more } = top.finish();
  // Matches that were not offered score below the page, so they follow it.
  const follows = more || answer.total > offered;
  answer.hits = groups.map(({ best, others, count }) => ({
    ...hitOf(best),
    ...(count > 1 ? { repeats: { count: count - 1, hits: others.map(hitOf) } } : {}),
  }));
  if (months) answer.perMonth = months.counts();
  const endAfter = (count: number): SearchPosition => {
    const shown = top.shownAfter(count);
    const position = positionOf(groups[count - 1]!.best, plan, added, statistics, keys);
    return shown.length > 0 ? { ...position, shown } : position;
  };
  if (request.ends) answer.ends = groups.map((_, index) => endAfter(index + 1));
  if (follows && groups.length > 0) answer.next = endAfter(groups.length);
  return answer;
}

/**
 * Exact sums over the Scope. They are integers, so neither the order nor the distribution over segments can change
 * them.
 */
async function gather(
  source: SegmentSource,
  scope: SearchScope,
  plan: QueryPlan,
  prepared: Map<SearchSegment, (ClauseEntries | undefined)[]>,
): Promise<ScopeStatistics> {
  const matching = plan.clauses.map(() => 0);
  const statistics: ScopeStatistics = { units: 0, words: 0, titles: 0, titleWords: 0, matching };
  await source.each((segment) => {
    const view = viewOf(scope, segment);
    if (!view.any) return;
    statistics.units += view.units;
    statistics.words += view.words;
    statistics.titles += view.titles;
    statistics.titleWords += view.titleWords;
    const entries = plan.clauses.map((clause) => entriesOf(view, clause));
    entries.forEach((clause, index) => {
      statistics.matching[index]! += clause?.count ?? 0;
    });
    if (source.resident) prepared.set(segment, entries);
  });
  return statistics;
}

async function suggest(source: SegmentSource, { query, scope }: SearchRequest): Promise<NearWord[]> {
  const words = [...new Set(query.clauses.flatMap((clause) => (clause.stop ? [] : clause.terms)))];
  const plan: QueryPlan = { relaxation: "none", excluded: [], clauses: words.map(exactClause) };
  const { matching } = await gather(source, scope, plan, new Map());
  const suggestions = new Suggestions(words.filter((_, index) => matching[index] === 0));
  await source.each((segment) => suggestions.visit(viewOf(scope, segment)));
  return suggestions.best();
}

const exactClause = (term: string) => ({ terms: [term], offsets: [0], beginning: false, required: false });

export function emptyAnswer(plan: QueryPlan, request: SearchRequest): SearchAnswer {
  const perMonth = request.months ? { perMonth: new Map<string, number>() } : {};
  return {
    hits: [],
    total: 0,
    all: 0,
    countIsExact: true,
    perStream: new Map(),
    plan,
    unmatched: [],
    ...perMonth,
  };
}

export function hitOf({ view, document, score, time }: HitCandidate): SearchHit {
  const { segment } = view;
  const { streamNo, fields } = segment.streams[segment.streamOf[document]!]!;
  return {
    streamNo,
    id: documentId(segment, document),
    version: segment.versions[document]!,
    score,
    languages: new Map(
      fields.map(({ name }, field) => [name, segment.languages[(document << segment.shift) | field]!]),
    ),
    ...(time === Number.NEGATIVE_INFINITY ? {} : { time }),
  };
}

function positionOf(
  last: HitCandidate,
  { relaxation }: QueryPlan,
  { near, feedback }: PlanAdditions,
  statistics: ScopeStatistics,
  keys: readonly string[],
): SearchPosition {
  const time = last.time === Number.NEGATIVE_INFINITY ? null : last.time;
  return {
    relaxation,
    ...(near === undefined ? {} : { near }),
    ...(feedback === undefined ? {} : { feedback }),
    statistics,
    score: last.score,
    time,
    key: keys[last.rank]!,
    id: documentId(last.view.segment, last.document),
  };
}

/** The rank is between two others if the key's stream has left the Scope in the meantime. */
function rankOf(keys: readonly string[], key: string): number {
  const at = keys.findIndex((candidate) => candidate >= key);
  return at < 0 ? keys.length : keys[at] === key ? at : at - 0.5;
}
