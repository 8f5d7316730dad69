// Where a page of hits ended, as its cursor keeps it.
import type { JsonValue } from "../../contract/record.ts";
import type { SearchPosition } from "../projection/search/types.ts";

type Sealed = [
  SearchPosition["relaxation"],
  number,
  number,
  number[],
  SearchPosition["score"],
  SearchPosition["time"],
  string,
  string,
];

/** Without names: a cursor stands in both halves of every page that a model reads. */
export const sealedPosition = ({ relaxation, statistics, score, time, key, id }: SearchPosition): JsonValue => [
  relaxation,
  statistics.units,
  statistics.words,
  statistics.matching,
  score,
  time,
  key,
  id,
];

/** Earlier cursors have names. They go on where they stopped: a client may have kept one over an upgrade. */
export function positionOf(sealed: JsonValue): SearchPosition {
  if (!Array.isArray(sealed)) return sealed as unknown as SearchPosition;
  const [relaxation, units, words, matching, score, time, key, id] = sealed as Sealed;
  return { relaxation, statistics: { units, words, matching }, score, time, key, id };
}
