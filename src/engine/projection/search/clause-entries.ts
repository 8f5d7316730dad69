// What a clause matches in a segment: a term's postings, the union of a beginning's terms, or a phrase.

import { termBytes } from "../../../core/search/clause-terms.ts";
import type { Clause } from "../../../core/search/query.ts";
import { type Cursor, END, type EntryList, ListCursor } from "./cursor.ts";
import { GrowingNumbers } from "./growing.ts";
import { phraseEntries } from "./phrase.ts";
import type { TermChoice } from "./scan-term.ts";
import type { SegmentView } from "./scope.ts";
import { findTerm, termRange } from "./segment.ts";
import { entryCount, TermCursor } from "./term-cursor.ts";

/** A clause worked out for one segment: how many units match, and a cursor over them as often as wanted. */
export interface ClauseEntries {
  count: number;
  open(): Cursor;
  /** When it is a single term. */
  term?: TermChoice;
}

export function entriesOf(view: SegmentView, clause: Clause): ClauseEntries | undefined {
  const { segment } = view;
  const allowed = clause.field === undefined ? undefined : inField(view, clause.field);
  const last = termBytes(clause).at(-1)!;
  if (clause.terms.length > 1) return listed(phraseEntries(view, clause, allowed), segment.shift);
  if (clause.beginning) {
    const { from, to } = termRange(segment, last);
    if (to - from > 1) return listed(unionOf(view, from, to, allowed), segment.shift);
    return from === to ? undefined : termEntries(view, from, allowed);
  }
  const term = findTerm(segment, last);
  return term < 0 ? undefined : termEntries(view, term, allowed);
}

function termEntries(view: SegmentView, term: number, allowed: Uint8Array | undefined): ClauseEntries | undefined {
  if (view.runs) return listed(visibleEntries(view, term, allowed), view.segment.shift);
  const count = view.open && !allowed ? entryCount(view, term) : new TermCursor(view, term, allowed).count();
  return count === 0
    ? undefined
    : { count, open: () => new TermCursor(view, term, allowed), term: { view, term, allowed } };
}

/** Few are visible: what was decoded to count them need not be decoded again. */
function visibleEntries(view: SegmentView, term: number, allowed: Uint8Array | undefined): EntryList {
  const units = new GrowingNumbers(32);
  const frequencies = new GrowingNumbers(32);
  for (const cursor = new TermCursor(view, term, allowed); cursor.document !== END; cursor.next()) {
    units.push((cursor.document << view.segment.shift) | cursor.field);
    frequencies.push(cursor.frequency);
  }
  return { units: units.trimmed(), frequencies: frequencies.trimmed() };
}

function listed(list: EntryList, shift: number): ClauseEntries | undefined {
  return list.units.length === 0 ? undefined : { count: list.units.length, open: () => new ListCursor(list, shift) };
}

/** The view's table with all other fields hidden. */
function inField(view: SegmentView, name: string): Uint8Array {
  const { streams, shift } = view.segment;
  const allowed = new Uint8Array(view.allowed.length);
  streams.forEach((stream, code) => {
    stream.fields.forEach((field, number) => {
      const slot = (code << shift) | number;
      if (field.name === name) allowed[slot] = view.allowed[slot]!;
    });
  });
  return allowed;
}

/** Frequencies of all terms of a range, added up. No bound on the range: one would let hidden terms push out visible ones. */
function unionOf(view: SegmentView, from: number, to: number, allowed: Uint8Array | undefined): EntryList {
  const { documents, shift } = view.segment;
  const sums = new Uint32Array(documents << shift);
  let count = 0;
  for (let term = from; term < to; term++) {
    const cursor = new TermCursor(view, term, allowed);
    for (; cursor.document !== END; cursor.next()) {
      const unit = (cursor.document << shift) | cursor.field;
      if (sums[unit] === 0) count++;
      sums[unit]! += cursor.frequency;
    }
  }
  const units = new Uint32Array(count);
  const frequencies = new Uint32Array(count);
  for (let unit = 0, at = 0; at < count; unit++) {
    if (sums[unit] === 0) continue;
    units[at] = unit;
    frequencies[at++] = sums[unit]!;
  }
  return { units, frequencies };
}
