// Builds a segment: tokenises documents and, when sealed, sorts their content by term.

import type { JsonObject } from "../../../contract/record.ts";
import { recordText } from "../../../core/search/field-text.ts";
import { tokenise } from "../../../core/search/tokenise.ts";
import type { RecordName } from "./document-ids.ts";
import { DocumentWriter } from "./document-writer.ts";
import { GrowingNumbers } from "./growing.ts";
import { lengthCode } from "./lengths.ts";
import { INDEX } from "./limits.ts";
import { PostingWriter } from "./posting-writer.ts";
import type { SearchSegment } from "./segment.ts";
import { StemWriter } from "./stem-writer.ts";
import { termsInOrder } from "./term-order.ts";
import { TermTable } from "./term-table.ts";
import type { SearchShape } from "./types.ts";
import { UnitReader } from "./unit-reader.ts";

/** Marks a token at the same position as the one before it. */
const PART = 0x80000000;

interface BuilderRow {
  name: RecordName;
  version: number;
  shape: SearchShape;
  data: JsonObject;
  time: number;
  consentTime: number;
}

export class SegmentBuilder {
  private writer = new DocumentWriter();
  private terms = new TermTable();
  private reader = new UnitReader();
  /** The term numbers of all texts, one after another. */
  private tokens = new GrowingNumbers(1 << 12);
  private unitDocument = new GrowingNumbers();
  private unitField = new GrowingNumbers();
  private unitStart = new GrowingNumbers();
  private unitLanguage = new GrowingNumbers();
  /** Documents by the hash of their record. Built when the first one is replaced, so a first import never needs it. */
  private byHash = new Map<number, number[]>();
  private hashed = 0;
  private replaced = new Set<number>();
  private codes = new Map<number, { shape: SearchShape; code: number }>();

  get documents(): number {
    return this.writer.documents;
  }

  get full(): boolean {
    return this.writer.full || this.tokens.length >= INDEX.builderTokens;
  }

  /** The record must not be in this segment yet, so call `remove` first. */
  add(row: BuilderRow): void {
    const { name } = row;
    const { fields } = row.shape;
    const stream = this.streamCode(name.streamNo, row.shape);
    const document = this.writer.add({
      stream,
      version: row.version,
      time: row.time,
      consentTime: row.consentTime,
      id: name.bytes,
      hash: name.hash,
    });
    for (let field = 0; field < fields.length; field++) {
      const text = recordText(row.data, fields[field]!);
      if (text !== undefined) this.addText(document, field, text);
    }
  }

  private streamCode(streamNo: number, shape: SearchShape): number {
    const known = this.codes.get(streamNo);
    if (known?.shape === shape) return known.code;
    const fields = shape.fields.map(({ name, weight }) => ({ name, weight }));
    const { timeField } = shape;
    const code = this.writer.streamCode({ streamNo, fields, ...(timeField === undefined ? {} : { timeField }) });
    this.codes.set(streamNo, { shape, code });
    return code;
  }

  private addText(document: number, field: number, text: string): void {
    const { tokens, terms, reader } = this;
    const start = tokens.length;
    let words = 0;
    tokenise(text, (token) => {
      const term = terms.intern(token.bytes, token.length, token.hash);
      reader.token(term, token, text);
      tokens.push(token.part ? (term | PART) >>> 0 : term);
      if (!token.part) words++;
      return true;
    });
    const { language, fingerprint } = reader.end();
    if (words === 0) return;
    this.writer.unit(field, { length: lengthCode(words), language, fingerprint });
    this.unitDocument.push(document);
    this.unitField.push(field);
    this.unitStart.push(start);
    this.unitLanguage.push(language);
  }

  /** Marks the record's document as replaced, if there is one. */
  remove(name: RecordName): boolean {
    for (; this.hashed < this.documents; this.hashed++) {
      const hash = this.writer.hashOf(this.hashed);
      const known = this.byHash.get(hash);
      if (known) known.push(this.hashed);
      else this.byHash.set(hash, [this.hashed]);
    }
    for (const document of this.byHash.get(name.hash) ?? []) {
      if (this.replaced.has(document) || !this.writer.isOf(document, name)) continue;
      this.replaced.add(document);
      return true;
    }
    return false;
  }

  seal(): SearchSegment {
    const segment: SearchSegment = { ...this.writer.finish(), ...this.sealPostings() };
    for (const document of this.replaced) segment.dead[document] = 1;
    segment.live -= this.replaced.size;
    return segment;
  }

  /** A counting sort by term. Within a term, texts and positions stay in order. */
  private sealPostings() {
    const tokens = this.tokens.values;
    const starts = new Uint32Array(this.terms.size + 1);
    for (let at = 0; at < this.tokens.length; at++) starts[(tokens[at]! & ~PART) + 1]!++;
    for (let term = 0; term < this.terms.size; term++) starts[term + 1]! += starts[term]!;
    const next = starts.slice();
    // Unit and position are stored together, so there is one cache miss per token instead of two.
    const places = new Uint32Array(this.tokens.length * 2);
    for (let unit = 0; unit < this.unitStart.length; unit++) {
      const end = unit + 1 < this.unitStart.length ? this.unitStart.values[unit + 1]! : this.tokens.length;
      let position = -1;
      for (let at = this.unitStart.values[unit]!; at < end; at++) {
        const token = tokens[at]!;
        if (token < PART) position++;
        const slot = next[token & ~PART]!++ << 1;
        places[slot] = unit;
        places[slot + 1] = position;
      }
    }
    const writer = new PostingWriter();
    const stems = new StemWriter();
    const pool = this.terms.pool.bytes;
    const spellings = Buffer.from(pool.buffer, pool.byteOffset, pool.byteLength);
    const offsets = this.terms.offsets.values;
    const order = termsInOrder(this.terms);
    for (const term of order) {
      const end = starts[term + 1]! << 1;
      let languages = 0;
      for (let at = starts[term]! << 1; at < end; ) {
        const unit = places[at]!;
        let to = at + 2;
        while (to < end && places[to] === unit) to += 2;
        languages |= 1 << this.unitLanguage.values[unit]!;
        writer.entry(this.unitDocument.values[unit]!, this.unitField.values[unit]!, (to - at) >> 1);
        for (; at < to; at += 2) writer.addPosition(places[at + 1]!);
      }
      const from = offsets[term]!;
      const to = this.terms.end(term);
      stems.addForms(writer.terms, spellings.toString("utf8", from, to), languages);
      writer.endTerm(pool, from, to);
    }
    return { ...writer.finish(), ...stems.finish() };
  }
}
