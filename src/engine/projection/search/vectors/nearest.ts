// Finds the records nearest to a query in meaning, exactly, within what the caller may see. The codes of all visible
// passages are compared, then the best of them by their full vectors. Hidden passages never take part.
import type { QueryPlan } from "../../../../core/search/query.ts";
import { acceptance, exclusion } from "../evaluate.ts";
import type { SearchRequest, SegmentSource } from "../run-search.ts";
import { documentVisible, type SegmentView, unitVisible, viewOf } from "../scope.ts";
import type { SearchSegment } from "../segment.ts";
import { candidateOf, compareCandidates, type HitCandidate } from "../top-hits.ts";
import { distanceTo, signsOf, unitVector } from "./quantise.ts";
import type { VectorTable } from "./vector-table.ts";
import type { Vectors } from "./vectors.ts";

const NEAREST = {
  /** How many passages are compared using their full vectors. */
  candidates: 256,
  /** How many records search by meaning can add. */
  records: 30,
} as const;

export interface NearRecord {
  hit: HitCandidate;
  similarity: number;
  /** The index of the passage in its record. */
  passage: number;
}

export interface Nearness {
  records: NearRecord[];
  /** The number of visible records with text but no vectors yet. */
  unread: number;
}

interface Near {
  view: SegmentView;
  document: number;
  row: number;
  distance: number;
}

export async function nearestRecords(
  source: SegmentSource,
  vectors: Vectors,
  vector: Float32Array,
  { scope, admitted }: Pick<SearchRequest, "scope" | "admitted">,
  plan: QueryPlan,
): Promise<Nearness> {
  const query = unitVector(vector);
  // A model that returns vectors of another length is a different model.
  const table = vectors.table?.dimensions === query.length ? vectors.table : undefined;
  const candidates = new Candidates(query.length);
  const scan: Scan = { vectors, table, code: signsOf(query), candidates };
  let unread = 0;
  await source.each((segment) => {
    const view = viewOf(scope, segment);
    if (view.any) unread += scanSegment(view, scan, wantedIn(view, plan, admitted));
  });
  if (table === undefined) return { records: [], unread };
  const near = candidates.best();
  const similarities = await vectors.similarities(
    near.map(({ row }) => row),
    query,
  );
  const byRecord = new Map<number, NearRecord>();
  for (const [index, { view, document, row }] of near.entries()) {
    const similarity = Math.fround(similarities[index]!);
    const version = table.versionAt(row);
    const known = byRecord.get(version);
    if (version === 0 || (known !== undefined && known.similarity >= similarity)) continue;
    byRecord.set(version, {
      hit: candidateOf(view, document, 0),
      similarity,
      passage: row - table.rowOf(version),
    });
  }
  const records = [...byRecord.values()].sort(
    (one, other) => other.similarity - one.similarity || compareCandidates(one.hit, other.hit),
  );
  return { records: records.slice(0, NEAREST.records), unread };
}

interface Scan {
  vectors: Vectors;
  table: VectorTable | undefined;
  code: Uint32Array;
  candidates: Candidates;
}

type DocumentTest = (document: number) => boolean;

/**
 * Returns a test for documents that are live, visible and match the rest of the query. Documents must be passed in
 * order. Without a test, all match.
 */
function wantedIn(view: SegmentView, plan: QueryPlan, admitted: SearchRequest["admitted"]): DocumentTest | undefined {
  const { dead } = view.segment;
  const isExcluded = exclusion(view, plan);
  const accepts = acceptance(view, plan, undefined, admitted);
  if (view.open && !isExcluded && !accepts) return undefined;
  return (document) =>
    dead[document] === 0 &&
    (view.open || documentVisible(view, document)) &&
    !isExcluded?.(document) &&
    (accepts === undefined || accepts(document));
}

