// The searchable text of the crash world's records.
import type { Random } from "./random.ts";
import { WORDS } from "./world.ts";

export function noteFor(revision: number, random: Random): string {
  const words = WORDS.filter((_, rank) => random.next() < 0.4 / (rank + 1));
  return [...words, stampOf(revision)].join(" ");
}

/** A word of letters only, so that it is one token; its last letter stands nowhere else, so that none begins another. */
export function stampOf(revision: number): string {
  return `${[...String(revision)].map((digit) => "abcdefghij"[Number(digit)]).join("")}z`;
}

export const noteHas = (note: string, word: string): boolean => note.split(" ").includes(word);
