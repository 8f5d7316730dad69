// Splits a text into tokens: words as folded UTF-8 bytes with their hash, offsets and position, without creating
// strings.
import { ASCII_WORD, DROPPED, foldText, foldUnit, kindOf, SEPARATOR, SYMBOL, UNSPACED } from "./characters.ts";
import { SEARCH } from "./limits.ts";
import { eachWord } from "./unspaced.ts";

export interface Token {
  /** Valid only during the call, because the next token overwrites them. */
  bytes: Uint8Array;
  length: number;
  hash: number;
  /** The number of the word. A part of an identifier has the position of the whole identifier. */
  position: number;
  part: boolean;
  /** True if the word has letters beyond ASCII in the text. */
  wide: boolean;
  /** Offsets in the text, in UTF-16 units. */
  start: number;
  end: number;
}

/** Returns false to stop. */
type TokenSink = (token: Token) => boolean;

/** Words that cannot match are only counted, so a long text is read several times faster. */
export interface TokenFilter {
  /** For each byte, 1 if a wanted word begins with it. Words with letters beyond ASCII are not filtered. */
  firsts: Uint8Array;
  /** Where to stop, in UTF-16 units; it can be lowered while tokens are read. */
  end: number;
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
/** An initial capital, which is common in ordinary words. */
const FIRST = 8;
const SHAPE = Uint8Array.from({ length: 128 }, (_, code) => (code < 58 ? DIGIT : code < 91 ? UPPER : LOWER));
/** The combinations of shapes that make a word an identifier, as bits. */
const MIXED =
  0xffff &
  ~[0, LOWER, UPPER, DIGIT, FIRST, FIRST | LOWER, FIRST | UPPER].reduce((bits, shapes) => bits | (1 << shapes), 0);

/**
 * The basis for term hashes. It differs in each process, so that nobody can craft a message whose words all collide. No
 * order and no result depends on it.
 */
const BASIS = crypto.getRandomValues(new Int32Array(1))[0]!;

const encoder = new TextEncoder();

/**
 * Words are runs of letters and digits; scripts without spaces are split with a dictionary. An address or identifier is
 * a sequence of words, and is found as typed because a query for it becomes a phrase. `parseInstant2` is one word, and
 * so are `parse` and `instant`.
 */
export function tokenise(text: string, sink: TokenSink, only?: TokenFilter): void {
  const bytes = spare ?? new Uint8Array(SEARCH.termBytes + 4);
  spare = undefined;
  eachToken(text, { bytes, length: 0, hash: 0, position: 0, part: false, wide: false, start: 0, end: 0 }, sink, only);
  spare = bytes;
}

/** A buffer for the bytes of a token, reused from one text to the next. A nested tokeniser allocates its own. */
let spare: Uint8Array | undefined;

function eachToken(text: string, token: Token, sink: TokenSink, only: TokenFilter | undefined): void {
  const size = text.length;
  const bytes = token.bytes;
  let at = 0;
  while (at < size) {
    let code = text.charCodeAt(at);
    let byte = code < 128 ? ASCII_WORD[code]! : 0;
    if (byte === 0) {
      if (code < 128) at++;
      else {
        at = wideRun(text, at, token, sink);
        if (at < 0) return;
      }
      continue;
    }
    if (only !== undefined && only.firsts[byte] === 0) {
      const end = plainWordEnd(text, at);
      if (end > 0) {
        if (end >= only.end) return;
        at = end;
        token.position++;
        continue;
      }
    }
    const start = at;
    const cut = Math.min(size, start + SEARCH.termBytes);
    let hash = BASIS;
    let shapes = code > 64 && code < 91 ? FIRST : SHAPE[code]!;
    for (;;) {
      bytes[at - start] = byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
      if (++at === cut) break;
      code = text.charCodeAt(at);
      if (code > 127) break;
      byte = ASCII_WORD[code]!;
      if (byte === 0) break;
      shapes |= SHAPE[code]!;
    }
    const length = at - start;
    // Bytes beyond the length limit belong to the word, but are ignored.
    while (at < size && text.charCodeAt(at) < 128 && ASCII_WORD[text.charCodeAt(at)] !== 0) at++;
    if (at < size && text.charCodeAt(at) > 127 && kindOf(text, at) !== SEPARATOR) {
      at = wideRun(text, start, token, sink);
      if (at < 0) return;
      continue;
    }
    token.length = length;
    token.hash = hash;
    token.part = token.wide = false;
    token.start = start;
    token.end = at;
    if (!sink(token)) return;
    if ((MIXED >> shapes) & 1 && !identifierParts(text, token, sink)) return;
    token.position++;
  }
}

/** Returns the end of the word that starts here, or 0 if it has letters beyond ASCII or parts that may be wanted. */
function plainWordEnd(text: string, start: number): number {
  let code = text.charCodeAt(start);
  let shapes = code > 64 && code < 91 ? FIRST : SHAPE[code]!;
  let at = start + 1;
  for (; at < text.length; at++) {
    code = text.charCodeAt(at);
    if (code > 127 || ASCII_WORD[code] === 0) break;
    shapes |= SHAPE[code]!;
  }
  if ((MIXED >> shapes) & 1) return 0;
  return at < text.length && code > 127 && kindOf(text, at) !== SEPARATOR ? 0 : at;
}

/** Handles a run with letters beyond ASCII. Returns where to continue, or -1 to stop. */
function wideRun(text: string, from: number, token: Token, sink: TokenSink): number {
  const kind = kindOf(text, from);
  if (kind === SEPARATOR || kind === DROPPED) return from + width(text, from);
  if (kind === SYMBOL) return emit(text, from, from + width(text, from), token, sink) ? from + width(text, from) : -1;
  let at = from;
  while (at < text.length && continues(kind, kindOf(text, at))) at += width(text, at);
  const goOn =
    kind === UNSPACED
      ? eachWord(text.slice(from, at), (start, end) => emit(text, from + start, from + end, token, sink))
      : emit(text, from, at, token, sink);
  return goOn ? at : -1;
}

function continues(run: number, kind: number): boolean {
  return kind === run || kind === DROPPED;
}

function width(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}

function emit(text: string, start: number, end: number, token: Token, sink: TokenSink): boolean {
  token.length = foldInto(text, start, end, token.bytes);
  if (token.length === 0) return true;
  token.hash = hashBytes(token.bytes, token.length);
  token.start = start;
  token.end = end;
  token.part = false;
  token.wide = true;
  const goOn = sink(token);
  token.position++;
  return goOn;
}

/**
 * Folds letter by letter if that has the same result as folding the whole word; returns the number of bytes written.
 */
function foldInto(text: string, start: number, end: number, bytes: Uint8Array): number {
  let length = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > 127 && kindOf(text, at) === DROPPED) continue;
    const unit = code < 128 ? ASCII_WORD[code]! : foldUnit(code);
    if (unit === 0) return encodeTerm(foldText(text.slice(start, end)), bytes);
    if (length + 3 > SEARCH.termBytes) return encodeTerm(foldText(text.slice(start, end)), bytes);
    if (unit < 0x80) bytes[length++] = unit;
    else if (unit < 0x800) {
      bytes[length++] = 0xc0 | (unit >> 6);
      bytes[length++] = 0x80 | (unit & 63);
    } else {
      bytes[length++] = 0xe0 | (unit >> 12);
      bytes[length++] = 0x80 | ((unit >> 6) & 63);
      bytes[length++] = 0x80 | (unit & 63);
    }
  }
  return length;
}

