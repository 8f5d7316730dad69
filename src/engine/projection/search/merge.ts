// Merges several segments into one. Live documents stay in order. Postings and positions are copied, so the texts are
// not needed.
import { compareBytes } from "./byte-pool.ts";
import { END } from "./cursor.ts";
import { nameHash } from "./document-ids.ts";
import { DocumentWriter } from "./document-writer.ts";
import { PostingWriter } from "./posting-writer.ts";
import { type SegmentView, wholeView } from "./scope.ts";
import type { SearchSegment } from "./segment.ts";
import { StemWriter } from "./stem-writer.ts";
import { TermCursor } from "./term-cursor.ts";

interface Source {
  view: SegmentView;
  /** New document numbers. */
  moved: Uint32Array;
  /** The next term to merge. */
  term: number;
  /** Each term's new number plus one, or 0 if the term was dropped. */
  numbers: Uint32Array;
}

export function mergeSegments(segments: readonly SearchSegment[]): SearchSegment {
  const documents = new DocumentWriter();
  const sources = segments.map((segment) => takeDocuments(segment, documents));
  const postings = new PostingWriter();
  for (let first = lowest(sources); first; first = lowest(sources)) {
    const { termPool, termOffsets } = first.view.segment;
    const from = termOffsets[first.term]!;
    const to = termOffsets[first.term + 1]!;
    for (const source of sources) {
      if (!standsAt(source, termPool, from, to)) continue;
      const cursor = new TermCursor(source.view, source.term);
      for (; cursor.document !== END; cursor.next()) {
        postings.entry(source.moved[cursor.document]!, cursor.field, cursor.frequency);
        cursor.copyPositions(postings);
      }
      source.numbers[source.term] = postings.pending ? postings.terms + 1 : 0;
      source.term++;
    }
    postings.endTerm(termPool, from, to);
  }
  return { ...documents.finish(), ...postings.finish(), ...mergeStems(sources) };
}

function mergeStems(sources: readonly Source[]) {
  const stems = new StemWriter();
  for (const { view, numbers } of sources) {
    const { stemHashes, stemTerms } = view.segment;
    stemHashes.forEach((hash, at) => {
      const number = numbers[stemTerms[at]!]!;
      if (number > 0) stems.add(hash, number - 1);
    });
  }
  return stems.finish();
}

function takeDocuments(segment: SearchSegment, documents: DocumentWriter): Source {
  const codes = new Map<number, number>();
  const moved = new Uint32Array(segment.documents);
  const fields = 1 << segment.shift;
  for (let document = 0; document < segment.documents; document++) {
    if (segment.dead[document] !== 0) continue;
    const stream = segment.streamOf[document]!;
    if (!codes.has(stream)) codes.set(stream, documents.streamCode(segment.streams[stream]!));
    const id = segment.idPool.subarray(segment.idOffsets[document]!, segment.idOffsets[document + 1]!);
    moved[document] = documents.add({
      stream: codes.get(stream)!,
      version: segment.versions[document]!,
      time: segment.times[document]!,
      consentTime: segment.consentTimes.length > 0 ? segment.consentTimes[document]! : segment.times[document]!,
      id,
      hash: nameHash(segment.streams[stream]!.streamNo, id),
    });
    for (let field = 0; field < fields; field++) {
      const slot = (document << segment.shift) | field;
      const length = segment.lengths[slot]!;
      if (length === 0) continue;
      documents.unit(field, {
        length,
        language: segment.languages[slot]!,
        fingerprint: segment.fingerprints[slot]!,
      });
    }
  }
  const numbers = new Uint32Array(segment.termOffsets.length);
  return { view: wholeView(segment), moved, term: 0, numbers };
}

/** The source with the smallest next term. */
function lowest(sources: readonly Source[]): Source | undefined {
  let first: Source | undefined;
  for (const source of sources) {
    const { termPool, termOffsets } = source.view.segment;
    if (source.term === termOffsets.length - 1) continue;
    const best = first?.view.segment;
    const isFirst =
      best === undefined ||
      compareBytes(
        termPool,
        termOffsets[source.term]!,
        termOffsets[source.term + 1]!,
        best.termPool,
        best.termOffsets[first!.term]!,
        best.termOffsets[first!.term + 1]!,
      ) < 0;
    if (isFirst) first = source;
  }
  return first;
}

function standsAt(source: Source, pool: Uint8Array, from: number, to: number): boolean {
  const { termPool, termOffsets } = source.view.segment;
  if (source.term === termOffsets.length - 1) return false;
  return compareBytes(termPool, termOffsets[source.term]!, termOffsets[source.term + 1]!, pool, from, to) === 0;
}
