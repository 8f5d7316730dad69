// Sums over a segment's live documents by (stream, field), and time spans by stream. They are cached, so a Scope of
// whole streams costs nothing per document.
import { CODE_LENGTH } from "./lengths.ts";
import type { SearchSegment } from "./segment.ts";

export interface SegmentSummary {
  /** The number of live documents when this was created. */
  live: number;
  /** The number of texts and words, indexed by `stream << shift | field`. */
  units: Float64Array;
  words: Float64Array;
  /** For each stream, the range of consent times, including dead documents, and whether every document has one. */
  spans: { first: number; last: number; all: boolean }[];
}

const summaries = new WeakMap<SearchSegment, SegmentSummary>();

export function summaryOf(segment: SearchSegment): SegmentSummary {
  const known = summaries.get(segment);
  if (known?.live === segment.live) return known;
  const summary = summarise(segment);
  summaries.set(segment, summary);
  return summary;
}

/** Marks a document as dead and updates the sums, so that an update needs no pass over the segment. */
export function killDocument(segment: SearchSegment, document: number): void {
  const { shift, lengths, streamOf } = segment;
  const summary = summaries.get(segment);
  segment.dead[document] = 1;
  segment.live--;
  if (summary?.live !== segment.live + 1) return;
  summary.live--;
  for (let field = 0; field < 1 << shift; field++) {
    const code = lengths[(document << shift) | field]!;
    if (code === 0) continue;
    summary.units[(streamOf[document]! << shift) | field]!--;
    summary.words[(streamOf[document]! << shift) | field]! -= CODE_LENGTH[code]!;
  }
}

const languageSets = new WeakMap<SearchSegment, number>();

/** The languages of a segment's texts, as bits. */
export function languagesIn(segment: SearchSegment): number {
  const known = languageSets.get(segment);
  if (known !== undefined) return known;
  let languages = 0;
  for (let unit = 0; unit < segment.languages.length; unit++)
    if (segment.lengths[unit] !== 0) languages |= 1 << segment.languages[unit]!;
  languageSets.set(segment, languages);
  return languages;
}

export function consentTimesOf(segment: SearchSegment): Float64Array {
  return segment.consentTimes.length > 0 ? segment.consentTimes : segment.times;
}

function summarise(segment: SearchSegment): SegmentSummary {
  const { documents, shift, lengths, dead, streamOf, streams, live } = segment;
  const times = consentTimesOf(segment);
  const units = new Float64Array(streams.length << shift);
  const words = new Float64Array(streams.length << shift);
  const spans = streams.map(() => ({ first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY, all: true }));
  const fields = 1 << shift;
  for (let document = 0; document < documents; document++) {
    const stream = streamOf[document]!;
    const span = spans[stream]!;
    const time = times[document]!;
    if (time < span.first) span.first = time;
    if (time > span.last) span.last = time;
    if (Number.isNaN(time)) span.all = false;
    if (dead[document] !== 0) continue;
    for (let field = 0; field < fields; field++) {
      const code = lengths[(document << shift) | field]!;
      if (code === 0) continue;
      units[(stream << shift) | field]!++;
      words[(stream << shift) | field]! += CODE_LENGTH[code]!;
    }
  }
  return { live, units, words, spans };
}
