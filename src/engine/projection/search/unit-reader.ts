// Index data about a text besides its words: its language, and a fingerprint that identifies equal texts.
import { LanguageVotes, votesOf } from "../../../core/search/language-votes.ts";
import { hashBytes, type Token } from "../../../core/search/tokenise.ts";
import { GrowingNumbers } from "./growing.ts";

/** Fingerprints are stored, so the basis must be the same everywhere. */
const BASIS = 0x811c9dc5;

export class UnitReader {
  /** For each term, its part of a fingerprint, and the languages it indicates. */
  private hashes = new GrowingNumbers();
  private stops = new GrowingNumbers();
  private endings = new GrowingNumbers();
  private votes = new LanguageVotes();
  private fingerprint = BASIS;

  /** Adds the text's next token and its term number. Tokens must be passed in order. */
  token(term: number, token: Token, text: string): void {
    if (term === this.hashes.length) this.meet(token);
    if (token.part) return;
    this.fingerprint = Math.imul(this.fingerprint ^ this.hashes.values[term]!, 0x01000193);
    if (this.votes.full) return;
    this.votes.word(this.stops.values[term]!, this.endings.values[term]!);
    if (token.wide) this.votes.letters(text, token.start, token.end);
  }

  /** Ends the text. The next token starts another. */
  end(): { language: number; fingerprint: number } {
    const language = this.votes.best();
    const { fingerprint } = this;
    this.fingerprint = BASIS;
    return { language, fingerprint: fingerprint >>> 0 };
  }

  /** Records the next new term. */
  private meet(token: Token): void {
    const { stops, endings } = votesOf(token);
    this.hashes.push(hashBytes(token.bytes, token.length, BASIS));
    this.stops.push(stops);
    this.endings.push(endings);
  }
}
