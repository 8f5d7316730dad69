// The end of a page of hits, as stored in its cursor.
import { PdppError } from "../../contract/errors.ts";
import type { SearchQuery } from "../../contract/read.ts";
import type { JsonValue } from "../../contract/record.ts";
import { openCursor } from "../../core/cursor.ts";
import type { Scope } from "../../core/scope.ts";
import type { BlendPosition, SearchAnswer, SearchPosition } from "../projection/search/types.ts";
import type { ReadContext } from "./context.ts";

/** Increase this when scores change, because a position in another order is meaningless. */
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

/** Omits field names, because the cursor appears twice in every page that a model reads. */
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

/** Makes a cursor valid only for this caller and this search. */
export function bindingOf(scope: Scope, { cursor: _cursor, limit: _limit, cursors: _cursors, ...rest }: SearchQuery) {
  return { space: "search", within: scope.bearer, query: rest } as const;
}

/** Where the page starts: in a list by words alone, or in a blended list. */
export function cursorOf(
  { key }: Pick<ReadContext, "key">,
  scope: Scope,
  query: SearchQuery,
): { words?: SearchPosition; blend?: BlendPosition } | undefined {
  if (query.cursor === undefined) return undefined;
  const sealed = openCursor(key, bindingOf(scope, query), query.cursor);
  if (!Array.isArray(sealed) || sealed[0] !== BLENDED) return { words: positionOf(sealed) };
  const [, place, left, taken, tail] = sealed as SealedBlend;
  const pairs = left.flatMap((version, at): BlendPosition["left"] => (at % 2 === 0 ? [[version, left[at + 1]!]] : []));
  return { blend: { left: pairs, taken, place, ...(tail === undefined ? {} : { tail: positionOf(tail) }) } };
}

export function nextPosition({ next, blend }: SearchAnswer): JsonValue | undefined {
  if (blend?.next === undefined) return next && sealedPosition(next);
  return sealedBlend(blend.next);
}

/** Returns for each hit the position at which a page after it would start. Empty unless requested. */
export const endPositions = ({ ends = [], blend }: SearchAnswer): JsonValue[] =>
  blend === undefined ? ends.map(sealedPosition) : (blend.ends ?? []).map(sealedBlend);

const sealedBlend = ({ left, taken, place, tail }: BlendPosition): JsonValue => [
  BLENDED,
  place,
  left.flat(),
  taken,
  ...(tail === undefined ? [] : [sealedPosition(tail)]),
];

const BLENDED = "blended";
type SealedBlend = [typeof BLENDED, number, number[], number[], JsonValue?];
