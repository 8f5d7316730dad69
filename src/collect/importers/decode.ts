// Decodes files without a stated encoding: UTF-8 or UTF-16 if valid, otherwise the code page that fits their letters.
import { isAscii, isUtf8 } from "node:buffer";
import type { Entry } from "../entry.ts";
import { guessSingleByte, type SingleByteEncoding } from "./encoding-guess.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | SingleByteEncoding;

/**
 * Detects the encoding from the byte order mark, zero bytes next to ASCII characters, and whether the bytes are valid
 * UTF-8. `head` may end inside a character.
 */
export function encodingOf(head: Uint8Array): Encoding {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  let evenZeros = 0;
  let oddZeros = 0;
  for (let index = 0; index < Math.min(head.length, 1024); index++) {
    if (head[index] === 0) index % 2 === 0 ? evenZeros++ : oddZeros++;
  }
  const many = Math.min(head.length, 1024) / 5;
  if (oddZeros > many && evenZeros < oddZeros / 10) return "utf-16le";
  if (evenZeros > many && oddZeros < evenZeros / 10) return "utf-16be";
  for (let cut = 0; cut < 4; cut++) if (isUtf8(head.subarray(0, Math.max(0, head.length - cut)))) return "utf-8";
  // Texts have no zero bytes, so these are the bytes of a picture or a program.
  return head.includes(0) ? "windows-1252" : guessSingleByte(head);
}

let latest: { head: Uint8Array; text: string } | undefined;

/** About twenty importers look at the same head in turn, and guessing an encoding is slow, so the last text is kept. */
export function decodeHead(head: Uint8Array): string {
  if (latest?.head !== head) latest = { head, text: new TextDecoder(encodingOf(head)).decode(head, { stream: true }) };
  return latest.text;
}

/** Yields the decoded text of an entry in chunks, without a byte order mark. */
export async function* textOf(entry: Entry, encoding?: Encoding): AsyncGenerator<string> {
  let decoder = encoding === undefined ? undefined : new TextDecoder(encoding);
  let doubtful: Buffer | undefined;
  for await (const bytes of entry.open()) {
    if (decoder === undefined) {
      // As long as everything is ASCII, the encoding does not matter. The first non-ASCII character may come late.
      if (doubtful === undefined && isPlainAscii(bytes)) {
        yield Buffer.from(bytes).toString("latin1");
        continue;
      }
      doubtful = doubtful === undefined ? Buffer.from(bytes) : Buffer.concat([doubtful, bytes]);
      if (doubtful.length < TELLING_BYTES) continue;
      decoder = new TextDecoder(encodingOf(doubtful));
      yield decoder.decode(doubtful, { stream: true });
      continue;
    }
    yield decoder.decode(bytes, { stream: true });
  }
  if (decoder === undefined) {
    if (doubtful !== undefined) yield new TextDecoder(encodingOf(doubtful)).decode(doubtful);
    return;
  }
  yield decoder.decode();
}

const TELLING_BYTES = 64 * 1024;

/** ASCII characters in UTF-16 are accompanied by zero bytes. */
const isPlainAscii = (bytes: Uint8Array): boolean => isAscii(bytes) && !bytes.includes(0);
