// Splits a mailbox file into messages as it is read: mbox in its four quoting variants, and MMDF.
import type { Entry } from "../../entry.ts";

/**
 * A message as it was sent, without envelope line and quoting. The bytes are valid only until the next message is read.
 */
export interface RawMessage {
  bytes: Buffer;
  /** The offset of the message's first byte in the entry, including the envelope line. */
  offset: number;
  /** The offset of the next message. */
  end: number;
  /** "From someone Wed Aug 21 16:20:36 2013" */
  envelope?: string;
}

export interface TooLarge {
  tooLarge: number;
  offset: number;
  end: number;
}

/** Providers refuse mail above 50 MB, and encoding makes it a third larger. */
export const MESSAGE_BYTES_MAX = 80 * 1024 * 1024;

/**
 * A buffer that exceeds this size is grown in one step to fit any message, because further doubling would leave all the
 * earlier buffers in memory.
 */
const DOUBLES_BELOW = 8 * 1024 * 1024;
const LARGEST_BYTES = MESSAGE_BYTES_MAX + 1024 * 1024;

const ENVELOPE = Buffer.from("\nFrom ");
const MMDF_LINE = Buffer.from("\n\x01\x01\x01\x01");
const QUOTED = Buffer.from("\n>");
/** How many bytes of an envelope line, and of the first header line after it, are read. */
const LINE_LOOK = 2048;
const LF = 10;
const CR = 13;

/** Most programs write the sender, a time of day and a year. */
const isDatedEnvelope = (line: string): boolean => /^From .{0,1000}?\d{1,2}:\d{2}.{0,60}\b\d{4}\b/.test(line);
/**
 * Some versions of Thunderbird write "From " or "From - ". Other programs write only the sender, or a date without a
 * time.
 */
function isUndatedEnvelope(line: string): boolean {
  if (!line.startsWith("From ") && line.trimEnd() !== "From") return false;
  const rest = line.slice(5).trim();
  return !/\s/.test(rest) || /\d/.test(rest);
}

/** `next` is the text after the line. An undated separator counts only if mail headers follow. */
export const isEnvelope = (line: string, next: string): boolean =>
  isDatedEnvelope(line) || (isUndatedEnvelope(line) && isHeaderBlock(next));
const isHeader = (line: string): boolean => /^[!-9;-~]{1,200}:/.test(line) || /^>From /.test(line);
const MAIL_HEADER = /^(?:from|date|received|message-id|return-path|delivered-to|x-mozilla-status2?):/im;

/** Requires at least two header lines, one of which is in every message. Body text does not look like that. */
function isHeaderBlock(text: string): boolean {
  const [block = ""] = text.split(/\r?\n[ \t]*\r?\n/, 1);
  // The text may end inside its last line.
  const lines = block.split(/\r?\n/).slice(0, block.length === text.length ? -1 : undefined);
  return lines.length >= 2 && lines.every((line) => /^(?:[!-9;-~]+:|[ \t])/.test(line)) && MAIL_HEADER.test(block);
}

/**
 * `at` means that a message ends here and the next one begins. `wait` means that the deciding bytes have not arrived
 * yet.
 */
export type SeparatorSearch = { at: number } | { wait: number } | undefined;
type Finder = (data: Buffer, begin: number, from: number, last: boolean) => SeparatorSearch;

export function splitMbox(entry: Entry, from: number): AsyncGenerator<RawMessage | TooLarge> {
  return split(entry, from, nextEnvelope, (bytes, offset, end) => {
    const text = bytes.subarray(0, 5).toString("latin1");
    if (text !== "From ") return { bytes: unquoted(bytes), offset, end };
    const lineEnd = bytes.indexOf(LF);
    const body = lineEnd === -1 ? Buffer.alloc(0) : bytes.subarray(lineEnd + 1);
    const envelope = bytes
      .subarray(0, lineEnd === -1 ? Math.min(bytes.length, LINE_LOOK) : lineEnd)
      .toString("latin1")
      .trimEnd();
    // A body with bare "From " lines was not quoted (mboxcl2), so ">From " in it is original text.
    return { bytes: body.includes(ENVELOPE) ? body : unquoted(body), offset, end, envelope };
  });
}