/** Writes as many whole characters as fit into a term. */
function encodeTerm(term: string, bytes: Uint8Array): number {
  return encoder.encodeInto(term, bytes.subarray(0, SEARCH.termBytes)).written;
}

/** FNV-1a. */
export function hashBytes(bytes: Uint8Array, length: number, basis = BASIS): number {
  let hash = basis;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash;
}

/** `HTTPServer2` can also be found as `http` and `server`; single letters and digits are skipped. */
function identifierParts(text: string, whole: Token, sink: TokenSink): boolean {
  const { start, end, length } = whole;
  if (end - start > length) return true;
  const cuts = [start];
  for (let at = start + 1; at < end; at++) {
    const before = SHAPE[text.charCodeAt(at - 1)];
    const here = SHAPE[text.charCodeAt(at)];
    const after = at + 1 < end ? SHAPE[text.charCodeAt(at + 1)] : 0;
    const capital = here === UPPER && (before === LOWER || (before === UPPER && after === LOWER));
    if (capital || (here === DIGIT) !== (before === DIGIT)) cuts.push(at);
  }
  if (cuts.length > SEARCH.parts) return true;
  cuts.push(end);
  const part: Token = { ...whole, part: true };
  for (let cut = 0; cut + 1 < cuts.length; cut++) {
    part.start = cuts[cut]!;
    part.end = cuts[cut + 1]!;
    part.length = part.end - part.start;
    if (part.length < 2) continue;
    part.bytes = whole.bytes.subarray(part.start - start, part.end - start);
    part.hash = hashBytes(part.bytes, part.length);
    if (!sink(part)) return false;
  }
  return true;
}
