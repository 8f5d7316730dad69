// Compares a directory's entries with those last sent, and finds new, changed and deleted ones.
import type { NumberedEntries } from "../leaf.ts";
import { nodeIdOf, sameRecord } from "./record-of.ts";

export interface Changes {
  /** Indexes into `now`. */
  upserts: number[];
  /** Node ids of deleted entries. */
  gone: string[];
}

export function changesIn(
  place: { index: number; dir: number },
  before: NumberedEntries,
  now: NumberedEntries,
): Changes {
  if (before.count === 0) return { upserts: Array.from({ length: now.count }, (_, at) => at), gone: [] };
  const known = new Map<number, number>();
  for (let at = 0; at < before.count; at++) known.set(identityOf(before, at), at);
  const upserts: number[] = [];
  for (let at = 0; at < now.count; at++) {
    const identity = identityOf(now, at);
    const old = known.get(identity);
    known.delete(identity);
    if (old === undefined || !sameRecord(now, at, before, old)) upserts.push(at);
  }
  return { upserts, gone: [...known.values()].map((at) => nodeIdOf(place, before, at)) };
}

/**
 * Identifies a directory by its id and anything else by its number. If a file is replaced by a directory of the same
 * name, that is a different node.
 */
const identityOf = (entries: NumberedEntries, at: number): number =>
  at < entries.dirs ? -1 - entries.dirIds[at]! : entries.numbers[at]!;