export function splitMmdf(entry: Entry, from: number): AsyncGenerator<RawMessage | TooLarge> {
  return split(entry, from, nextMmdfLine, (bytes, offset, end) => {
    let begin = 0;
    while (begin < bytes.length && bytes[begin]! <= 1) begin++;
    while (bytes[begin] === LF || bytes[begin] === CR) begin++;
    return { bytes: bytes.subarray(begin), offset, end };
  });
}

export async function* split(
  entry: Entry,
  start: number,
  find: Finder,
  finish: (bytes: Buffer, offset: number, end: number) => RawMessage,
): AsyncGenerator<RawMessage | TooLarge> {
  let data = Buffer.allocUnsafe(1024 * 1024);
  /** The number of bytes of the entry before data[0]. */
  let base = start;
  let begin = 0;
  let searched = 0;
  let end = 0;
  /** The start of a message that is being skipped. Its beginning is no longer in memory. */
  let droppedFrom: number | undefined;

  function* messages(last: boolean): Generator<RawMessage | TooLarge> {
    for (;;) {
      const view = data.subarray(0, end);
      const found = find(view, begin, Math.max(searched, begin), last);
      const at = found !== undefined && "at" in found ? found.at : last ? end : undefined;
      if (at === undefined) {
        searched = found !== undefined && "wait" in found ? found.wait : Math.max(begin, end - ENVELOPE.length);
        return;
      }
      if (droppedFrom !== undefined) {
        yield { tooLarge: base + at - droppedFrom, offset: droppedFrom, end: base + at };
        droppedFrom = undefined;
      } else if (!isBlank(view, begin, at)) {
        yield finish(view.subarray(begin, at), base + begin, base + at);
      }
      begin = at;
      searched = at;
      if (at >= end) return;
    }
  }

  function add(chunk: Uint8Array): void {
    if (end + chunk.byteLength > data.length) {
      const held = end - begin;
      const target = roomFor(held + chunk.byteLength, data);
      data.copy(target, 0, begin, end);
      data = target;
      base += begin;
      searched = Math.max(0, searched - begin);
      end = held;
      begin = 0;
    }
    data.set(chunk, end);
    end += chunk.byteLength;
  }

  let position = 0;
  try {
    for await (const chunk of entry.open({ lent: true })) {
      const skip = Math.min(chunk.byteLength, Math.max(0, start - position));
      position += chunk.byteLength;
      if (skip === chunk.byteLength) continue;
      add(chunk.subarray(skip));
      yield* messages(false);
      if (end - begin > MESSAGE_BYTES_MAX) {
        droppedFrom ??= base + begin;
        begin = Math.max(begin, end - LINE_LOOK * 4);
        searched = Math.max(searched, begin);
      }
    }
  } catch (error) {
    // Messages before the break are complete. The last one is not, and would differ from the same message in a complete
    // file.
    let last: RawMessage | TooLarge | undefined;
    for (const message of messages(true)) {
      if (last !== undefined) yield last;
      last = message;
    }
    throw error;
  }
  yield* messages(true);
}

/** Reuses the buffer if a quarter of it is free, or if it is large enough for any message. */
function roomFor(bytes: number, data: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  if (bytes <= data.length * (data.length < LARGEST_BYTES ? 0.75 : 1)) return data;
  return Buffer.allocUnsafeSlow(bytes < DOUBLES_BELOW ? bytes * 2 : Math.max(bytes, LARGEST_BYTES));
}

function isBlank(data: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (data[at]! > 32) return false;
  return true;
}

