// Phrases: words in a row, in one field, by their positions.
import type { Clause } from "../../../core/search/query.ts";
import { END, type EntryList } from "./cursor.ts";
import { GrowingNumbers } from "./growing.ts";
import type { SegmentView } from "./scope.ts";
import { findTerm, termRange } from "./segment.ts";
import { TermCursor } from "./term-cursor.ts";

const encoder = new TextEncoder();

/** Units in which the phrase stands, with how often. */
export function phraseEntries(view: SegmentView, clause: Clause, allowed: Uint8Array | undefined): EntryList {
  const whole = clause.beginning ? clause.terms.length - 1 : clause.terms.length;
  const cursors: TermCursor[] = [];
  for (let word = 0; word < whole; word++) {
    const term = findTerm(view.segment, encoder.encode(clause.terms[word]!));
    if (term < 0) return { units: new Uint32Array(0), frequencies: new Uint32Array(0) };
    cursors.push(new TermCursor(view, term, allowed));
  }
  if (clause.beginning) return endings(view, clause, rows(view, cursors, clause.offsets), allowed);
  const units = new GrowingNumbers();
  const frequencies = new GrowingNumbers();
  for (const { unit, starts } of rows(view, cursors, clause.offsets)) {
    units.push(unit);
    frequencies.push(starts.length);
  }
  return { units: units.trimmed(), frequencies: frequencies.trimmed() };
}

/** Walks all cursors together; where they meet in a unit, compares positions. */
function* rows(
  view: SegmentView,
  cursors: TermCursor[],
  offsets: number[],
): Generator<{ unit: number; starts: number[] }> {
  const { shift } = view.segment;
  const unitOf = (cursor: TermCursor) => (cursor.document === END ? END : (cursor.document << shift) | cursor.field);
  // The rarest leads; each has its own positions buffer.
  const order = cursors.map((_, word) => word).sort((one, other) => cursors[one]!.cost - cursors[other]!.cost);
  const lead = cursors[order[0]!]!;
  meeting: while (lead.document !== END) {
    const unit = unitOf(lead);
    for (let index = 1; index < order.length; index++) {
      const cursor = cursors[order[index]!]!;
      cursor.seek(lead.document);
      while (unitOf(cursor) < unit) cursor.next();
      const there = unitOf(cursor);
      if (there === unit) continue;
      if (there === END) return;
      lead.seek(cursor.document);
      while (unitOf(lead) < there) lead.next();
      continue meeting;
    }
    const starts = commonStarts(cursors, offsets, order);
    if (starts.length > 0) yield { unit, starts };
    lead.next();
  }
}

/** Positions at which the phrase begins: each word's positions, moved back by its place in the phrase, in common. */
function commonStarts(cursors: TermCursor[], offsets: number[], order: number[]): number[] {
  let starts: number[] = [];
  const buffer: number[] = [];
  for (const [index, word] of order.entries()) {
    const offset = offsets[word]!;
    const count = cursors[word]!.positions(buffer);
    if (index === 0) {
      // Parts may repeat a position: it counts once.
      for (let at = 0; at < count; at++)
        if (buffer[at]! >= offset && (at === 0 || buffer[at] !== buffer[at - 1])) starts.push(buffer[at]! - offset);
      continue;
    }
    const kept: number[] = [];
    let at = 0;
    for (const start of starts) {
      while (at < count && buffer[at]! < start + offset) at++;
      if (at < count && buffer[at] === start + offset) kept.push(start);
    }
    starts = kept;
    if (starts.length === 0) break;
  }
  return starts;
}

/** Phrases whose last word is a beginning: the rest must stand before one of its terms. */
function endings(
  view: SegmentView,
  clause: Clause,
  heads: Iterable<{ unit: number; starts: number[] }>,
  allowed: Uint8Array | undefined,
): EntryList {
  const { shift } = view.segment;
  const offset = clause.offsets.at(-1)!;
  const wanted = new Map<number, Set<number>>();
  for (const { unit, starts } of heads) wanted.set(unit, new Set(starts.map((start) => start + offset)));
  const found = new Map<number, Set<number>>();
  const { from, to } = termRange(view.segment, encoder.encode(clause.terms.at(-1)!));
  const buffer: number[] = [];
  for (let term = from; term < to && wanted.size > 0; term++) {
    for (const cursor = new TermCursor(view, term, allowed); cursor.document !== END; cursor.next()) {
      const unit = (cursor.document << shift) | cursor.field;
      const places = wanted.get(unit);
      if (!places) continue;
      const count = cursor.positions(buffer);
      for (let at = 0; at < count; at++) {
        if (places.has(buffer[at]!)) found.set(unit, (found.get(unit) ?? new Set()).add(buffer[at]!));
      }
    }
  }
  const units = Uint32Array.from(found.keys()).sort();
  return { units, frequencies: units.map((unit) => found.get(unit)!.size) };
}
