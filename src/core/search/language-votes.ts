// Detects the language of a text from its stop words, letters and endings: cheaply, and from this text alone.
import { foldText } from "./characters.ts";
import { ENGLISH, LANGUAGES, WIDESPREAD } from "./languages.ts";
import { hashBytes, type Token } from "./tokenise.ts";

/** How many words of a text vote; more would only confirm the result. */
const VOTERS = 64;
/** Fewer than one vote per this many words is a coincidence, because real texts are full of stop words. */
const WORDS_A_VOTE = 5;
const STOP_VOTES = 3;
const HINT_VOTES = 2;
const SCRIPT_VOTES = 4;

/** The languages that a word is typical of, as bits. */
interface WordVotes {
  stops: number;
  endings: number;
}

let stopWords: Map<string, number> | undefined;

/** Returns the languages in which a folded word is a stop word, as bits. */
export function stopLanguages(term: string): number {
  stopWords ??= readStopWords();
  return stopWords.get(term) ?? 0;
}

function readStopWords(): Map<string, number> {
  const words = new Map<string, number>();
  LANGUAGES.forEach((language, code) => {
    // Search treats `I'm` as two words.
    for (const word of language?.stops.flatMap((stop) => stop.split(/['’ ]/)) ?? []) {
      const term = foldText(word);
      if (term !== "") words.set(term, (words.get(term) ?? 0) | (1 << code));
    }
  });
  return words;
}

const encoder = new TextEncoder();

interface StopWord {
  bytes: Uint8Array;
  languages: number;
}

/** Stop words by token hash, so that a lookup does not create a string. */
let stopsByHash: Map<number, StopWord[]> | undefined;

function hashStopWords(): Map<number, StopWord[]> {
  stopWords ??= readStopWords();
  const stops = [...stopWords].map(([term, languages]) => ({ bytes: encoder.encode(term), languages }));
  return Map.groupBy(stops, ({ bytes }) => hashBytes(bytes, bytes.length));
}

/** Endings by their last two bytes, because most words have none of these endings. */
const ENDINGS = Map.groupBy(
  LANGUAGES.flatMap((language, code) => {
    const { after, of } = language?.endings ?? { after: 0, of: [] };
    return of.map((ending) => ({ code, bytes: encoder.encode(ending), least: after + ending.length }));
  }),
  ({ bytes }) => tailOf(bytes, bytes.length),
);

function tailOf(bytes: Uint8Array, length: number): number {
  return length < 2 ? -1 : (bytes[length - 2]! << 8) | bytes[length - 1]!;
}

type Word = Pick<Token, "bytes" | "length" | "hash">;

export function votesOf({ bytes, length, hash }: Word): WordVotes {
  stopsByHash ??= hashStopWords();
  const stop = stopsByHash.get(hash)?.find((one) => one.bytes.length === length && endsWith(bytes, length, one.bytes));
  let languages = 0;
  for (const ending of ENDINGS.get(tailOf(bytes, length)) ?? [])
    if (length >= ending.least && endsWith(bytes, length, ending.bytes)) languages |= 1 << ending.code;
  return { stops: stop?.languages ?? 0, endings: languages };
}

/** Returns the votes of a folded word that is given as text. */
export function votesOfTerm(term: string): WordVotes {
  const bytes = encoder.encode(term);
  return votesOf({ bytes, length: bytes.length, hash: hashBytes(bytes, bytes.length) });
}

function endsWith(bytes: Uint8Array, length: number, ending: Uint8Array): boolean {
  for (let at = 1; at <= ending.length; at++) if (bytes[length - at] !== ending[ending.length - at]) return false;
  return true;
}

interface LetterVotes {
  letters: number;
  script: number;
}

const letterVotes = new Map<number, LetterVotes>();

/** Returns, as bits, the languages in which a non-ASCII letter and its script are typical. */
function votesOfLetter(code: number): LetterVotes {
  const seen = letterVotes.get(code);
  if (seen !== undefined) return seen;
  const letter = String.fromCharCode(code).toLowerCase();
  const votes = { letters: 0, script: 0 };
  LANGUAGES.forEach((language, number) => {
    if (language?.letters?.includes(letter)) votes.letters |= 1 << number;
    if (language?.script?.test(letter)) votes.script |= 1 << number;
  });
  letterVotes.set(code, votes);
  return votes;
}

/** Collects the votes of the words in a text. An instance can be reused, because `best` starts a new count. */
export class LanguageVotes {
  private votes = new Int32Array(LANGUAGES.length);
  private voters = 0;
  private isSilent = true;

  get full(): boolean {
    return this.voters >= VOTERS;
  }

  word(stops: number, endings: number): void {
    this.voters++;
    if (stops !== 0) this.add(stops, STOP_VOTES);
    if (endings !== 0) this.add(endings, HINT_VOTES);
  }

  /** Adds the votes of the letters beyond ASCII in a word. */
  letters(text: string, start: number, end: number): void {
    let letters = 0;
    let scripts = 0;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code < 128) continue;
      const votes = votesOfLetter(code);
      letters |= votes.letters;
      scripts |= votes.script;
    }
    this.add(letters, HINT_VOTES);
    this.add(scripts, SCRIPT_VOTES);
  }

  /**
   * Returns English if nothing indicates another language. For less widespread languages, one stop word is not enough.
   */
  best(): number {
    const least = this.voters / WORDS_A_VOTE;
    this.voters = 0;
    let best = ENGLISH;
    if (this.isSilent) return best;
    for (let code = 0; code < this.votes.length; code++) {
      const votes = this.votes[code]!;
      if (votes > this.votes[best]! && votes >= least && (code <= WIDESPREAD || votes > STOP_VOTES)) best = code;
    }
    this.votes.fill(0);
    this.isSilent = true;
    return best;
  }

  /**
   * Returns the languages with the most votes, as bits, or English if no language has more votes than one stop word
   * gives.
   */
  leaders(): number {
    const most = Math.max(...this.votes);
    if (most <= STOP_VOTES) return 1 << ENGLISH;
    return this.votes.reduce((leaders, votes, code) => (votes === most ? leaders | (1 << code) : leaders), 0);
  }

  private add(languages: number, votes: number): void {
    this.isSilent = false;
    for (let rest = languages; rest !== 0; rest &= rest - 1) this.votes[31 - Math.clz32(rest & -rest)]! += votes;
  }
}
