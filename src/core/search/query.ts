// What a search asks for, parsed: clauses that must match, clauses that must not, a time range, and notes for the caller.

/** One thing to find: words in a row; the last may be only a beginning. One word alone is a row of one. */
export interface Clause {
  terms: string[];
  /** Distance of each term from the first, in words. */
  offsets: number[];
  /** The last term stands for every word that begins with it. */
  beginning: boolean;
  /** Only in this field. */
  field?: string;
}

/** A clause as typed. A row that quotes did not make (`a@b.de`) may be relaxed into its words before a quoted one. */
export interface TypedClause extends Clause {
  quoted: boolean;
}

export interface TimeRange {
  /** Milliseconds, inclusive. */
  since?: number;
  /** Milliseconds, exclusive. */
  until?: number;
}

export interface SearchExpression {
  clauses: TypedClause[];
  excluded: Clause[];
  time?: TimeRange;
  notes: QueryNote[];
}

/** Matches every record: for facets over all that a Scope shows. */
export const EVERY_RECORD: SearchExpression = { clauses: [], excluded: [], notes: [] };

export type QueryNote = "query_empty" | "query_cut" | "date_unread";

/** How a query is answered: as typed, or wider when nothing matched. */
export type Relaxation = "none" | "beginnings" | "any" | "any_beginning";

export interface QueryPlan {
  relaxation: Relaxation;
  clauses: Clause[];
  excluded: Clause[];
  /** All clauses must match, or one is enough. */
  mode: "all" | "any";
  time?: TimeRange;
}
