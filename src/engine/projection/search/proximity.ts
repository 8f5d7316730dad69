// How close a query's words are in a document. Neighbouring words of the query that are also neighbours in a text count
// more than the same words far apart.
import type { QueryPlan } from "../../../core/search/query.ts";
import { SCALE } from "./bm25.ts";
import type { ClauseEntries, ClausePart } from "./clause-entries.ts";
import type { SegmentView } from "./scope.ts";
import { TermCursor } from "./term-cursor.ts";

/** The bonus for two adjacent words, as a fraction of the rarer word's highest score in one text. */
const NEAR = 0.4;
/** Words further apart than this get no bonus. */
const FAR = 8;
/** The range of positions for one field. The next field's positions follow it. */
const FIELD_PLACES = 2 ** 22;

/** The bonus for a pair of words at this smallest distance. */
export function nearness(one: number, other: number, distance: number): number {
  return distance > FAR ? 0 : ((NEAR * Math.min(one, other) * SCALE) / Math.max(1, distance) + 0.5) | 0;
}

/** Neighbouring words of a query, as pairs of clauses. */
export function neighbours({ clauses }: QueryPlan): [number, number][] {
  const words = [...clauses.keys()].filter((index) => {
    const { terms, beginning, related, required } = clauses[index]!;
    return terms.length === 1 && !beginning && !related && !required;
  });
  return words.slice(1).map((word, index) => [words[index]!, word]);
}

export class Proximity {
  /** A document's largest possible bonus, by how many of the words it has. */
  readonly most: Float64Array;
  private pairs: { one: PlacesOf; other: PlacesOf; factors: [number, number] }[] = [];

  constructor(
    view: SegmentView,
    plan: QueryPlan,
    entries: readonly (ClauseEntries | undefined)[],
    factors: readonly number[],
  ) {
    const places = entries.map((clause) => clause && new PlacesOf(view, clause.parts));
    for (const [one, other] of neighbours(plan)) {
      if (!places[one] || !places[other]) continue;
      this.pairs.push({ one: places[one], other: places[other], factors: [factors[one]!, factors[other]!] });
    }
    const bonuses = this.pairs.map(({ factors }) => nearness(...factors, 1)).sort((one, other) => other - one);
    this.most = new Float64Array(plan.clauses.length + 1);
    // A document with n of the words has at most n - 1 pairs.
    for (let words = 2; words < this.most.length; words++)
      this.most[words] = this.most[words - 1]! + (bonuses[words - 2] ?? 0);
  }

  /** Documents must be passed in order. */
  of(document: number): number {
    let sum = 0;
    for (const { one, other, factors } of this.pairs) {
      const distance = nearest(one.in(document), other.in(document));
      if (distance <= FAR) sum += nearness(...factors, distance);
    }
    return sum;
  }
}

/** The positions of a word, in all its forms, in a document. */
class PlacesOf {
  private view: SegmentView;
  private parts: readonly ClausePart[];
  private cursors: TermCursor[] | undefined;
  private document = -1;
  private places: number[] = [];
  private buffer = new Int32Array(16);

  constructor(view: SegmentView, parts: readonly ClausePart[]) {
    this.view = view;
    this.parts = parts;
  }

  in(document: number): number[] {
    if (this.document === document) return this.places;
    this.document = document;
    this.places = [];
    this.cursors ??= this.parts.map(({ term, allowed }) => new TermCursor(this.view, term, allowed));
    const { languages, shift } = this.view.segment;
    this.cursors.forEach((cursor, index) => {
      const wanted = this.parts[index]!.languages;
      cursor.seek(document);
      for (; cursor.document === document; cursor.next()) {
        if (wanted !== 0 && ((wanted >>> languages[(document << shift) | cursor.field]!) & 1) === 0) continue;
        if (this.buffer.length < cursor.frequency) this.buffer = new Int32Array(cursor.frequency * 2);
        cursor.positions(this.buffer);
        for (let at = 0; at < cursor.frequency; at++) this.places.push(cursor.field * FIELD_PLACES + this.buffer[at]!);
      }
    });
    if (this.cursors.length > 1) this.places.sort((one, other) => one - other);
    return this.places;
  }
}

/** The smallest distance between values of two ascending lists. */
function nearest(one: readonly number[], other: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0, to = 0; at < one.length && to < other.length; ) {
    const distance = Math.abs(one[at]! - other[to]!);
    if (distance < least) least = distance;
    if (one[at]! < other[to]!) at++;
    else to++;
  }
  return least;
}
