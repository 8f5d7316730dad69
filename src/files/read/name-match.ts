// Matches patterns against names as bytes. Most patterns are a suffix, a prefix or a substring, so no strings need to
// be built.
import { compileGlob, type GlobOptions } from "../glob.ts";
import type { EntryBlock } from "./columns.ts";

export type NarrowBlock = (block: EntryBlock, mask: Uint8Array) => void;

const PLAIN = /^[^*?[\]{}\\]*$/;
const NOT_ASCII = /[^\x00-\x7f]/;

/** Clears the marks of names that do not match. */
export function nameMatcher(pattern: string, { ignoreCase = false, work }: GlobOptions = {}): NarrowBlock {
  const glob = compileGlob(pattern, { ignoreCase, work });
  const simple = simplePattern(pattern);
  // Ignoring case beyond ASCII needs strings.
  if (simple === undefined || (ignoreCase && NOT_ASCII.test(pattern)))
    return (block, mask) => byText(block, mask, glob);
  const folded = ignoreCase ? simple.text.toLowerCase() : simple.text;
  const text = Buffer.from(folded);
  const fold = ignoreCase ? LOWER : SAME;
  return (block, mask) => byBytes(block, mask, simple.where, text, fold);
}

type Where = "whole" | "start" | "end" | "inside";

function simplePattern(pattern: string): { where: Where; text: string } | undefined {
  const inner = pattern.replace(/^\*+|\*+$/g, "");
  if (inner === "" || !PLAIN.test(inner)) return undefined;
  const [open, close] = [pattern.startsWith("*"), pattern.endsWith("*")];
  return { where: open ? (close ? "inside" : "end") : close ? "start" : "whole", text: inner };
}

const SAME = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const LOWER = SAME.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte));

function byBytes(block: EntryBlock, mask: Uint8Array, where: Where, text: Uint8Array, fold: Uint8Array): void {
  const { names, nameEnds, count } = block;
  const { length } = text;
  let start = 0;
  for (let index = 0; index < count; index++) {
    const end = nameEnds[index]!;
    if (mask[index] === 1 && !matches(start, end)) mask[index] = 0;
    start = end;
  }

  function matches(from: number, to: number): boolean {
    if (to - from < length || (where === "whole" && to - from !== length)) return false;
    if (where === "inside") {
      for (let at = from; at <= to - length; at++) if (isAt(at)) return true;
      return false;
    }
    return isAt(where === "end" ? to - length : from);
  }

  function isAt(at: number): boolean {
    for (let index = 0; index < length; index++) if (fold[names[at + index]!] !== text[index]) return false;
    return true;
  }
}

function byText(block: EntryBlock, mask: Uint8Array, glob: (text: string) => boolean): void {
  const names = Buffer.from(block.names.buffer, block.names.byteOffset, block.names.length);
  let start = 0;
  for (let index = 0; index < block.count; index++) {
    const end = block.nameEnds[index]!;
    if (mask[index] === 1 && !glob(names.toString("utf8", start, end))) mask[index] = 0;
    start = end;
  }
}
