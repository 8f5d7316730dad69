// Blends two rankings of one search: by words, and by meaning. Rank fusion needs no common scale for their
// scores.
import { planFor } from "../../../core/search/relax.ts";
import { Months } from "./months.ts";
import { emptyAnswer, hitOf, runSearch, type SearchRequest, type SegmentSource } from "./run-search.ts";
import { documentVisible, viewOf } from "./scope.ts";
import { candidateOf } from "./top-hits.ts";
import type { BlendPosition, SearchAnswer, SearchHit, SearchPosition } from "./types.ts";
import { type NearRecord, nearestRecords } from "./vectors/nearest.ts";
import type { Vectors } from "./vectors/vectors.ts";

const FUSION = {
  /** Reciprocal rank fusion: a hit at rank r scores 1 / (k + r). The published method uses 60. */
  k: 60,
  /** How many word hits are blended. The others follow in their own order. */
  words: 50,
} as const;

export interface MeaningRequest {
  /** The query's vector. Absent on later pages, which continue where the first one ended. */
  vector?: Float32Array;
  /** If true, omits records that only words find. */
  only: boolean;
  position?: BlendPosition;
}

/** A hit, and the index of its nearest passage, or -1. */
type BlendedHit = [hit: SearchHit, passage: number];

/** `page` contains blended hits that have not been shown yet. */
interface Blend {
  page: BlendedHit[];
  taken: SearchHit[];
  place: number;
  /** The result of the word search. The blended result uses its counts, and word hits continue at its `next`. */
  words: SearchAnswer;
  unread: number;
}

export async function runBlended(
  source: SegmentSource,
  vectors: Vectors,
  request: SearchRequest,
  { vector, only, position }: MeaningRequest,
): Promise<SearchAnswer> {
  const blend =
    position === undefined
      ? await blended(source, vectors, request, vector!, only)
      : await resumed(source, vectors, request, position, only);
  const { next: tail, ...counts } = blend.words;
  const page = blend.page.slice(0, request.limit);
  const room = request.limit - page.length;
  const behind =
    room > 0 && tail !== undefined
      ? await runSearch(source, { ...without(request, blend.taken), limit: room, position: tail })
      : undefined;
  const hits = [...page.map(([hit]) => hit), ...(behind?.hits ?? [])];
  const positionAt = (count: number, rest: SearchPosition | undefined): BlendPosition => ({
    left: blend.page.slice(count).map(([{ version }, passage]) => [version, passage]),
    taken: blend.taken.map(({ version }) => version),
    place: blend.place + count,
    ...(rest === undefined ? {} : { tail: rest }),
  });
  const rest = behind === undefined ? tail : behind.next;
  const follows = blend.page.length > hits.length || rest !== undefined;
  return {
    ...counts,
    hits: hits.map((hit, index) => ({ ...hit, place: blend.place + index })),
    blend: {
      unread: blend.unread,
      ...(request.ends
        ? { ends: hits.map((_, at) => positionAt(at + 1, at < page.length ? tail : behind!.ends![at - page.length])) }
        : {}),
      ...(follows ? { next: positionAt(hits.length, rest) } : {}),
    },
  };
}

async function blended(
  source: SegmentSource,
  vectors: Vectors,
  request: SearchRequest,
  vector: Float32Array,
  only: boolean,
): Promise<Blend> {
  const plan = planFor(request.query, "none");
  const { records, unread } = await nearestRecords(source, vectors, vector, request, plan);
  const near = records.map((record) => nearHit(record, vectors));
  const taken = near.map(([hit]) => hit);
  const words = await byWords(source, { ...request, limit: FUSION.words }, taken, only);
  return { page: only ? near : fuse(words.hits, near), taken, place: 0, words, unread };
}

