// Glob patterns for names and paths: * and ? within a name, ** across names, [a-z] and {one,other}. Matching never
// takes more than pattern × text steps.
import { PdppError } from "../contract/errors.ts";

export type Glob = (text: string) => boolean;

const PATTERN_MAX = 512;
const ALTERNATIVES_MAX = 64;
/** The steps charged for preparing a string (building it and folding its case) before matching begins. */
const TEXT_STEPS = 32;

type GlobPart =
  | { kind: "text"; text: string }
  | { kind: "any"; slashes: boolean }
  /** Any number of directories, including zero. */
  | { kind: "dirs" }
  | { kind: "one" }
  | { kind: "class"; negated: boolean; ranges: [from: number, to: number][] };

/** The remaining step budget, shared by all patterns of one filter. */
export interface GlobWork {
  left: number;
}

export interface GlobOptions {
  ignoreCase?: boolean;
  work?: GlobWork;
}

export function compileGlob(pattern: string, { ignoreCase = false, work }: GlobOptions = {}): Glob {
  if (pattern.length === 0 || pattern.length > PATTERN_MAX)
    throw invalid(pattern, `a pattern must have 1 to ${PATTERN_MAX} characters`);
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const variants = expand(fold(pattern)).map(parse);
  return (text) => {
    spend(work, TEXT_STEPS + text.length);
    const folded = fold(text);
    return variants.some((parts) => matches(parts, folded, work));
  };
}

/** Expands {a,b} into several patterns, up to a limit. */
function expand(pattern: string): string[] {
  const open = pattern.indexOf("{");
  if (open === -1) return [pattern];
  let depth = 0;
  const commas: number[] = [open];
  for (let at = open; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "{") depth++;
    if (character === "," && depth === 1) commas.push(at);
    if (character !== "}" || --depth > 0) continue;
    commas.push(at);
    const [before, after] = [pattern.slice(0, open), pattern.slice(at + 1)];
    const inner = commas.slice(1).map((end, index) => pattern.slice(commas[index]! + 1, end));
    const found = inner.flatMap((one) => {
      const heads = expand(one);
      return heads.map((head) => before + head);
    });
    const tails = expand(after);
    if (found.length * tails.length > ALTERNATIVES_MAX)
      throw invalid(pattern, `a pattern can have at most ${ALTERNATIVES_MAX} alternatives`);
    return found.flatMap((head) => tails.map((tail) => head + tail));
  }
  throw invalid(pattern, "a { is never closed");
}

function parse(pattern: string): GlobPart[] {
  const parts: GlobPart[] = [];
  let at = 0;
  while (at < pattern.length) {
    const character = pattern[at]!;
    if (character === "*") {
      const from = at;
      while (pattern[at] === "*") at++;
      const slashes = at - from > 1;
      if (slashes && pattern[at] === "/" && (from === 0 || pattern[from - 1] === "/")) {
        parts.push({ kind: "dirs" });
        at++;
      } else parts.push({ kind: "any", slashes });
    } else if (character === "?") {
      parts.push({ kind: "one" });
      at++;
    } else if (character === "[") {
      const end = pattern.indexOf("]", at + 2);
      if (end === -1) throw invalid(pattern, "a [ is never closed");
      parts.push(classOf(pattern.slice(at + 1, end)));
      at = end + 1;
    } else {
      if (character === "\\" && at + 1 < pattern.length) at++;
      const last = parts.at(-1);
      if (last?.kind === "text") last.text += pattern[at]!;
      else parts.push({ kind: "text", text: pattern[at]! });
      at++;
    }
  }
  return parts;
}

function classOf(text: string): GlobPart {
  const negated = text.startsWith("!") || text.startsWith("^");
  const inner = negated ? text.slice(1) : text;
  const ranges: [number, number][] = [];
  for (let at = 0; at < inner.length; at++) {
    const from = inner.charCodeAt(at);
    if (inner[at + 1] === "-" && at + 2 < inner.length) {
      ranges.push([from, inner.charCodeAt(at + 2)]);
      at += 2;
    } else ranges.push([from, from]);
  }
  return { kind: "class", negated, ranges };
}

const SLASH = 0x2f;

/** Two rows, reused because millions of texts are matched one after another. */
let rows: [Uint8Array, Uint8Array] = [new Uint8Array(1024), new Uint8Array(1024)];

function marksFor(length: number): [Uint8Array, Uint8Array] {
  if (length > rows[0].length) rows = [new Uint8Array(length * 2), new Uint8Array(length * 2)];
  rows[0].fill(0, 0, length);
  return rows;
}

/** Tracks the positions in the text at which each part can end, in two rows of marks, so it never backtracks. */
function matches(parts: readonly GlobPart[], text: string, work: GlobWork | undefined): boolean {
  const { length } = text;
  const first = parts[0];
  if (first?.kind === "text" && !text.startsWith(first.text)) return false;
  const last = parts.at(-1);
  if (last?.kind === "text" && !text.endsWith(last.text)) return false;
  let [reached, next] = marksFor(length + 1);
  reached[0] = 1;
  for (const part of parts) {
    spend(work, length + 1);
    next.fill(0, 0, length + 1);
    let some = false;
    if (part.kind === "any") {
      let open = false;
      for (let at = 0; at <= length; at++) {
        if (reached[at] === 1) open = true;
        if (open) {
          next[at] = 1;
          some = true;
        }
        if (!part.slashes && text.charCodeAt(at) === SLASH) open = false;
      }
    } else if (part.kind === "dirs") {
      let open = false;
      for (let at = 0; at <= length; at++) {
        if (reached[at] === 1 || (open && text.charCodeAt(at - 1) === SLASH)) {
          next[at] = 1;
          some = true;
        }
        if (reached[at] === 1) open = true;
      }
    } else {
      const step = part.kind === "text" ? part.text.length : 1;
      for (let at = 0; at + step <= length; at++) {
        if (reached[at] === 0 || !fits(part, text, at)) continue;
        next[at + step] = 1;
        some = true;
      }
    }
    if (!some) return false;
    [reached, next] = [next, reached];
  }
  return reached[length] === 1;
}

function fits(part: Exclude<GlobPart, { kind: "any" | "dirs" }>, text: string, at: number): boolean {
  if (part.kind === "text") return text.startsWith(part.text, at);
  const code = text.charCodeAt(at);
  if (code === SLASH) return false;
  if (part.kind === "one") return true;
  return part.ranges.some(([from, to]) => code >= from && code <= to) !== part.negated;
}

function invalid(pattern: string, reason: string): PdppError {
  return new PdppError(
    "invalid_request",
    `the pattern ${JSON.stringify(pattern.slice(0, 80))} is not valid: ${reason}`,
    {
      param: "pattern",
      next_step:
        "Write a shorter pattern, or close its brackets, e.g. *.pdf, IMG_????.jpg, **/node_modules, *.{jpg,png}.",
    },
  );
}

function spend(work: GlobWork | undefined, steps: number): void {
  if (work === undefined) return;
  work.left -= steps;
  if (work.left >= 0) return;
  throw new PdppError("resource_limit", "the patterns in this filter are too slow for this many names", {
    param: "filter",
    next_step:
      'Use fewer wildcards (* ? [ {), or narrow the search with another condition first: {"and":[{"size":{"min":1000000}},{"path":"**/2019/**"}]}.',
  });
}
