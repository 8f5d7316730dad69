// Finds where the clauses of a plan occur in a text, for every matched field, offset and mark (L-03).
import { termBytes } from "./clause-terms.ts";
import { bestCluster } from "./excerpt.ts";
import { type FormFinder, formFinder } from "./forms.ts";
import { EVIDENCE } from "./limits.ts";
import type { Clause } from "./query.ts";
import { hashBytes, type Token, tokenise } from "./tokenise.ts";

export interface Occurrence {
  /** The index of the clause. */
  clause: number;
  /** In UTF-16 units. A phrase extends from the start of its first word to the end of its last. */
  start: number;
  end: number;
}

interface WantedWord {
  clause: number;
  /** The index of the word in the clause. */
  word: number;
  bytes: Uint8Array;
}

interface WantedWords {
  /** Whole words by hash. */
  whole: Map<number, WantedWord[]>;
  beginnings: WantedWord[];
  /** For each byte, 1 if any of the words begins with it. */
  firsts: Uint8Array;
}

/** Cached, because every field of every hit is searched for the same words. */
const wantedWords = new WeakMap<readonly Clause[], WantedWords>();

function wantedIn(clauses: readonly Clause[]): WantedWords {
  const known = wantedWords.get(clauses);
  if (known !== undefined) return known;
  const whole = new Map<number, WantedWord[]>();
  const beginnings: WantedWord[] = [];
  const firsts = new Uint8Array(256);
  clauses.forEach((clause, index) => {
    termBytes(clause).forEach((bytes, word) => {
      const wanted = { clause: index, word, bytes };
      firsts[bytes[0]!] = 1;
      if (clause.beginning && word === clause.terms.length - 1) beginnings.push(wanted);
      else {
        const hash = hashBytes(bytes, bytes.length);
        whole.set(hash, [...(whole.get(hash) ?? []), wanted]);
      }
    });
  });
  const wanted = { whole, beginnings, firsts };
  wantedWords.set(clauses, wanted);
  return wanted;
}

/** Cached as long as the form finder exists. */
const joinedFirsts = new WeakMap<FormFinder, Uint8Array>();

function eitherFirst(words: Uint8Array, forms: FormFinder): Uint8Array {
  const known = joinedFirsts.get(forms);
  if (known !== undefined) return known;
  const joined = new Uint8Array(words);
  for (let byte = 0; byte < joined.length; byte++) joined[byte]! |= forms.firsts[byte]!;
  joinedFirsts.set(forms, joined);
  return joined;
}

/**
 * Returns occurrences ordered by their end. It stops one excerpt length (`size`, in UTF-16 units) after the first place
 * that shows every clause, because there cannot be a better one and texts can be long. `language` is the language of
 * the text, if known.
 */
export function occurrencesOf(text: string, clauses: readonly Clause[], size: number, language?: number): Occurrence[] {
  const { whole, beginnings, firsts } = wantedIn(clauses);
  const found: Occurrence[] = [];
  const rows = clauses.map(() => new Map<number, { next: number; start: number }>());
  const take = (wanted: WantedWord, token: Token): void => {
    const clause = clauses[wanted.clause]!;
    if (clause.terms.length === 1) found.push({ clause: wanted.clause, start: token.start, end: token.end });
    else extendRow(rows[wanted.clause]!, clause, wanted, token, found);
  };
  const forms = formFinder(text, clauses, language);
  /**
   * The clauses found so far. Most texts do not contain every clause, and then there is no need to check whether the
   * matches are close together.
   */
  const proven = new Set<number>();
  const only = { firsts: forms === undefined ? firsts : eitherFirst(firsts, forms), end: Number.POSITIVE_INFINITY };
  let most: number = EVIDENCE.matchesKept;
  const look = (token: Token): boolean => {
    const known = found.length;
    const candidates = whole.get(token.hash);
    if (candidates)
      for (const wanted of candidates)
        if (begins(token, wanted.bytes) && token.length === wanted.bytes.length) take(wanted, token);
    if (forms) for (const clause of forms.clausesAt(token)) found.push({ clause, start: token.start, end: token.end });
    for (const wanted of beginnings) if (begins(token, wanted.bytes)) take(wanted, token);
    if (found.length > known && only.end === Number.POSITIVE_INFINITY) {
      for (let at = known; at < found.length; at++) proven.add(found[at]!.clause);
      if (proven.size === clauses.length && allClose(found, clauses.length, size)) only.end = token.end + size;
    }
    if (found.length >= most) {
      letGo(found, size);
      most = Math.max(EVIDENCE.matchesKept, 2 * found.length);
    }
    return token.end < only.end;
  };
  tokenise(text, look, only);
  return found;
}

/**
 * Drops matches from a text that is full of them. Keeps those in the best passage so far, those that may become a
 * better one, and one for each clause.
 */
function letGo(found: Occurrence[], size: number): void {
  const best = bestCluster(found, size);
  const growing = found.at(-1)!.end - size;
  const proven = new Set<number>();
  const kept = found.filter(({ clause, start, end }) => {
    const first = !proven.has(clause);
    proven.add(clause);
    return first || start >= growing || (start >= best.start - size && end <= best.end + size);
  });
  found.splice(0, found.length, ...kept);
}

/** Returns true if the latest occurrences of all clauses fit into one excerpt. */
function allClose(found: readonly Occurrence[], clauses: number, size: number): boolean {
  const near = new Set<number>();
  const { end } = found.at(-1)!;
  for (let at = found.length - 1; at >= 0 && end - found[at]!.start <= size; at--) near.add(found[at]!.clause);
  return near.size === clauses;
}

/** Extends a phrase word by word; partial phrases are stored by the position of their first word. */
function extendRow(
  open: Map<number, { next: number; start: number }>,
  clause: Clause,
  wanted: WantedWord,
  token: Token,
  found: Occurrence[],
): void {
  const first = token.position - clause.offsets[wanted.word]!;
  if (wanted.word === 0) {
    if (open.size > 64)
      for (const position of open.keys()) if (position + clause.offsets.at(-1)! < token.position) open.delete(position);
    open.set(first, { next: 1, start: token.start });
    return;
  }
  const row = open.get(first);
  if (row?.next !== wanted.word) return;
  row.next++;
  if (row.next < clause.terms.length) return;
  open.delete(first);
  found.push({ clause: wanted.clause, start: row.start, end: token.end });
}

function begins(token: Token, bytes: Uint8Array): boolean {
  if (token.length < bytes.length) return false;
  for (let at = 0; at < bytes.length; at++) if (token.bytes[at] !== bytes[at]) return false;
  return true;
}
