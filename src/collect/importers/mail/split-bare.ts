// Splits mailbox files without envelope lines, as in old mailing-list archives, where every message begins with the
// same header as the first.
import type { Entry } from "../../entry.ts";
import { bodyStart, type RawMessage, type SeparatorSearch, split, type TooLarge } from "./split.ts";

/** How much of a header block is read. */
const BLOCK_LOOK = 64 * 1024;
const LF = 10;
const CR = 13;

export function splitBare(entry: Entry, from: number): AsyncGenerator<RawMessage | TooLarge> {
  return split(entry, from, nextBlock, (bytes, offset, end) => {
    let begin = 0;
    while (bytes[begin] === LF || bytes[begin] === CR) begin++;
    return { bytes: bytes.subarray(begin), offset, end };
  });
}

function nextBlock(data: Buffer, begin: number, from: number, last: boolean): SeparatorSearch {
  let start = begin;
  while (data[start] === LF || data[start] === CR) start++;
  const first = /^[!-9;-~]{1,60}:/.exec(data.subarray(start, start + 100).toString("latin1"))?.[0];
  if (first === undefined) return undefined;
  const mark = Buffer.from(`\n${first}`, "latin1");
  for (let at = data.indexOf(mark, Math.max(from, start + 1)); at !== -1; at = data.indexOf(mark, at + 1)) {
    const afterBlank = data[at - 1] === LF || (data[at - 1] === CR && data[at - 2] === LF);
    if (!afterBlank) continue;
    const end = bodyStart(data.subarray(0, at + BLOCK_LOOK), at + 1);
    if (end === undefined && data.length - at < BLOCK_LOOK && !last) return { wait: at };
    if (end !== undefined && isHeaderBlock(data.subarray(at + 1, end).toString("latin1"))) return { at: at + 1 };
  }
  return undefined;
}

/**
 * The block must consist of headers, including those that every message has. The few lines above a forwarded message do
 * not qualify.
 */
function isHeaderBlock(text: string): boolean {
  const lines = text.trimEnd().split(/\r?\n/);
  if (lines.length < 3 || !lines.every((line) => /^(?:[!-9;-~]+:|[ \t])/.test(line))) return false;
  const has = (name: string): boolean => lines.some((line) => line.toLowerCase().startsWith(`${name}:`));
  return has("from") && (has("date") || has("received"));
}
