// The evidence for a hit: which granted fields matched and where, with a bounded excerpt of each (L-01, L-03, L-04).
import type { JsonObject } from "../../contract/record.ts";
import { revisionOf } from "../cursor.ts";
import { codePointCounter } from "./code-points.ts";
import { bestCluster, endBy, excerptAround, type Span } from "./excerpt.ts";
import { recordText, type SearchedField } from "./field-text.ts";
import { EVIDENCE } from "./limits.ts";
import { type Occurrence, occurrencesOf } from "./occurrences.ts";
import type { QueryPlan } from "./query.ts";
import { markSnippet } from "./snippet.ts";

export interface Excerpt {
  field: string;
  /** How many different clauses match in this field. */
  clauses: number;
  /** HTML text with matches in `<mark>`. */
  snippet: string;
  /** The same text without marks. */
  preview_text: string;
  /** True if the field continues before or after the excerpt. */
  truncated: boolean;
  /** The position in code points; absent for a list of texts, because there is no single text to continue in. */
  place?: ExcerptPlace;
}

export interface ExcerptPlace {
  /** The revision of the field's whole text. */
  revision: string;
  start_chars: number;
  end_chars: number;
  total_chars: number;
  matches: { start_chars: number; end_chars: number }[];
}

export interface Evidence {
  /** Listed in the order of `fields`. */
  matched_fields: string[];
  /** The fields with the most matching clauses come first. */
  excerpts: Excerpt[];
}

/**
 * Looks only at `fields`, which are the granted ones among the searched fields, in declared order. `languages` contains
 * the languages of their texts, if known.
 */
export function evidenceOf(
  data: JsonObject,
  fields: readonly SearchedField[],
  plan: QueryPlan,
  languages?: ReadonlyMap<string, number>,
  size: number = EVIDENCE.excerptChars,
): Evidence {
  const excerpts: Excerpt[] = [];
  const isAnywhere = plan.clauses.every((clause) => clause.field === undefined);
  for (const field of fields) {
    const { name, list } = field;
    const text = recordText(data, field);
    const clauses = isAnywhere
      ? plan.clauses
      : plan.clauses.filter((clause) => clause.field === undefined || clause.field === name);
    if (text === undefined || clauses.length === 0) continue;
    const occurrences = occurrencesOf(text, clauses, size, languages?.get(name));
    if (occurrences.length === 0) continue;
    const placed = list === undefined && typeof data[name] === "string";
    excerpts.push(excerptOf(name, text, occurrences, size, placed));
  }
  return {
    matched_fields: excerpts.map((excerpt) => excerpt.field),
    excerpts: excerpts.toSorted((one, other) => other.clauses - one.clauses),
  };
}

/** Returns the beginning of a field's window that was found by its meaning, without marks. */
export function windowExcerpt(
  data: JsonObject,
  field: SearchedField,
  { start, end }: Span,
  size: number = EVIDENCE.excerptChars,
): Excerpt | undefined {
  const text = recordText(data, field);
  if (text === undefined || start >= end || end > text.length) return undefined;
  const excerpt = { start, end: end - start <= size ? end : endBy(text, start + size / 2, start + size) };
  const isPlaced = field.list === undefined && typeof data[field.name] === "string";
  return {
    field: field.name,
    clauses: 0,
    snippet: markSnippet(text, excerpt, []),
    preview_text: text.slice(excerpt.start, excerpt.end),
    truncated: excerpt.start > 0 || excerpt.end < text.length,
    ...(isPlaced ? { place: placeOf(text, excerpt, []) } : {}),
  };
}

function excerptOf(
  field: string,
  text: string,
  occurrences: readonly Occurrence[],
  size: number,
  placed: boolean,
): Excerpt {
  const excerpt = excerptAround(text, bestCluster(occurrences, size), size);
  const spans = spansWithin(occurrences, excerpt);
  return {
    field,
    clauses: new Set(occurrences.map((occurrence) => occurrence.clause)).size,
    snippet: markSnippet(text, excerpt, spans),
    preview_text: text.slice(excerpt.start, excerpt.end),
    truncated: excerpt.start > 0 || excerpt.end < text.length,
    ...(placed ? { place: placeOf(text, excerpt, spans) } : {}),
  };
}

/** Returns spans clipped to the excerpt, in ascending order, with overlapping spans joined. */
function spansWithin(occurrences: readonly Occurrence[], excerpt: Span): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of occurrences.toSorted((one, other) => one.start - other.start)) {
    const span = { start: Math.max(start, excerpt.start), end: Math.min(end, excerpt.end) };
    const last = spans.at(-1);
    if (span.start >= span.end) continue;
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else spans.push(span);
  }
  return spans;
}

function placeOf(text: string, excerpt: Span, spans: readonly Span[]): ExcerptPlace {
  const count = codePointCounter(text);
  const start_chars = count(excerpt.start);
  const matches = spans.map((span) => ({ start_chars: count(span.start), end_chars: count(span.end) }));
  return {
    revision: revisionOf(text),
    start_chars,
    matches,
    end_chars: count(excerpt.end),
    total_chars: count(text.length),
  };
}
