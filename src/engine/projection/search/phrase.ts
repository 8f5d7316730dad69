// Phrases: consecutive words in one field, found by their positions.

import { termBytes } from "../../../core/search/clause-terms.ts";
import type { Clause } from "../../../core/search/query.ts";
import { END, type EntryList } from "./cursor.ts";
import { GrowingNumbers } from "./growing.ts";
import type { SegmentView } from "./scope.ts";
import { findTerm, termRange } from "./segment.ts";
import { TermCursor } from "./term-cursor.ts";

/** Called with a unit and the positions where the phrase starts in it, which are the first `count` of `starts`. */
type RowFound = (unit: number, starts: Int32Array, count: number) => void;

/** Returns the units that contain the phrase, and how many times each contains it. */
export function phraseEntries(view: SegmentView, clause: Clause, allowed: Uint8Array | undefined): EntryList {
  const whole = clause.beginning ? clause.terms.length - 1 : clause.terms.length;
  const words: PhraseWord[] = [];
  for (let word = 0; word < whole; word++) {
    const term = findTerm(view.segment, termBytes(clause)[word]!);
    if (term < 0) return { units: new Uint32Array(0), frequencies: new Uint32Array(0) };
    words.push({ cursor: new TermCursor(view, term, allowed), offset: clause.offsets[word]! });
  }
  // The rarest word leads.
  words.sort((one, other) => one.cursor.cost - other.cursor.cost);
  if (clause.beginning) return endings(view, clause, words, allowed);
  const units = new GrowingNumbers();
  const frequencies = new GrowingNumbers();
  eachRow(words, view.segment.shift, (unit, _starts, count) => {
    units.push(unit);
    frequencies.push(count);
  });
  return { units: units.trimmed(), frequencies: frequencies.trimmed() };
}

interface PhraseWord {
  cursor: TermCursor;
  /** The word's index in the phrase. */
  offset: number;
}

/** Advances all cursors together, and compares positions where all are in the same field of the same document. */
function eachRow(words: PhraseWord[], shift: number, found: RowFound): void {
  const lead = words[0]!.cursor;
  let starts = new Int32Array(64);
  let buffer = new Int32Array(64);
  meeting: while (lead.document !== END) {
    const { document, field } = lead;
    for (let index = 1; index < words.length; index++) {
      const { cursor } = words[index]!;
      cursor.seek(document);
      while (cursor.document === document && cursor.field < field) cursor.next();
      if (cursor.document === document && cursor.field === field) continue;
      if (cursor.document === END) return;
      if (cursor.document > document) lead.seek(cursor.document);
      else lead.next();
      continue meeting;
    }
    if (starts.length < lead.frequency) starts = new Int32Array(lead.frequency * 2);
    let count = ownStarts(words[0]!, starts);
    for (let index = 1; index < words.length && count > 0; index++) {
      const { frequency } = words[index]!.cursor;
      if (buffer.length < frequency) buffer = new Int32Array(frequency * 2);
      count = keepStarts(words[index]!, starts, count, buffer);
    }
    if (count > 0) found((document << shift) | field, starts, count);
    lead.next();
  }
}

/**
 * Where the phrase would start according to one word's positions. Parts of a word can share a position, which counts
 * once.
 */
function ownStarts({ cursor, offset }: PhraseWord, starts: Int32Array): number {
  cursor.positions(starts);
  let count = 0;
  for (let at = 0; at < cursor.frequency; at++) {
    const start = starts[at]! - offset;
    if (start >= 0 && (count === 0 || starts[count - 1] !== start)) starts[count++] = start;
  }
  return count;
}

/** Keeps the starts that another word agrees with. */
function keepStarts({ cursor, offset }: PhraseWord, starts: Int32Array, count: number, buffer: Int32Array): number {
  cursor.positions(buffer);
  const { frequency } = cursor;
  let kept = 0;
  let at = 0;
  for (let index = 0; index < count; index++) {
    const wanted = starts[index]! + offset;
    while (at < frequency && buffer[at]! < wanted) at++;
    if (at < frequency && buffer[at] === wanted) starts[kept++] = starts[index]!;
  }
  return kept;
}

/** Handles phrases whose last word is a prefix: the other words must precede one of the prefix's terms. */
function endings(view: SegmentView, clause: Clause, words: PhraseWord[], allowed: Uint8Array | undefined): EntryList {
  const { shift } = view.segment;
  const offset = clause.offsets.at(-1)!;
  const wanted = new Map<number, Set<number>>();
  eachRow(words, shift, (unit, starts, count) => {
    wanted.set(unit, new Set(starts.subarray(0, count).map((start) => start + offset)));
  });
  const found = new Map<number, Set<number>>();
  const { from, to } = termRange(view.segment, termBytes(clause).at(-1)!);
  for (let term = from; term < to && wanted.size > 0; term++) {
    for (const cursor = new TermCursor(view, term, allowed); cursor.document !== END; cursor.next()) {
      const unit = (cursor.document << shift) | cursor.field;
      const places = wanted.get(unit);
      if (!places) continue;
      const positions = new Int32Array(cursor.frequency);
      cursor.positions(positions);
      for (const position of positions) {
        if (places.has(position)) found.set(unit, (found.get(unit) ?? new Set()).add(position));
      }
    }
  }
  const units = Uint32Array.from(found.keys()).sort();
  return { units, frequencies: units.map((unit) => found.get(unit)!.size) };
}
