// Cuts a text into tokens: words as folded UTF-8 bytes with their hash, place and position, without making strings.
import { ASCII_WORD, DROPPED, foldText, foldUnit, kindOf, SEPARATOR, SYMBOL, UNSPACED } from "./characters.ts";
import { SEARCH } from "./limits.ts";
import { eachWord } from "./unspaced.ts";

export interface Token {
  /** Valid during the call only: the next token overwrites them. */
  bytes: Uint8Array;
  length: number;
  hash: number;
  /** Words are numbered; a part of an identifier has the position of its whole. */
  position: number;
  part: boolean;
  /** Place in the text, in UTF-16 units. */
  start: number;
  end: number;
}

/** Returns false to stop. */
export type TokenSink = (token: Token) => boolean;

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

const encoder = new TextEncoder();

/**
 * Words are runs of letters and digits; scripts without spaces are cut by dictionary. An address or identifier is a row
 * of words, found as typed because a query for it is a phrase; `parseInstant2` is one word, and `parse`, `instant` too.
 */
export function tokenise(text: string, sink: TokenSink): void {
  const token: Token = { bytes: new Uint8Array(SEARCH.termBytes + 4), length: 0, hash: 0, position: 0, part: false, start: 0, end: 0 };
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
    const start = at;
    let length = 0;
    let hash = 0x811c9dc5;
    let breaks = 0;
    let before = 0;
    let capitals = 0;
    while (byte !== 0) {
      if (length < SEARCH.termBytes) {
        bytes[length++] = byte;
        hash = Math.imul(hash ^ byte, 0x01000193);
      }
      const shape = shapeOf(code);
      if (shape !== before && before !== 0 && (shape !== LOWER || before === DIGIT || capitals > 1)) breaks++;
      capitals = shape === UPPER ? capitals + 1 : 0;
      before = shape;
      if (++at === size) break;
      code = text.charCodeAt(at);
      byte = code < 128 ? ASCII_WORD[code]! : 0;
    }
    if (code > 127 && at < size && kindOf(text, at) !== SEPARATOR) {
      at = wideRun(text, start, token, sink);
      if (at < 0) return;
      continue;
    }
    token.length = length;
    token.hash = hash;
    token.part = false;
    token.start = start;
    token.end = at;
    if (!sink(token)) return;
    if (breaks > 0 && breaks < SEARCH.parts * 2 && !identifierParts(text, token, sink)) return;
    token.position++;
  }
}

/** A run with other letters than ASCII. Returns where to go on, or -1 to stop. */
function wideRun(text: string, from: number, token: Token, sink: TokenSink): number {
  const size = text.length;
  let at = from;
  let kind = kindOf(text, at);
  const width = (index: number) => (text.codePointAt(index)! > 0xffff ? 2 : 1);
  if (kind === SEPARATOR || kind === DROPPED) return at + width(at);
  if (kind === SYMBOL) return emit(text, at, at + width(at), token, sink) ? at + width(at) : -1;
  if (kind === UNSPACED) {
    while (at < size && (kind = kindOf(text, at)) && (kind === UNSPACED || kind === DROPPED)) at += width(at);
    return eachWord(text.slice(from, at), (start, end) => emit(text, from + start, from + end, token, sink)) ? at : -1;
  }
  while (at < size) {
    kind = kindOf(text, at);
    if (kind === SEPARATOR || kind === UNSPACED || kind === SYMBOL) break;
    at += width(at);
  }
  return emit(text, from, at, token, sink) ? at : -1;
}

function emit(text: string, start: number, end: number, token: Token, sink: TokenSink): boolean {
  token.length = foldInto(text, start, end, token.bytes);
  if (token.length === 0) return true;
  token.hash = hashBytes(token.bytes, token.length);
  token.start = start;
  token.end = end;
  token.part = false;
  const goOn = sink(token);
  token.position++;
  return goOn;
}

/** Letter by letter where that is the same as folding the whole; returns the bytes written. */
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

/** Whole characters only, as many as fit a term. */
function encodeTerm(term: string, bytes: Uint8Array): number {
  return encoder.encodeInto(term, bytes.subarray(0, SEARCH.termBytes)).written;
}

/** FNV-1a. */
export function hashBytes(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash;
}

/** `HTTPServer2` also is `http` and `server`; single letters and digits say nothing. */
function identifierParts(text: string, whole: Token, sink: TokenSink): boolean {
  const { start, end, length } = whole;
  if (end - start > length) return true;
  const cuts = [start];
  for (let at = start + 1; at < end; at++) {
    const before = shapeOf(text.charCodeAt(at - 1));
    const here = shapeOf(text.charCodeAt(at));
    const after = at + 1 < end ? shapeOf(text.charCodeAt(at + 1)) : 0;
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

function shapeOf(code: number): number {
  return code < 58 ? DIGIT : code < 91 ? UPPER : LOWER;
}
