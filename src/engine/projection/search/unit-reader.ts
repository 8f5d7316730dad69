// What the index notes of a text beside its words: the language, the stems of its words in that language, and a
// fingerprint by which equal texts are known.
import { LanguageVotes, votesOf } from "../../../core/search/language-votes.ts";
import { stemHash, stemOf } from "../../../core/search/stems.ts";
import { hashBytes, type Token } from "../../../core/search/tokenise.ts";
import { GrowingNumbers } from "./growing.ts";
import { StemWriter } from "./stem-writer.ts";
import type { TermTable } from "./term-table.ts";

/** Fingerprints are persisted, so they begin the same everywhere. */
const BASIS = 0x811c9dc5;
const decoder = new TextDecoder();

export class UnitReader {
  readonly stems = new StemWriter();
  private terms: TermTable;
  /** By term: its part of a fingerprint, and the languages it speaks for. */
  private hashes = new GrowingNumbers();
  private stops = new GrowingNumbers();
  private endings = new GrowingNumbers();
  /** By term, the languages in which its stem is noted, as bits. */
  private stemmed = new GrowingNumbers();
  private votes = new LanguageVotes();
  private fingerprint = BASIS;

  constructor(terms: TermTable) {
    this.terms = terms;
  }

  /** The next token of the text, in order, and the number of its term. */
  token(term: number, token: Token, text: string): void {
    if (term === this.hashes.length) this.meet(term);
    if (token.part) return;
    this.fingerprint = Math.imul(this.fingerprint ^ this.hashes.values[term]!, 0x01000193);
    if (this.votes.full) return;
    this.votes.word(this.stops.values[term]!, this.endings.values[term]!);
    if (token.wide) this.votes.letters(text, token.start, token.end);
  }

  /** Ends the text and begins the next. */
  end(): { language: number; fingerprint: number } {
    const language = this.votes.best();
    const { fingerprint } = this;
    this.fingerprint = BASIS;
    return { language, fingerprint: fingerprint >>> 0 };
  }

  /** Notes the stem of a term that stands in a text of this language. */
  stem(term: number, language: number): void {
    const bit = 1 << language;
    if ((this.stemmed.values[term]! & bit) !== 0) return;
    this.stemmed.values[term]! |= bit;
    const word = this.spelling(term);
    const stem = stemOf(language, word);
    // A term that is its own stem is found by it.
    if (stem !== undefined && stem !== word) this.stems.add(stemHash(language, stem), term);
  }

  private meet(term: number): void {
    const word = this.spelling(term);
    const { stops, endings } = votesOf(word);
    const from = this.terms.offsets.values[term]!;
    const bytes = this.terms.pool.bytes.subarray(from, this.terms.end(term));
    this.hashes.push(hashBytes(bytes, bytes.length, BASIS));
    this.stops.push(stops);
    this.endings.push(endings);
    this.stemmed.push(0);
  }

  private spelling(term: number): string {
    return decoder.decode(this.terms.pool.bytes.subarray(this.terms.offsets.values[term]!, this.terms.end(term)));
  }
}
