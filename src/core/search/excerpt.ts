// Finds the passage of a text that shows a match best, cut at sentences or words.
import { EVIDENCE } from "./limits.ts";
import type { Occurrence } from "./occurrences.ts";

export interface Span {
  start: number;
  end: number;
}

const SENTENCE_ENDS = new Set([..."…。！？"].map((character) => character.charCodeAt(0)));
/**
 * The ASCII characters that end a sentence. Most excerpts check a hundred characters, and a table is faster than a set.
 */
const ASCII_ENDS = new Uint8Array(128);
for (const character of ".!?\n") ASCII_ENDS[character.charCodeAt(0)] = 1;
const SPACE = /\s/;

/**
 * Returns the span that contains the largest number of different clauses, then the largest number of matches; in a tie,
 * the first one.
 */
export function bestCluster(occurrences: readonly Occurrence[], size: number): Span {
  if (occurrences.length === 1) return { start: occurrences[0]!.start, end: occurrences[0]!.end };
  const sorted = occurrences.toSorted((one, other) => one.start - other.start || one.end - other.end);
  const counts = new Map<number, number>();
  let best: Span & { value: number } = { start: sorted[0]!.start, end: sorted[0]!.end, value: -1 };
  let left = 0;
  for (const [right, last] of sorted.entries()) {
    counts.set(last.clause, (counts.get(last.clause) ?? 0) + 1);
    while (left < right && last.end - sorted[left]!.start > size) {
      const gone = sorted[left++]!.clause;
      const rest = counts.get(gone)! - 1;
      if (rest === 0) counts.delete(gone);
      else counts.set(gone, rest);
    }
    const value = counts.size * 1000 + Math.min(right - left, 999);
    if (value > best.value) best = { start: sorted[left]!.start, end: last.end, value };
  }
  return { start: best.start, end: best.end };
}

/** Extends a cluster to about `size` UTF-16 units. */
export function excerptAround(text: string, cluster: Span, size: number): Span {
  if (text.length <= size) return { start: 0, end: text.length };
  // Limits the end, because a "word" can be a megabyte long.
  const clusterEnd = Math.min(cluster.end, cluster.start + size);
  const room = size - (clusterEnd - cluster.start);
  const earliest = Math.max(
    0,
    cluster.start - Math.min(Math.floor(room / 3), EVIDENCE.sentenceReach),
    text.length - size < cluster.start ? text.length - size - EVIDENCE.sentenceReach : 0,
  );
  const start = earliest === 0 ? 0 : startFrom(text, earliest, cluster.start);
  const latest = start + size;
  if (latest >= text.length) return { start, end: text.length };
  return {
    start,
    end: Math.max(endBy(text, Math.max(clusterEnd, latest - EVIDENCE.sentenceReach), latest), clusterEnd),
  };
}

/**
 * Returns the first sentence start at or after `from`, otherwise the first word start, otherwise the next whole
 * character.
 */
function startFrom(text: string, from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    if (endsSentence(text, at)) return skipSpace(text, at, limit);
  }
  for (let at = from; at < limit; at++) if (SPACE.test(text[at]!)) return skipSpace(text, at, limit);
  return wholeCharacter(text, from);
}

/** A full stop ends a sentence only before white space or at the end of the text, so not in `3.5`. */
function endsSentence(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  if (code < 128 ? ASCII_ENDS[code] === 0 : !SENTENCE_ENDS.has(code)) return false;
  return text[at - 1] !== "." || SPACE.test(text[at] ?? " ");
}

function skipSpace(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && SPACE.test(text[at]!)) at++;
  return at;
}

/** Returns the last sentence end in the range, otherwise the last word end, otherwise the last whole character. */
export function endBy(text: string, from: number, latest: number): number {
  for (let at = latest; at > from; at--) {
    if (endsSentence(text, at)) return at;
  }
  for (let at = latest; at > from; at--) if (SPACE.test(text[at]!)) return at;
  return wholeCharacter(text, latest);
}

/**
 * Avoids a position between surrogates or before a combining mark. It takes only a few steps, because marks can be
 * stacked without limit.
 */
function wholeCharacter(text: string, from: number): number {
  let at = from;
  for (
    let steps = 0;
    steps < 8 && at < text.length && /^[\udc00-\udfff\p{M}\u200d]/u.test(text.slice(at, at + 2));
    steps++
  )
    at++;
  return at > 0 && at < text.length && text.codePointAt(at - 1)! > 0xffff ? at + 1 : at;
}
