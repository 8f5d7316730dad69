// Passages with highlighted matches. They are rebuilt from text and never used as markup.
import { decodeXML } from "entities";
import { html } from "hono/html";
import type { Html } from "../../layout.ts";

/** A snippet contains balanced `<mark>` tags and text with three entities. Anything else in it is shown as text. */
export function markedSnippet(snippet: string): Html {
  const parts = snippet.split(/<mark>(.*?)<\/mark>/s);
  return marked(parts.map((part) => decodeXML(part)));
}

/** Every second part is a match. */
const marked = (parts: readonly string[]): Html =>
  html`${parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))}`;
