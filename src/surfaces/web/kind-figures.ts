// Counts of records by kind: "5,929 messages and 3 conversations". A person does not know what a stream is.
import type { Kind } from "../../contract/kinds.ts";
import { KIND_NOUNS } from "../../core/kind-nouns.ts";
import { listed } from "../../core/kind-words.ts";
import { countOf } from "./format.ts";

/** How many kinds are named. The records of all other kinds are counted together. */
const NAMED = 3;

/** Counts every record: those without a kind, and those of all other kinds, are "other records". */
export function kindFigures(streams: readonly { kind?: Kind; count: number }[]): string {
  const byKind = new Map<Kind, number>();
  for (const { kind, count } of streams)
    if (kind !== undefined && count > 0) byKind.set(kind, (byKind.get(kind) ?? 0) + count);
  const named = [...byKind].sort(([, one], [, other]) => other - one).slice(0, NAMED);
  const total = streams.reduce((sum, { count }) => sum + count, 0);
  const others = named.reduce((rest, [, count]) => rest - count, total);
  if (named.length === 0) return countOf(total, "record");
  const words = named.map(([kind, count]) => countOf(count, KIND_NOUNS[kind]));
  return listed(others === 0 ? words : [...words, countOf(others, "other record")]);
}
