// Parses a message with postal-mime, without its attached files, which are cut out first and decoded in one step.
// postal-mime decodes base64 line by line in JavaScript, and most bytes of a mailbox are base64.
import { randomBytes } from "node:crypto";
import PostalMime, { type Email } from "postal-mime";
import { bodyStart } from "./split.ts";

export const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024, forceRfc822Attachments: true };

/** Smaller files are not worth the effort. */
const FILE_BYTES_MIN = 2048;
/** The maximum distance from the word base64 to the blank line that ends its headers. */
const HEADERS_LOOK = 8 * 1024;
const WORDS = [Buffer.from("base64"), Buffer.from("BASE64")];
/** How much base64 is decoded at once. */
const PIECE_BYTES = 64 * 1024;
const LF = 10;
const CR = 13;
const DASH = 45;
const EQUALS = 61;
const isDigit = new Uint8Array(256);
for (const sign of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") isDigit[sign.charCodeAt(0)] = 1;

export const parseMail = async (bytes: Buffer): Promise<Email> =>
  (await withFilesAside(bytes)) ?? PostalMime.parse(bytes, LIMITS);

/** Returns undefined if the message has no files, or if a part that looks like a file is not one. */
async function withFilesAside(bytes: Buffer): Promise<Email | undefined> {
  const cut = withoutFiles(bytes);
  if (cut === undefined) return undefined;
  const email = await PostalMime.parse(cut.rest, LIMITS);
  return putBack(email, cut.files) ? email : undefined;
}

/** Returns the content of an attachment as bytes, without copying. */
export function contentBytes(content: string | ArrayBuffer | Uint8Array): Buffer {
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof Uint8Array
    ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    : Buffer.from(content);
}

interface Cut {
  rest: Buffer;
  /** Files by the mark that replaces them. A mark is also base64, and does not occur in the message. */
  files: Map<string, Buffer>;
}

const MARK_BYTES = 18;
const secret = randomBytes(MARK_BYTES - 4);
let marks = 0;

function newMark(): string {
  const mark = Buffer.alloc(MARK_BYTES);
  secret.copy(mark);
  mark.writeUInt32LE(marks++ >>> 0, secret.length);
  return mark.toString("base64");
}

/**
 * Reads every byte once, however often a message contains the word base64. postal-mime decides whether a part that
 * looks like a file is one: see putBack.
 */
function withoutFiles(bytes: Buffer): Cut | undefined {
  const word = WORDS.find((one) => bytes.includes(one));
  if (word === undefined) return undefined;
  const files: Cut["files"] = new Map();
  const pieces: Buffer[] = [];
  let copied = 0;
  for (let at = bytes.indexOf(word); at !== -1; ) {
    const headersLeft = bodyStart(bytes.subarray(at, at + HEADERS_LOOK), 0);
    if (headersLeft === undefined) {
      at = bytes.indexOf(word, at + HEADERS_LOOK);
      continue;
    }
    const start = at + headersLeft;
    const run = base64Run(bytes, start);
    if (run.whole && run.end - start >= FILE_BYTES_MIN && !isText(bytes, at, start)) {
      const mark = newMark();
      files.set(mark, decoded(bytes, start, run));
      pieces.push(bytes.subarray(copied, start), Buffer.from(`${mark}\n`));
      copied = run.end;
    }
    at = bytes.indexOf(word, run.end);
  }
  return files.size === 0 ? undefined : { rest: Buffer.concat([...pieces, bytes.subarray(copied)]), files };
}

interface Base64Run {
  end: number;
  /** True if there is only base64, in complete groups, up to the end or to a line that may be a boundary. */
  whole: boolean;
  digits: number;
  /**
   * Positions between base64 groups, a short distance apart. The text is decoded from each position to the next; the
   * last position is the end of the text.
   */
  cuts: number[];
}

function base64Run(bytes: Buffer, start: number): Base64Run {
  let digits = 0;
  let padding = 0;
  let at = start;
  let cut = start + PIECE_BYTES;
  const cuts: number[] = [];
  while (at < bytes.length) {
    const from = at;
    const stop = Math.min(cut, bytes.length);
    // Most bytes of a mailbox pass through this loop, so it only compares bytes.
    if (padding === 0) while (at < stop && isDigit[bytes[at]!] === 1) at++;
    digits += at - from;
    if (at === cut) {
      if (digits % 4 === 0) cuts.push(at);
      cut += digits % 4 === 0 ? PIECE_BYTES : 1;
    } else if (at < stop) {
      const byte = bytes[at]!;
      if (byte === EQUALS) padding++;
      else if (byte !== LF && byte !== CR) break;
      at++;
    }
  }
  cuts.push(at);
  const ends = at === bytes.length || (bytes[at] === DASH && bytes[at + 1] === DASH && bytes[at - 1] === LF);
  return { end: at, whole: ends && padding <= 2 && (digits + padding) % 4 === 0, digits, cuts };
}

/**
 * Decodes in chunks, because a string of many megabytes would stay in memory, in addition to its bytes, until it is
 * garbage-collected.
 */
function decoded(bytes: Buffer, start: number, { digits, cuts }: Base64Run): Buffer {
  const file = Buffer.allocUnsafeSlow(Math.floor((digits * 3) / 4));
  let from = start;
  let written = 0;
  for (const cut of cuts) {
    written += file.write(bytes.toString("latin1", from, cut), written, "base64");
    from = cut;
  }
  return file;
}

/** The message's own text must not be cut out like an attachment, because it would not be parsed. */
function isText(bytes: Buffer, at: number, start: number): boolean {
  const before = bytes.toString("latin1", Math.max(0, at - HEADERS_LOOK), start - 1);
  const headers = before.slice(Math.max(0, before.lastIndexOf("\n--")));
  return (
    /^content-type:[ \t]*text\/(?:plain|html)/im.test(headers) &&
    !/^content-disposition:[ \t]*attachment/im.test(headers)
  );
}

/**
 * Puts the files back in place of their marks. An attachment that consists only of a mark contained only the removed
 * base64 lines, so nothing else has changed. Returns false if a removed part was not a file, for example a message
 * inside the message.
 */
function putBack(email: Email, files: Cut["files"]): boolean {
  let found = 0;
  for (const attachment of email.attachments) {
    const { content } = attachment;
    if (typeof content === "string" || content.byteLength !== MARK_BYTES) continue;
    const file = files.get(contentBytes(content).toString("base64"));
    if (file === undefined) continue;
    attachment.content = file;
    found++;
  }
  return found === files.size;
}
