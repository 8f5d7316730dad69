// The ways a query is answered, narrow to wide: the next one is tried only when nothing matched.
import { SEARCH } from "./limits.ts";
import type { Clause, QueryPlan, Relaxation, SearchExpression, TypedClause } from "./query.ts";

/**
 * 1. As typed: every clause.
 * 2. Every word, also as the beginning of a longer one (plurals, German compounds); addresses as their words.
 * 3. Any of the words, phrases as their words.
 * 4. Any of the words, as beginnings.
 * What excludes, the fields and the time range are never relaxed.
 */
export function* plansOf(query: SearchExpression): Generator<QueryPlan> {
  const { clauses } = query;
  const rest = { excluded: query.excluded, ...(query.time ? { time: query.time } : {}) };
  const earlier: QueryPlan[] = [];
  for (const [relaxation, mode, widened] of STEPS) {
    const plan: QueryPlan = { relaxation, mode, clauses: unique(clauses.flatMap(widened)), ...rest };
    if (earlier.some((other) => same(other, plan))) continue;
    earlier.push(plan);
    yield plan;
  }
}

const STEPS: [Relaxation, "all" | "any", (clause: TypedClause) => Clause[]][] = [
  ["none", "all", (clause) => [strip(clause)]],
  ["beginnings", "all", (clause) => (clause.quoted ? [strip(clause)] : wordsOfClause(clause).map(asBeginning))],
  ["any", "any", wordsOfClause],
  ["any_beginning", "any", (clause) => wordsOfClause(clause).map(asBeginning)],
];

/** The plan of a page that continues: the one its first page was answered by. */
export function planFor(query: SearchExpression, relaxation: Relaxation): QueryPlan | undefined {
  for (const plan of plansOf(query)) if (plan.relaxation === relaxation) return plan;
  return undefined;
}

function strip({ quoted: _quoted, ...clause }: TypedClause): Clause {
  return clause;
}

function wordsOfClause(clause: TypedClause): Clause[] {
  return clause.terms.map((term, index) => ({
    terms: [term],
    offsets: [0],
    beginning: clause.beginning && index === clause.terms.length - 1,
    ...(clause.field === undefined ? {} : { field: clause.field }),
  }));
}

function asBeginning(clause: Clause): Clause {
  return clause.beginning || [...clause.terms[0]!].length < beginningChars(clause.terms[0]!)
    ? clause
    : { ...clause, beginning: true };
}

/** A Han or Thai character says as much as several letters. */
function beginningChars(term: string): number {
  return term.charCodeAt(0) >= 0x0e00 ? 1 : SEARCH.beginningChars;
}

function unique(clauses: Clause[]): Clause[] {
  const byKey = new Map(clauses.map((clause) => [JSON.stringify(clause), clause]));
  return [...byKey.values()].slice(0, SEARCH.clauses);
}

function same(one: QueryPlan, other: QueryPlan): boolean {
  if (JSON.stringify(one.clauses) !== JSON.stringify(other.clauses)) return false;
  return one.mode === other.mode || one.clauses.length < 2;
}
