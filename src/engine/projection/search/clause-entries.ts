// A clause's matches in a segment: the postings of a term and its other forms, the union of a prefix's terms, or a
// phrase.

import { termBytes } from "../../../core/search/clause-terms.ts";
import { LANGUAGES } from "../../../core/search/languages.ts";
import type { Clause } from "../../../core/search/query.ts";
import { stemHash, stemOf } from "../../../core/search/stems.ts";
import { type Cursor, END, type EntryList, ListCursor } from "./cursor.ts";
import { GrowingNumbers } from "./growing.ts";
import { phraseEntries } from "./phrase.ts";
import { entryCount } from "./postings.ts";
import type { SegmentView } from "./scope.ts";
import { findTerm, type SearchSegment, stemRange, termRange } from "./segment.ts";
import { languagesIn } from "./segment-summary.ts";
import { TermCursor } from "./term-cursor.ts";

/** Entries from one source: a term's postings, or a precomputed list. */
export interface ClausePart {
  /** The number of visible entries. */
  count: number;
  /** True if this is another form of the typed word. */
  inflected: boolean;
  term: number;
  /** Restricts the view to one field. */
  allowed: Uint8Array | undefined;
  /** The form matches only texts in these languages, given as bits. 0 means any language. */
  languages: number;
  list?: EntryList;
}

/** A clause resolved for one segment: how many units match, and the parts to add up. */
export interface ClauseEntries {
  count: number;
  parts: ClausePart[];
}

export function entriesOf(view: SegmentView, clause: Clause): ClauseEntries | undefined {
  const { segment } = view;
  const allowed = clause.field === undefined ? undefined : inField(view, clause.field);
  const last = termBytes(clause).at(-1)!;
  if (clause.terms.length > 1) return listed(phraseEntries(view, clause, allowed));
  if (clause.beginning) {
    const { from, to } = termRange(segment, last);
    if (to - from > 1) return listed(unionOf(view, from, to, allowed));
    return from === to ? undefined : together([termPart(view, from, allowed, 0, false)]);
  }
  const term = findTerm(segment, last);
  const parts = term < 0 ? [] : [termPart(view, term, allowed, 0, false)];
  if (clause.inflected) {
    for (const [form, languages] of formsOf(segment, clause.terms[0]!, term))
      parts.push(termPart(view, form, allowed, languages, true));
  }
  return together(parts);
}

/** Cursors over everything that a clause matches in a segment, for clauses that exclude documents. */
export function cursorsOf(view: SegmentView, clause: Clause): Cursor[] {
  return (entriesOf(view, clause)?.parts ?? []).map((part) =>
    part.list ? new ListCursor(part.list, view.segment.shift) : new TermCursor(view, part.term, part.allowed),
  );
}

function together(parts: (ClausePart | undefined)[]): ClauseEntries | undefined {
  const present = parts.filter((part) => part !== undefined);
  if (present.length === 0) return undefined;
  return { count: present.reduce((sum, part) => sum + part.count, 0), parts: present };
}

const encoder = new TextEncoder();

interface WordStem {
  bytes: Uint8Array;
  /** True if the word as typed is its own stem. */
  isWord: boolean;
  /** The languages in which the word has this stem, as bits, and the stem's hash in each. */
  languages: number;
  hashes: { language: number; hash: number }[];
}

/** A cache of recent words' stems. Languages often agree on a stem, and it is then looked up only once. */
const asked = new Map<string, WordStem[]>();
const ASKED = 500;

/** Uses only the stemmers of the languages that are present, because the first word of a language compiles its stemmer. */
function stemsOf(word: string, present: number): WordStem[] {
  const key = `${present} ${word}`;
  const known = asked.get(key);
  if (known) return known;
  const byStem = new Map<string, WordStem>();
  for (const language of LANGUAGES.keys()) {
    if (((present >>> language) & 1) === 0) continue;
    const stem = stemOf(language, word);
    if (stem === undefined) continue;
    const one = byStem.get(stem) ?? { bytes: encoder.encode(stem), isWord: stem === word, languages: 0, hashes: [] };
    byStem.set(stem, one);
    one.languages |= 1 << language;
    one.hashes.push({ language, hash: stemHash(language, stem) });
  }
  const stems = [...byStem.values()];
  if (asked.size >= ASKED) asked.clear();
  asked.set(key, stems);
  return stems;
}

const NO_FORMS: ReadonlyMap<number, number> = new Map();

/** The segment's terms that are other forms of a word, with their languages. */
function formsOf(segment: SearchSegment, word: string, exact: number): ReadonlyMap<number, number> {
  let forms: Map<number, number> | undefined;
  const present = languagesIn(segment);
  const note = (term: number, languages: number) => {
    if (term < 0 || term === exact) return;
    forms ??= new Map();
    forms.set(term, (forms.get(term) ?? 0) | languages);
  };
  for (const { bytes, isWord, languages, hashes } of stemsOf(word, present)) {
    if (!isWord) note(findTerm(segment, bytes), languages);
    for (const { language, hash } of hashes) {
      const { from, to } = stemRange(segment, hash);
      for (let at = from; at < to; at++) note(segment.stemTerms[at]!, 1 << language);
    }
  }
  return forms ?? NO_FORMS;
}

function termPart(
  view: SegmentView,
  term: number,
  allowed: Uint8Array | undefined,
  languages: number,
  inflected: boolean,
): ClausePart | undefined {
  // A segment in one language needs no language test.
  const tested = languages !== 0 && (languagesIn(view.segment) & ~languages) !== 0 ? languages : 0;
  const part = { inflected, term, allowed, languages: tested };
  if (view.runs || tested !== 0) {
    const list = visibleEntries(view, term, allowed, tested);
    return list.units.length === 0 ? undefined : { ...part, count: list.units.length, list };
  }
  const count = view.open && !allowed ? entryCount(view.segment, term) : new TermCursor(view, term, allowed).count();
  return count === 0 ? undefined : { ...part, count };
}

/**
 * Postings that were decoded for counting are kept if few are visible, or few are in the language, so that they are not
 * decoded again.
 */
function visibleEntries(
  view: SegmentView,
  term: number,
  allowed: Uint8Array | undefined,
  languages: number,
): EntryList {
  const units = new GrowingNumbers(32);
  const frequencies = new GrowingNumbers(32);
  for (const cursor = new TermCursor(view, term, allowed); cursor.document !== END; cursor.next()) {
    const unit = (cursor.document << view.segment.shift) | cursor.field;
    if (languages !== 0 && ((languages >>> view.segment.languages[unit]!) & 1) === 0) continue;
    units.push(unit);
    frequencies.push(cursor.frequency);
  }
  return { units: units.trimmed(), frequencies: frequencies.trimmed() };
}

function listed(list: EntryList): ClauseEntries | undefined {
  const part = { inflected: false, term: -1, allowed: undefined, languages: 0, count: list.units.length, list };
  return list.units.length === 0 ? undefined : { count: part.count, parts: [part] };
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

/**
 * Adds up the frequencies of all terms in a range. The number of terms is not limited, because hidden terms could then
 * push out visible ones.
 */
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
