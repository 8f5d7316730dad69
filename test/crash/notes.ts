// The searchable text of the records in the crash tests.
import type { Random } from "./random.ts";
import { WORDS } from "./world.ts";

export function noteFor(revision: number, random: Random): string {
  const words = WORDS.filter((_, rank) => random.next() < 0.4 / (rank + 1));
  return [...words, stampOf(revision)].join(" ");
}

/**
 * Returns a word that consists only of letters, so that it is one token. Its last letter occurs nowhere else, so no
 * word is a prefix of another.
 */
export function stampOf(revision: number): string {
  return `${[...String(revision)].map((digit) => "abcdefghij"[Number(digit)]).join("")}z`;
}

export const noteHas = (note: string, word: string): boolean => note.split(" ").includes(word);