/** Offers every visible passage of a segment. Returns how many records have text but no vectors. */
function scanSegment(
  view: SegmentView,
  { vectors, table, code, candidates }: Scan,
  isWanted: DocumentTest | undefined,
): number {
  const { segment, open } = view;
  const { documents, versions } = segment;
  const first = table && firstRows(segment, table);
  let unread = 0;
  let { cutoff } = candidates;
  for (let document = 0; document < documents; document++) {
    if (isWanted && !isWanted(document)) continue;
    const version = versions[document]!;
    let row = first === undefined ? -1 : first[document]!;
    if (table === undefined || row < 0 || table.versionAt(row) !== version) {
      if (hasVisibleText(view, document)) unread++;
      continue;
    }
    do {
      if (!open && !passageVisible(view, document, vectors.fieldName(table.fieldAt(row)))) continue;
      const distance = distanceTo(code, table.blockOf(row).codes, table.placeOf(row) * code.length);
      if (distance > cutoff) continue;
      candidates.add({ view, document, row, distance });
      cutoff = candidates.cutoff;
    } while (table.versionAt(++row) === version);
  }
  return unread;
}

function passageVisible(view: SegmentView, document: number, name: string): boolean {
  const { segment } = view;
  const field = segment.streams[segment.streamOf[document]!]!.fields.findIndex((one) => one.name === name);
  return field >= 0 && unitVisible(view, document, field);
}

function hasVisibleText(view: SegmentView, document: number): boolean {
  const { lengths, shift } = view.segment;
  for (let field = 0; field < 1 << shift; field++)
    if (lengths[(document << shift) | field] !== 0 && unitVisible(view, document, field)) return true;
  return false;
}

interface FirstRows {
  table: VectorTable;
  generation: number;
  rows: Int32Array;
}

const joined = new WeakMap<SearchSegment, FirstRows>();

/**
 * The first row of each document's passages, or -1. Cached, because the lookup costs as much as comparing the passage.
 */
function firstRows(segment: SearchSegment, table: VectorTable): Int32Array {
  const known = joined.get(segment);
  if (known?.table === table && known.generation === table.generation) return known.rows;
  const rows = known?.table === table ? known.rows : new Int32Array(segment.documents).fill(-1);
  for (let document = 0; document < segment.documents; document++) {
    const version = segment.versions[document]!;
    if (rows[document]! < 0 || table.versionAt(rows[document]!) !== version) rows[document] = table.rowOf(version);
  }
  joined.set(segment, { table, generation: table.generation, rows });
  return rows;
}

/** The passages with the smallest distances, including ties at the end of the list unless there are too many. */
class Candidates {
  /** Passages further away than this are not among the nearest. */
  cutoff: number;
  #found: Near[] = [];
  #counts: Uint32Array;
  #within = 0;

  constructor(dimensions: number) {
    this.cutoff = dimensions;
    this.#counts = new Uint32Array(dimensions + 1);
  }

  add(near: Near): void {
    this.#found.push(near);
    this.#counts[near.distance]!++;
    this.#within++;
    while (this.cutoff > 0 && this.#within - this.#counts[this.cutoff]! >= NEAREST.candidates)
      this.#within -= this.#counts[this.cutoff--]!;
    if (this.#found.length > 4 * this.#within + 4096) this.#found = this.#nearEnough();
  }

  /** Ties are broken as for hits, independently of hidden records. */
  best(): Near[] {
    const found = this.#nearEnough();
    if (found.length <= 2 * NEAREST.candidates) return found;
    const sure = found.filter(({ distance }) => distance < this.cutoff);
    const tied = found
      .filter(({ distance }) => distance === this.cutoff)
      .map((near) => ({ near, hit: candidateOf(near.view, near.document, 0) }))
      .sort((one, other) => compareCandidates(one.hit, other.hit) || one.near.row - other.near.row);
    return [...sure, ...tied.slice(0, 2 * NEAREST.candidates - sure.length).map(({ near }) => near)];
  }

  #nearEnough(): Near[] {
    return this.#found.filter(({ distance }) => distance <= this.cutoff);
  }
}
