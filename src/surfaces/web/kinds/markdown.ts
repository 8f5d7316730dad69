// Markdown as HTML that is safe to show: no HTML from the author, no scripts, and nothing loaded from elsewhere.
import { html, raw } from "hono/html";
import MarkdownIt from "markdown-it";
import type { Html } from "../layout.ts";

/**
 * Raw HTML stays text. Links lead only to web pages and open in a new tab. A picture is mentioned by name but never
 * loaded.
 */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
markdown.validateLink = (url) => /^(?:https?:|mailto:)/i.test(url.trim());
markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  tokens[index]!.attrSet("target", "_blank");
  tokens[index]!.attrSet("rel", "noreferrer noopener");
  return self.renderToken(tokens, index, options);
};
markdown.renderer.rules.image = (tokens, index) =>
  `<span class="note">${markdown.utils.escapeHtml(tokens[index]!.content || "picture")}</span>`;
// The page itself has a top heading, so a note's headings are one level lower. A heading without words is dropped.
for (const rule of ["heading_open", "heading_close"] as const) {
  markdown.renderer.rules[rule] = (tokens, index, options, _env, self) => {
    const token = tokens[index]!;
    const words = tokens[rule === "heading_open" ? index + 1 : index - 1]!.content;
    token.tag = words.trim() === "" ? "div" : `h${Math.min(6, Number(token.tag.slice(1)) + 1)}`;
    return self.renderToken(tokens, index, options);
  };
}
// Wide tables and code blocks scroll separately, and can be scrolled with the keyboard.
markdown.renderer.rules.table_open = () =>
  '<div class="table-room" role="region" aria-label="Table" tabindex="0"><table>';
markdown.renderer.rules.table_close = () => "</table></div>";
const fence = markdown.renderer.rules.fence!;
markdown.renderer.rules.fence = (...parts) =>
  fence(...parts).replace("<pre>", '<pre tabindex="0" role="region" aria-label="Code">');
markdown.renderer.rules.code_block = (tokens, index) =>
  `<pre tabindex="0" role="region" aria-label="Code"><code>${markdown.utils.escapeHtml(tokens[index]!.content)}</code></pre>`;

/** Front matter is for programs, and its values are in the fields of the note. */
const FRONT_MATTER = /^---\n[\s\S]{0,4000}?\n---\n/;

export const rendered = (text: string): Html =>
  html`<div class="prose">${raw(markdown.render(text.replaceAll("\r\n", "\n").replace(FRONT_MATTER, "")))}</div>`;
