// Field windows: a bounded piece of a field's text, counted in code points, that never splits a character.
import type { FieldWindow } from "../contract/answers.ts";
import { PdppError } from "../contract/errors.ts";
import { MEMBERS_SHOWN, WINDOW } from "../contract/limits.ts";
import type { JsonObject, JsonValue } from "../contract/record.ts";
import { lowerBound } from "./binary-search.ts";

export interface FieldText {
  text: string;
  type: "string" | "json";
  /** Present for a list or an object. */
  parts?: ValueParts;
}

/** The children of a value, which a JSON Pointer can refer to. */
export interface ValueParts {
  items?: number;
  members?: string[];
}

export const partsOf = (value: JsonObject | readonly JsonValue[]): ValueParts =>
  Array.isArray(value) ? { items: value.length } : { members: Object.keys(value).slice(0, MEMBERS_SHOWN) };

/**
 * Returns the text of a field, or of the value at a JSON Pointer (RFC 6901) inside it. Objects and lists are returned
 * as JSON.
 */
export function fieldText(data: JsonObject, field: string, pointer: string | undefined): FieldText {
  const root = Object.hasOwn(data, field) ? data[field] : undefined;
  const value = pointer === undefined ? root : follow(root, pointer);
  if (value === undefined) {
    throw new PdppError("field_not_found", `this record has no value at ${field}${pointer ?? ""}`, {
      param: pointer === undefined ? "field" : "pointer",
    });
  }
  if (typeof value === "string") return { text: value, type: "string" };
  if (value !== null && typeof value === "object") {
    return { text: JSON.stringify(value, null, 2), type: "json", parts: partsOf(value) };
  }
  throw new PdppError("field_not_text", `${field}${pointer ?? ""} is ${JSON.stringify(value)}, not text`, {
    param: "field",
  });
}

function follow(root: JsonValue | undefined, pointer: string): JsonValue | undefined {
  if (pointer !== "" && !pointer.startsWith("/")) {
    throw new PdppError("invalid_window", "pointer must be a JSON Pointer: empty, or starting with /", {
      param: "pointer",
    });
  }
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
    else if (value !== null && typeof value === "object") value = Object.hasOwn(value, name) ? value[name] : undefined;
    else return undefined;
  }
  return value;
}

export interface WindowRequest {
  offset?: number;
  limit?: number;
  q?: string;
  before?: number;
  after?: number;
}

export function cutWindow(text: string, request: WindowRequest): FieldWindow["window"] {
  const points = codePoints(text);
  const offset = request.offset ?? 0;
  if (offset > points.length) {
    throw new PdppError("invalid_window", `the text has ${points.length} characters; ${offset} is past its end`, {
      param: "offset_chars",
    });
  }
  if (request.q !== undefined) return aroundMatch(points, request.q, offset, request);
  const limit = Math.min(request.limit ?? WINDOW.default, WINDOW.max);
  return windowOf(points, offset, Math.min(points.length, offset + limit), limit);
}

function aroundMatch(points: CodePoints, q: string, from: number, request: WindowRequest): FieldWindow["window"] {
  const { count, found, next } = matchesOf(points, q, from);
  if (found === undefined) {
    const earlier = count === 0 ? "" : `; before it ${count === 1 ? "there is 1 match" : `there are ${count} matches`}`;
    throw new PdppError(
      "invalid_window",
      `${JSON.stringify(q)} does not occur at or after character ${from}${earlier}`,
      {
        param: "q",
        next_step: `${count === 0 ? "Leave q out and read from offset_chars=0, or search" : "Search from offset_chars=0, or"} for other words.`,
      },
    );
  }
  const end = found + points.lengthOf(q);
  const limit = Math.min(request.limit ?? WINDOW.max, WINDOW.max);
  // If space is short, the match takes precedence over its context.
  const room = Math.max(0, limit - (end - found));
  const start = Math.max(0, found - Math.min(room, request.before ?? WINDOW.contextDefault));
  const stop = Math.min(points.length, end + (request.after ?? WINDOW.contextDefault));
  return {
    ...windowOf(points, start, Math.min(stop, start + limit), limit),
    match_start_chars: found,
    match_end_chars: end,
    match_count: count,
    ...(next === undefined ? {} : { next_match_chars: next }),
  };
}

interface Matches {
  /** The number of non-overlapping matches in the whole text. */
  count: number;
  /** The first match at or after the offset. */
  found?: number;
  /** The next match after `found`. */
  next?: number;
}

function matchesOf(points: CodePoints, q: string, from: number): Matches {
  const [text, wanted] = [foldCase(points.text), foldCase(q)];
  const start = points.indexOf(from);
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count++;
  const found = text.indexOf(wanted, start);
  if (found === -1) return { count };
  const next = text.indexOf(wanted, found + wanted.length);
  return { count, found: points.positionOf(found), ...(next === -1 ? {} : { next: points.positionOf(next) }) };
}

/** Lower case without moving any character: only İ would become longer, and only Σ has two lower-case forms. */
const foldCase = (text: string): string => text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");

function windowOf(points: CodePoints, start: number, end: number, limit: number): FieldWindow["window"] {
  const hasMore = end < points.length;
  return {
    text: points.slice(start, end),
    start_chars: start,
    end_chars: end,
    limit_chars: limit,
    total_chars: points.length,
    complete: start === 0 && !hasMore,
    has_more: hasMore,
    ...(hasMore ? { next_offset_chars: end } : {}),
    ...(start > 0 ? { previous_offset_chars: Math.max(0, start - limit) } : {}),
  };
}

interface CodePoints {
  text: string;
  length: number;
  slice(start: number, end: number): string;
  /** These convert a count of code points to a string index, and back. */
  indexOf(position: number): number;
  positionOf(index: number): number;
  lengthOf(part: string): number;
}

/**
 * Positions in code points. Most texts have no character beyond the BMP, so their positions equal string indexes and
 * cost nothing.
 */
function codePoints(text: string): CodePoints {
  if (!/[\ud800-\udfff]/.test(text)) {
    return {
      text,
      length: text.length,
      slice: (start, end) => text.slice(start, end),
      indexOf: (position) => position,
      positionOf: (index) => index,
      lengthOf: (part) => part.length,
    };
  }
  const starts: number[] = [];
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) starts.push(index);
  starts.push(text.length);
  return {
    text,
    length: starts.length - 1,
    slice: (start, end) => text.slice(starts[start], starts[end]),
    indexOf: (position) => starts[position]!,
    positionOf: (index) => lowerBound(starts, index),
    lengthOf: (part) => [...part].length,
  };
}