function nextEnvelope(data: Buffer, begin: number, from: number, last: boolean): SeparatorSearch {
  for (let at = data.indexOf(ENVELOPE, from); at !== -1; at = data.indexOf(ENVELOPE, at + 1)) {
    if (data.length - at < LINE_LOOK * 2 && !last) return { wait: at };
    const lineEnd = data.indexOf(LF, at + 1);
    const line = data
      .subarray(at + 1, lineEnd === -1 || lineEnd - at > LINE_LOOK ? at + LINE_LOOK : lineEnd)
      .toString("latin1");
    const afterBlank = data[at - 1] === LF || (data[at - 1] === CR && data[at - 2] === LF) || at <= begin;
    const next = lineEnd === -1 ? "" : data.subarray(lineEnd + 1, lineEnd + 1 + LINE_LOOK).toString("latin1");
    if (!isEnvelope(line, next)) continue;
    if (!isHeader(next) && !(afterBlank && /^\r?\n|^$/.test(next))) continue;
    const declared = declaredEnd(data, begin);
    if (declared !== undefined && declared > at + 1 && declared - begin < MESSAGE_BYTES_MAX) {
      if (declared + 16 > data.length && !last) return { wait: at };
      const real = separatorAt(data, declared, last);
      if (real !== undefined) return real;
    }
    return { at: at + 1 };
  }
  return undefined;
}

/**
 * Returns where the message ends according to its Content-Length (mboxcl). That position is trusted only if an envelope
 * line or the end of the file is there.
 */
function declaredEnd(data: Buffer, begin: number): number | undefined {
  const headerEnd = bodyStart(data, begin);
  if (headerEnd === undefined) return undefined;
  const length = /\ncontent-length:[ \t]*(\d{1,9})[ \t]*\r?\n/i.exec(
    data.subarray(begin, headerEnd).toString("latin1"),
  );
  return length === null ? undefined : headerEnd + Number(length[1]);
}

function separatorAt(data: Buffer, declared: number, last: boolean): { at: number } | undefined {
  for (let at = declared; at <= declared + 3; at++) {
    if (at >= data.length) return last ? { at: data.length } : undefined;
    if (data[at - 1] === LF && data.subarray(at, at + 5).toString("latin1") === "From ") return { at };
    if (data[at]! > 32) return undefined;
  }
  return undefined;
}

/** Returns the offset of the first byte after the blank line that ends the headers. */
export function bodyStart(data: Buffer, begin: number): number | undefined {
  for (let at = data.indexOf(LF, begin); at !== -1; at = data.indexOf(LF, at + 1)) {
    if (data[at + 1] === LF) return at + 2;
    if (data[at + 1] === CR && data[at + 2] === LF) return at + 3;
  }
  return undefined;
}

function nextMmdfLine(data: Buffer, begin: number, from: number): SeparatorSearch {
  // One line opens a message and one closes it. Everything between a closing line and the next opening line is blank.
  const at = data.indexOf(MMDF_LINE, Math.max(from, begin + 1));
  return at === -1 ? undefined : { at: at + 1 };
}

/**
 * ">From " becomes "From ", and ">>From " becomes ">From " (mboxrd). Older programs only ever added one ">" (mboxo).
 */
function unquoted(bytes: Buffer): Buffer {
  let parts: Buffer[] | undefined;
  let copied = 0;
  for (let at = bytes.indexOf(QUOTED); at !== -1; at = bytes.indexOf(QUOTED, at + 1)) {
    let behind = at + 2;
    while (bytes[behind] === 62) behind++;
    if (bytes[behind] !== 70 || bytes.subarray(behind, behind + 5).toString("latin1") !== "From ") continue;
    parts ??= [];
    parts.push(bytes.subarray(copied, at + 1));
    copied = at + 2;
  }
  if (parts === undefined) return bytes;
  parts.push(bytes.subarray(copied));
  return Buffer.concat(parts);
}
