// Collects a segment's documents: new ones, and those from older segments.
import { BytePool, compareBytes } from "./byte-pool.ts";
import { hashOrder, type RecordName } from "./document-ids.ts";
import { GrowingNumbers } from "./growing.ts";
import { INDEX } from "./limits.ts";
import type { SegmentStream } from "./segment.ts";

/** One text of a document. */
interface NewUnit {
  length: number;
  language: number;
  fingerprint: number;
}

interface NewDocument {
  stream: number;
  version: number;
  time: number;
  consentTime: number;
  id: Uint8Array;
  /** The hash of the stream and the id. */
  hash: number;
}

export class DocumentWriter {
  readonly streams: SegmentStream[] = [];
  private codes = new Map<string, number>();
  private streamOf = new GrowingNumbers();
  private versions: number[] = [];
  private times: number[] = [];
  private consentTimes: number[] = [];
  private timesDiffer = false;
  private idOffsets = new GrowingNumbers();
  private idPool = new BytePool();
  private hashes = new GrowingNumbers();
  private units = new GrowingNumbers();
  private unitLengths = new GrowingNumbers();
  private unitLanguages = new GrowingNumbers();
  private unitFingerprints = new GrowingNumbers();
  private fieldsMost = 1;

  constructor() {
    this.idOffsets.push(0);
  }

  get documents(): number {
    return this.versions.length;
  }

  get shift(): number {
    return this.fieldsMost === 1 ? 0 : 32 - Math.clz32(this.fieldsMost - 1);
  }

  get full(): boolean {
    return this.documents >= INDEX.segmentDocuments || this.documents << this.shift >= INDEX.builderSlots;
  }

  /**
   * A stream's code in this segment. The stream's JSON identifies it, because a stream that is indexed again has
   * another shape.
   */
  streamCode(stream: SegmentStream): number {
    const key = JSON.stringify(stream);
    const known = this.codes.get(key);
    if (known !== undefined) return known;
    this.codes.set(key, this.streams.length);
    this.fieldsMost = Math.max(this.fieldsMost, stream.fields.length);
    return this.streams.push(stream) - 1;
  }

  add(document: NewDocument): number {
    this.streamOf.push(document.stream);
    this.versions.push(document.version);
    this.times.push(document.time);
    this.consentTimes.push(document.consentTime);
    if (!Object.is(document.time, document.consentTime)) this.timesDiffer = true;
    this.idPool.append(document.id, 0, document.id.length);
    this.idOffsets.push(this.idPool.length);
    this.hashes.push(document.hash);
    return this.versions.length - 1;
  }

  hashOf(document: number): number {
    return this.hashes.values[document]!;
  }

  isOf(document: number, { streamNo, bytes }: RecordName): boolean {
    if (this.streams[this.streamOf.values[document]!]!.streamNo !== streamNo) return false;
    const offsets = this.idOffsets.values;
    return compareBytes(this.idPool.bytes, offsets[document]!, offsets[document + 1]!, bytes, 0, bytes.length) === 0;
  }

  /** Adds a field of the newest document. Fields without text have no unit. */
  unit(field: number, { length, language, fingerprint }: NewUnit): void {
    this.units.push(((this.versions.length - 1) << 12) | field);
    this.unitLengths.push(length);
    this.unitLanguages.push(language);
    this.unitFingerprints.push(fingerprint);
  }

  finish() {
    const { shift } = this;
    const lengths = new Uint8Array(this.documents << shift);
    const languages = new Uint8Array(this.documents << shift);
    const fingerprints = new Uint32Array(this.documents << shift);
    for (let at = 0; at < this.units.length; at++) {
      const unit = this.units.values[at]!;
      const slot = ((unit >>> 12) << shift) | (unit & 0xfff);
      lengths[slot] = this.unitLengths.values[at]!;
      languages[slot] = this.unitLanguages.values[at]!;
      fingerprints[slot] = this.unitFingerprints.values[at]!;
    }
    return {
      documents: this.documents,
      shift,
      streams: this.streams,
      streamOf: Uint16Array.from(this.streamOf.trimmed()),
      versions: Float64Array.from(this.versions),
      times: Float64Array.from(this.times),
      consentTimes: this.timesDiffer ? Float64Array.from(this.consentTimes) : new Float64Array(0),
      idOffsets: this.idOffsets.trimmed(),
      idPool: this.idPool.trimmed(),
      ...hashOrder(this.hashes.trimmed()),
      lengths,
      languages,
      fingerprints,
      dead: new Uint8Array(this.documents),
      live: this.documents,
    };
  }
}
