// Where a page of hits ended, as its cursor keeps it.
import { PdppError } from "../../contract/errors.ts";
import type { JsonValue } from "../../contract/record.ts";
import type { SearchPosition } from "../projection/search/types.ts";

/** Raise it when scores change: a place in another order says nothing. */
const RANKING = 3;

type Sealed = [
  typeof RANKING,
  SearchPosition["relaxation"],
  number,
  number,
  number,
  number,
  number[],
  SearchPosition["score"],
  SearchPosition["time"],
  string,
  string,
  string[]?,
  number[]?,
  [string, number][]?,
  number[]?,
];

/** Without names: a cursor stands in both halves of every page that a model reads. */
export function sealedPosition(position: SearchPosition): JsonValue {
  const { relaxation, near, feedback, shown, statistics, score, time, key, id } = position;
  const { units, words, titles, titleWords, matching } = statistics;
  return [
    RANKING,
    relaxation,
    units,
    words,
    titles,
    titleWords,
    matching,
    score,
    time,
    key,
    id,
    ...(near === undefined && feedback === undefined && shown === undefined ? [] : [near ?? []]),
    ...(feedback === undefined && shown === undefined ? [] : [feedback?.weights ?? [], feedback?.related ?? []]),
    ...(shown === undefined ? [] : [shown]),
  ];
}

export function positionOf(sealed: JsonValue): SearchPosition {
  if (!Array.isArray(sealed) || sealed[0] !== RANKING)
    throw new PdppError("invalid_cursor", "this cursor is from a version that ranked hits differently", {
      param: "cursor",
      next_step: "Search again without the cursor.",
    });
  const [
    ,
    relaxation,
    units,
    words,
    titles,
    titleWords,
    matching,
    score,
    time,
    key,
    id,
    near,
    weights,
    related,
    shown,
  ] = sealed as Sealed;
  return {
    relaxation,
    ...(near && near.length > 0 ? { near } : {}),
    ...(shown ? { shown } : {}),
    ...(weights && weights.length > 0 && related ? { feedback: { weights, related } } : {}),
    statistics: { units, words, titles, titleWords, matching },
    score,
    time,
    key,
    id,
  };
}
