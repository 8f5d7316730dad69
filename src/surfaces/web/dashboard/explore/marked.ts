// Passages that matched, with the matches marked: written anew from text, never taken over as markup.
import { decodeXML } from "entities";
import { html } from "hono/html";
import type { EvidenceExcerpt } from "../../../../contract/answers.ts";
import type { Html } from "../../layout.ts";

/** A snippet holds balanced `<mark>` and text with three entities. Whatever else were in it would be shown as text. */
export function markedSnippet(snippet: string): Html {
  const parts = snippet.split(/<mark>(.*?)<\/mark>/s);
  return marked(parts.map((part) => decodeXML(part)));
}

/** Its matches are places in the field; here they are counted from the excerpt's own beginning. */
export function markedExcerpt({
  preview_text,
  start_chars = 0,
  matches = [],
}: Pick<EvidenceExcerpt, "preview_text" | "start_chars" | "matches">): Html {
  const points = [...preview_text];
  const parts: string[] = [];
  let at = 0;
  for (const match of matches) {
    const [from, to] = [match.start_chars - start_chars, match.end_chars - start_chars];
    parts.push(points.slice(at, from).join(""), points.slice(from, to).join(""));
    at = to;
  }
  return marked([...parts, points.slice(at).join("")]);
}

/** Every second part is a match. */
const marked = (parts: readonly string[]): Html =>
  html`${parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))}`;
