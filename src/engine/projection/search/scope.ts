// A caller's Scope in the form that the index tests. For each segment, it has a table by (stream, field) and, if a
// grant limits records, a test by document. Nothing else decides what a search sees (P-02).
import { isTitle } from "./bm25.ts";
import { findDocument, recordName } from "./document-ids.ts";
import { CODE_LENGTH } from "./lengths.ts";
import { documentId, type SearchSegment, type SegmentStream } from "./segment.ts";
import { consentTimesOf, type SegmentSummary, summaryOf } from "./segment-summary.ts";
import type { SearchScopeRow } from "./types.ts";
import { visibleRuns } from "./visible-runs.ts";

/** Hidden, visible, or visible for the documents that a `ViewRule` admits. */
const HIDDEN = 0;
const VISIBLE = 1;
export const TESTED = 2;

export interface SearchScope {
  rows: ReadonlyMap<number, SearchScopeRow[]>;
  /** All keys in order, and the rank of each stream's key, so that ties can be broken by comparing numbers. */
  keys: readonly string[];
  keyRank: ReadonlyMap<number, number>;
  views: WeakMap<SearchSegment, SegmentView>;
}

/** One Scope row in one segment, for streams whose visibility depends on the document. */
interface ViewRule {
  fields: Uint8Array;
  seesTime: boolean;
  since: number;
  until: number;
  timed: boolean;
  documents?: ReadonlySet<number>;
  /** True if some documents have not been compared with the filter yet. They are hidden until then. */
  isAhead?: boolean;
}

export interface SegmentView {
  segment: SearchSegment;
  /** The number of live documents when this view was created. The statistics are valid only while it is unchanged. */
  live: number;
  /**
   * False if the segment is ahead of the versions that were compared with a filter. The next search then creates
   * another view.
   */
  settled: boolean;
  /** True if everything in the segment is visible and live, so that no test is needed. */
  open: boolean;
  /** Indexed by `stream << shift | field`. */
  allowed: Uint8Array;
  /** For each stream, whether documents are visible at all, and whether their authored time is. */
  streams: Uint8Array;
  seesTime: Uint8Array;
  rules: (ViewRule[] | undefined)[];
  keyRanks: Int32Array;
  /** True if some document may be visible. */
  any: boolean;
  /** The ranges of visible documents, if there are few. */
  runs?: Uint32Array;
  /** Field weights, indexed by `stream << shift | field`. */
  weights: Float64Array;
  /** True if all streams have the weights of the first one, so the stream need not be checked. */
  weightsAgree: boolean;
  units: number;
  words: number;
  titles: number;
  titleWords: number;
}

/** Compile a Scope once and keep it as long as the grant does not change, because it caches views of segments. */
export function compileScope(rows: readonly SearchScopeRow[]): SearchScope {
  const byStream = new Map<number, SearchScopeRow[]>();
  for (const row of rows) byStream.set(row.streamNo, [...(byStream.get(row.streamNo) ?? []), row]);
  const keys = [...new Set(rows.map((row) => row.key))].sort();
  const ranks = new Map(keys.map((key, rank) => [key, rank]));
  const keyRank = new Map(rows.map((row) => [row.streamNo, ranks.get(row.key)!]));
  return { rows: byStream, keys, keyRank, views: new WeakMap() };
}

/** A view of every live document, for merges and checks. */
export function wholeView(segment: SearchSegment): SegmentView {
  const key = "";
  const rows = segment.streams.map(({ streamNo }) => ({ streamNo, key, fields: null }));
  return makeView(compileScope(rows), segment);
}

export function viewOf(scope: SearchScope, segment: SearchSegment): SegmentView {
  const known = scope.views.get(segment);
  if (known?.live === segment.live) return known;
  const view = makeView(scope, segment);
  if (view.settled) scope.views.set(segment, view);
  return view;
}

function makeView(scope: SearchScope, segment: SearchSegment): SegmentView {
  const { streams, shift } = segment;
  const view: SegmentView = {
    segment,
    live: segment.live,
    settled: true,
    open: segment.live === segment.documents,
    allowed: new Uint8Array(streams.length << shift),
    streams: new Uint8Array(streams.length),
    seesTime: new Uint8Array(streams.length),
    rules: new Array<ViewRule[] | undefined>(streams.length).fill(undefined),
    keyRanks: Int32Array.from(streams, (stream) => scope.keyRank.get(stream.streamNo) ?? -1),
    any: false,
    weights: new Float64Array(streams.length << shift),
    weightsAgree: true,
    units: 0,
    words: 0,
    titles: 0,
    titleWords: 0,
  };
  streams.forEach((stream, code) => {
    stream.fields.forEach(({ weight }, field) => {
      view.weights[(code << shift) | field] = weight;
      if (weight !== streams[0]!.fields[field]?.weight) view.weightsAgree = false;
    });
  });
  const summary = summaryOf(segment);
  const { spans } = summary;
  streams.forEach((stream, code) => {
    const rules = (scope.rows.get(stream.streamNo) ?? [])
      .map((row) => ruleOf(row, stream, segment))
      .filter((rule) => !(rule.timed && (spans[code]!.last < rule.since || spans[code]!.first >= rule.until)));
    if (rules.some((rule) => rule.isAhead)) view.settled = false;
    // If a time range contains all documents here, no test by document is needed.
    for (const rule of rules)
      if (spans[code]!.all && spans[code]!.first >= rule.since && spans[code]!.last < rule.until) rule.timed = false;
    const tested = rules.length > 1 || rules.some((rule) => rule.timed || rule.documents);
    if (rules.length === 0 || tested) view.open = false;
    if (rules.length === 0) return;
    view.any = true;
    view.streams[code] = tested ? TESTED : VISIBLE;
    view.seesTime[code] = tested ? TESTED : rules[0]!.seesTime ? VISIBLE : HIDDEN;
    if (tested) view.rules[code] = rules;
    stream.fields.forEach((_, field) => {
      if (rules.some((rule) => rule.fields[field])) view.allowed[(code << shift) | field] = tested ? TESTED : VISIBLE;
      else view.open = false;
    });
  });
  const runs = view.any ? visibleRuns(segment, view.streams) : undefined;
  if (runs) view.runs = runs;
  addStatistics(view, summary);
  return view;
}

