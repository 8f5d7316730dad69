// A parsed search: clauses that must match, clauses that must not, a time range, and notes for the caller.

/** One thing to find: consecutive words, of which the last can be just a prefix. A single word is a sequence of one. */
export interface Clause {
  terms: string[];
  /** The distance of each term from the first, in words. */
  offsets: number[];
  /** True if the last term matches every word that begins with it. */
  beginning: boolean;
  /** If present, only this field is searched. */
  field?: string;
  /** True if other forms of the word match too. */
  inflected?: true;
}

export interface TypedClause extends Clause {
  quoted: boolean;
  /** True for a stop word in the query's language, which is ignored if there are other words. */
  stop?: true;
}

/** A clause in a query plan. */
export interface PlanClause extends Clause {
  /** True for phrases and fields: a record that does not match the clause is not a hit. */
  required: boolean;
  /** True for a word that the best hits share. It affects the ranking of hits, but does not make a record a hit. */
  related?: true;
  /** The weight of the clause; 1 if absent. */
  weight?: number;
}

export interface TimeRange {
  /** Milliseconds, inclusive. */
  since?: number;
  /** Milliseconds, exclusive. */
  until?: number;
}

/** A `name:value` that filters by something other than the words in a text. */
export interface NamedFilter {
  name: string;
  value: string;
  negated: boolean;
}

export interface SearchExpression {
  clauses: TypedClause[];
  /** The typed text without filters, exclusions and dates, as input for an embedding model. */
  prose?: string;
  excluded: Clause[];
  time?: TimeRange;
  /** Records must refer to each of these people. */
  people?: string[];
  /** Sources, kinds and values that records must have, or must not have. */
  filters?: NamedFilter[];
  notes: QueryNote[];
}

/** Matches every record, for facets over everything that a Scope shows. */
export const EVERY_RECORD: SearchExpression = { clauses: [], excluded: [], notes: [] };

export type QueryNote = "query_empty" | "query_cut" | "date_unread";

/**
 * How a query was relaxed: not at all; with unmatched addresses and numbers split into words; with words as prefixes if
 * no record has any of the words; or with similar spellings if no record matches a prefix either.
 */
export type Relaxation = "none" | "words" | "beginnings" | "spelling";

export interface QueryPlan {
  relaxation: Relaxation;
  clauses: PlanClause[];
  excluded: Clause[];
  time?: TimeRange;
}

/** Returns true if a record must contain one of the words; a matching phrase is enough on its own. */
export function needsWord({ clauses }: QueryPlan): boolean {
  return (
    clauses.some((clause) => !clause.required && !clause.related) &&
    !clauses.some((clause) => clause.required && clause.field === undefined)
  );
}
