// The scores of a clause's entries, cached in a table. A few pairs of frequency and length cover most texts.
import { contribution, isTitle, type Norms, occurrences } from "./bm25.ts";
import type { ClausePart } from "./clause-entries.ts";
import type { SegmentView } from "./scope.ts";

/** How many fields and frequencies the table covers. */
const FIELDS = 4;
const FREQUENCIES = 4;
const SLOTS = (FIELDS * FREQUENCIES) << 8;

/** A score table pays off at this many entries or more. */
export const TABLE_FROM = 200;
/** An empty table, for so few entries that each score is computed. */
const NO_TABLE = new Float64Array(SLOTS);

/** Scores for entries of a segment whose streams all have the same field weights. */
export class EntryScores {
  /** The cached score by slot, or 0. Slot 0 stands for everything that is not in the table. */
  readonly table: Float64Array;
  private view: SegmentView;
  private factor: number;
  private norms: Norms;
  private inflected: boolean;

  constructor(view: SegmentView, factor: number, norms: Norms, { count, inflected }: ClausePart) {
    this.view = view;
    this.factor = factor;
    this.norms = norms;
    this.inflected = inflected;
    this.table =
      count < TABLE_FROM
        ? NO_TABLE
        : tableFor(norms, `${factor} ${inflected} ${view.weights.subarray(0, FIELDS).join()}`);
  }

  /** Computes a score that is not in the table. `length` is a length code. */
  of(field: number, frequency: number, length: number): number {
    const score = contribution(this.factor, this.occurrences(field, frequency, length));
    const slot = slotOf(field, frequency, length);
    if (slot !== 0 && this.table !== NO_TABLE) this.table[slot] = score;
    return score;
  }

  /** Occurrences in several fields of a document are added up before they are scored. */
  ofSum(sum: number): number {
    return contribution(this.factor, sum);
  }

  occurrences(field: number, frequency: number, length: number): number {
    const weight = this.view.weights[field]!;
    const norm = (isTitle(weight) ? this.norms.titles : this.norms.texts)[length]!;
    return occurrences(frequency, weight, norm, this.inflected);
  }
}

export function slotOf(field: number, frequency: number, length: number): number {
  return field < FIELDS && frequency < FREQUENCIES ? (((field << 2) | frequency) << 8) | length : 0;
}

/** A search's segments usually share a clause's table. */
function tableFor(norms: Norms, key: string): Float64Array {
  const tables = kept.get(norms) ?? new Map<string, Float64Array>();
  kept.set(norms, tables);
  const table = tables.get(key) ?? new Float64Array(SLOTS);
  tables.set(key, table);
  return table;
}

const kept = new WeakMap<Norms, Map<string, Float64Array>>();
