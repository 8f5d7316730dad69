// Snippets: an excerpt as HTML text in which balanced `<mark>` tags are the only tags (E-18).
import type { Span } from "./excerpt.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * Escapes `&`, `<` and `>` in the data, so that data with `<mark>` in it cannot fake a match and the text is safe in a
 * page. White space becomes one space; `…` shows where the text continues. Spans are in ascending order and do not
 * overlap.
 */
export function markSnippet(text: string, excerpt: Span, spans: readonly Span[]): string {
  let html = excerpt.start > 0 ? "…" : "";
  let at = excerpt.start;
  for (const span of spans) {
    html += `${escapeText(text.slice(at, span.start))}<mark>${escapeText(text.slice(span.start, span.end))}</mark>`;
    at = span.end;
  }
  html += escapeText(text.slice(at, excerpt.end));
  return html.trim() + (excerpt.end < text.length ? "…" : "");
}

/** Most texts need no change, and checking first is cheaper than a replacement that changes nothing. */
const UNSAFE = /[&<>]|\s\s|[^\S ]/;

function escapeText(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text.replace(/[&<>]/g, (character) => ENTITIES[character]!).replace(/\s+/g, " ");
}