/** Searches by words. The counts include records that were found only by meaning. */
async function byWords(
  source: SegmentSource,
  request: SearchRequest,
  taken: readonly SearchHit[],
  only: boolean,
): Promise<SearchAnswer> {
  const versions = new Set(taken.map(({ version }) => version));
  const matched = new Set<number>();
  const admitted = {
    has(version: number) {
      if (request.admitted?.has(version) === false) return false;
      if (versions.has(version)) matched.add(version);
      return true;
    },
  };
  const answer = only
    ? emptyAnswer(planFor(request.query, "none"), request)
    : await runSearch(source, { ...request, admitted, ends: false });
  const added = taken.filter(({ version }) => !matched.has(version));
  answer.total += added.length;
  const months = new Months();
  for (const { streamNo, time = Number.NaN } of added) {
    answer.perStream.set(streamNo, (answer.perStream.get(streamNo) ?? 0) + 1);
    months.add(time);
  }
  for (const [month, count] of months.counts()) answer.perMonth?.set(month, (answer.perMonth.get(month) ?? 0) + count);
  return answer;
}

/** Sorts by reciprocal rank. In a tie, word hits are first. */
function fuse(words: readonly SearchHit[], near: readonly BlendedHit[]): BlendedHit[] {
  const byVersion = new Map<number, { blended: BlendedHit; score: number }>();
  for (const [rank, hit] of words.entries()) {
    const entry = { blended: [hit, -1] as BlendedHit, score: 1 / (FUSION.k + rank + 1) };
    for (const one of [hit, ...(hit.repeats?.hits ?? [])]) byVersion.set(one.version, entry);
  }
  for (const [rank, [hit, passage]] of near.entries()) {
    const score = 1 / (FUSION.k + rank + 1);
    const known = byVersion.get(hit.version);
    if (known === undefined) byVersion.set(hit.version, { blended: [hit, passage], score });
    else if (known.blended[1] < 0) {
      known.score += score;
      if (known.blended[0].version === hit.version)
        known.blended = [{ ...known.blended[0], meaning: hit.meaning }, passage];
    }
  }
  return [...new Set(byVersion.values())].sort((one, other) => other.score - one.score).map(({ blended }) => blended);
}

/**
 * Later pages show the hits that remained after the first page. A record that changed in the meantime is ranked by its
 * current words.
 */
async function resumed(
  source: SegmentSource,
  vectors: Vectors,
  request: SearchRequest,
  { left, taken, place, tail }: BlendPosition,
  only: boolean,
): Promise<Blend> {
  const found = await findVersions(source, request, new Set([...taken, ...left.map(([version]) => version)]));
  const still = taken.flatMap((version) => found.get(version) ?? []);
  const page = left.flatMap(([version, passage]): BlendedHit[] => {
    const hit = found.get(version);
    return hit === undefined ? [] : [[{ ...hit, ...windowOf(vectors, version, passage) }, passage]];
  });
  const { next: _next, ...words } = await byWords(source, { ...request, limit: 1 }, still, only);
  return { page, taken: still, place, words: { ...words, ...(tail === undefined ? {} : { next: tail }) }, unread: 0 };
}

async function findVersions(source: SegmentSource, { scope }: SearchRequest, wanted: ReadonlySet<number>) {
  const found = new Map<number, SearchHit>();
  await source.each((segment) => {
    const view = viewOf(scope, segment);
    if (!view.any) return;
    for (let document = 0; document < segment.documents; document++) {
      const version = segment.versions[document]!;
      if (!wanted.has(version) || segment.dead[document] !== 0 || !documentVisible(view, document)) continue;
      found.set(version, hitOf(candidateOf(view, document, 0)));
    }
  });
  return found;
}

/** Keeps records that were found by meaning from being found again by words. */
function without(request: SearchRequest, taken: readonly SearchHit[]): SearchRequest {
  const versions = new Set(taken.map(({ version }) => version));
  const has = (version: number) => !versions.has(version) && request.admitted?.has(version) !== false;
  return { ...request, admitted: { has } };
}

function nearHit({ hit, passage }: NearRecord, vectors: Vectors): BlendedHit {
  const shown = hitOf(hit);
  return [{ ...shown, ...windowOf(vectors, shown.version, passage) }, passage];
}

function windowOf(vectors: Vectors, version: number, passage: number): Pick<SearchHit, "meaning"> {
  const first = vectors.table?.rowOf(version) ?? -1;
  if (passage < 0 || first < 0 || vectors.table!.versionAt(first + passage) !== version) return {};
  const { field, start, end } = vectors.table!.rowAt(first + passage);
  return { meaning: { field: vectors.fieldName(field), start, end } };
}