function ruleOf(row: SearchScopeRow, stream: SegmentStream, segment: SearchSegment): ViewRule {
  const sees = (name: string) => row.fields === null || row.fields.has(name);
  return {
    fields: Uint8Array.from(stream.fields, ({ name }) => (sees(name) ? 1 : 0)),
    seesTime: stream.timeField !== undefined && sees(stream.timeField),
    since: row.time?.since ?? Number.NEGATIVE_INFINITY,
    until: row.time?.until ?? Number.POSITIVE_INFINITY,
    timed: row.time !== undefined,
    ...(row.ids || row.versions ? documentsOf(segment, stream.streamNo, row) : {}),
  };
}

/** Looks up each id or tests each document, whichever is faster. */
function documentsOf(
  segment: SearchSegment,
  streamNo: number,
  { ids, versions: known }: SearchScopeRow,
): Required<Pick<ViewRule, "documents" | "isAhead">> {
  const documents = new Set<number>();
  let isAhead = false;
  const add = (document: number): void => {
    const version = segment.versions[document]!;
    if (known?.versions.has(version) ?? true) documents.add(document);
    else if (version > known!.through) isAhead = true;
  };
  if (ids === undefined || ids.size > segment.documents) {
    for (let document = 0; document < segment.documents; document++) {
      const mine = segment.streams[segment.streamOf[document]!]!.streamNo === streamNo;
      if (mine && (ids?.has(documentId(segment, document)) ?? true)) add(document);
    }
    return { documents, isAhead };
  }
  for (const id of ids) {
    const document = findDocument(segment, recordName(streamNo, id));
    if (document >= 0) add(document);
  }
  return { documents, isAhead };
}

/** Uses the segment's sums for whole streams, and counts document by document for the others. */
function addStatistics(view: SegmentView, summary: SegmentSummary): void {
  const { documents, shift, lengths, dead, streamOf } = view.segment;
  for (let slot = 0; slot < view.allowed.length; slot++) {
    if (view.allowed[slot] === VISIBLE) count(view, slot, summary.units[slot]!, summary.words[slot]!);
  }
  if (!view.streams.includes(TESTED)) return;
  const fields = 1 << shift;
  for (let document = 0; document < documents; document++) {
    if (view.streams[streamOf[document]!] !== TESTED || dead[document] !== 0) continue;
    for (let field = 0; field < fields; field++) {
      const code = lengths[(document << shift) | field]!;
      if (code === 0 || !unitVisible(view, document, field)) continue;
      count(view, (streamOf[document]! << shift) | field, 1, CODE_LENGTH[code]!);
    }
  }
}

/** `slot` is the index of the stream and field. */
function count(view: SegmentView, slot: number, units: number, words: number): void {
  view.units += units;
  view.words += words;
  if (!isTitle(view.weights[slot]!)) return;
  view.titles += units;
  view.titleWords += words;
}

/** Returns true if a field of a live document is visible. */
export function unitVisible(view: SegmentView, document: number, field: number): boolean {
  const { streamOf, shift } = view.segment;
  const stream = streamOf[document]!;
  const allowed = view.allowed[(stream << shift) | field]!;
  return allowed === TESTED ? admits(view, document, stream, (rule) => rule.fields[field] === 1) : allowed === VISIBLE;
}

/** Returns true if a live document is visible at all. */
export function documentVisible(view: SegmentView, document: number): boolean {
  const stream = view.segment.streamOf[document]!;
  const state = view.streams[stream]!;
  return state === TESTED ? admits(view, document, stream, () => true) : state === VISIBLE;
}

/** The authored time, or NaN if that field is not granted. */
export function visibleTime(view: SegmentView, document: number): number {
  const stream = view.segment.streamOf[document]!;
  const state = view.seesTime[stream]!;
  const sees = state === TESTED ? admits(view, document, stream, (rule) => rule.seesTime) : state === VISIBLE;
  return sees ? view.segment.times[document]! : Number.NaN;
}

function admits(view: SegmentView, document: number, stream: number, wanted: (rule: ViewRule) => boolean): boolean {
  const time = consentTimesOf(view.segment)[document]!;
  for (const rule of view.rules[stream]!) {
    if (rule.timed && !(time >= rule.since && time < rule.until)) continue;
    if (rule.documents && !rule.documents.has(document)) continue;
    if (wanted(rule)) return true;
  }
  return false;
}
