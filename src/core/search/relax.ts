// Query plans: as typed, or relaxed if nothing matched.
import { SEARCH } from "./limits.ts";
import type { Clause, PlanClause, QueryPlan, Relaxation, SearchExpression, TypedClause } from "./query.ts";

/**
 * Never relaxes phrases, exclusions, fields or the time range. `near` contains words with a similar spelling.
 */
export function planFor(query: SearchExpression, relaxation: Relaxation, near: readonly string[] = []): QueryPlan {
  const required = query.clauses.filter(isRequired).map((clause) => planned(clause, true));
  const words = query.clauses.filter((clause) => !isRequired(clause));
  // Stop words are ignored, unless there are no other words.
  const content = words.some((clause) => !clause.stop) ? words.filter((clause) => !clause.stop) : words;
  const optional =
    relaxation === "spelling"
      ? near.map(wordClause)
      : content.flatMap(RELAXED[relaxation]).map((clause) => planned(clause, false));
  return {
    relaxation,
    clauses: unique([...required, ...optional]),
    excluded: query.excluded,
    ...(query.time ? { time: query.time } : {}),
  };
}

const RELAXED: Record<Exclude<Relaxation, "spelling">, (clause: TypedClause) => Clause[]> = {
  none: (clause) => [clause],
  words: wordsOfClause,
  beginnings: (clause) => wordsOfClause(clause).map(asBeginning),
};

/** Returns true if the plan has unquoted sequences of words, such as addresses and numbers with dashes. */
export function hasRows(plan: QueryPlan): boolean {
  return plan.clauses.some((clause) => !clause.required && clause.terms.length > 1);
}

export function samePlan(one: QueryPlan, other: QueryPlan): boolean {
  return JSON.stringify(one.clauses) === JSON.stringify(other.clauses);
}

function isRequired(clause: TypedClause): boolean {
  return clause.quoted || clause.field !== undefined;
}

function planned({ terms, offsets, beginning, field, inflected }: Clause, required: boolean): PlanClause {
  return {
    terms,
    offsets,
    beginning,
    ...(field === undefined ? {} : { field }),
    ...(inflected ? { inflected } : {}),
    required,
  };
}

/** Matches a single word in any of its forms. */
export function wordClause(term: string): PlanClause {
  return { terms: [term], offsets: [0], beginning: false, inflected: true, required: false };
}

function wordsOfClause(clause: Clause): Clause[] {
  if (clause.terms.length === 1) return [clause];
  return clause.terms.map((term, index) => ({
    ...wordClause(term),
    beginning: clause.beginning && index === clause.terms.length - 1,
  }));
}

function asBeginning(clause: Clause): Clause {
  return clause.beginning || [...clause.terms[0]!].length < beginningChars(clause.terms[0]!)
    ? clause
    : { ...clause, beginning: true };
}

/** A Han or Thai character counts as several letters. */
function beginningChars(term: string): number {
  return term.charCodeAt(0) >= 0x0e00 ? 1 : SEARCH.beginningChars;
}

function unique(clauses: PlanClause[]): PlanClause[] {
  const byKey = new Map(clauses.map((clause) => [JSON.stringify(clause), clause]));
  return [...byKey.values()].slice(0, SEARCH.clauses);
}
