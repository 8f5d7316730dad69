// A parsed search: clauses that must match, clauses that must not, a time range, and notes for the caller.

/** One thing to find: consecutive words, of which the last may be only a prefix. A single word is a row of one. */
export interface Clause {
  terms: string[];
  /** Distance of each term from the first, in words. */
  offsets: number[];
  /** The last term matches every word that begins with it. */
  beginning: boolean;
  /** Search only this field. */
  field?: string;
  /** Other forms of the word match too. */
  inflected?: true;
}

export interface TypedClause extends Clause {
  quoted: boolean;
  /** A stop word of the query's language: it is ignored when there are other words. */
  stop?: true;
}

/** A clause of a plan. */
export interface PlanClause extends Clause {
  /** A record without it is not a hit: phrases and fields. */
  required: boolean;
  /** A word that the best hits share: it ranks records that match, but does not make a record match. */
  related?: true;
  /** How much it counts; 1 when absent. */
  weight?: number;
}

export interface TimeRange {
  /** Milliseconds, inclusive. */
  since?: number;
  /** Milliseconds, exclusive. */
  until?: number;
}

/** `name:value` that filters by something other than the words of a text. */
export interface NamedFilter {
  name: string;
  value: string;
  negated: boolean;
}

export interface SearchExpression {
  clauses: TypedClause[];
  /** The typed text without filters, exclusions and dates: the input of an embedding model. */
  prose?: string;
  excluded: Clause[];
  time?: TimeRange;
  /** Records must name each of these people. */
  people?: string[];
  /** Sources, kinds and values that records must have, or must not have. */
  filters?: NamedFilter[];
  notes: QueryNote[];
}

/** Matches every record: for facets over everything that a Scope shows. */
export const EVERY_RECORD: SearchExpression = { clauses: [], excluded: [], notes: [] };

export type QueryNote = "query_empty" | "query_cut" | "date_unread";

/**
 * How a query is answered: as typed; with unmatched addresses and numbers split into words; with words as prefixes when
 * no record has any of them; with similar spellings when there are not even those.
 */
export type Relaxation = "none" | "words" | "beginnings" | "spelling";

export interface QueryPlan {
  relaxation: Relaxation;
  clauses: PlanClause[];
  excluded: Clause[];
  time?: TimeRange;
}

/** Whether a record must contain one of the words; a phrase is enough by itself. */
export function needsWord({ clauses }: QueryPlan): boolean {
  return (
    clauses.some((clause) => !clause.required && !clause.related) &&
    !clauses.some((clause) => clause.required && clause.field === undefined)
  );
}
