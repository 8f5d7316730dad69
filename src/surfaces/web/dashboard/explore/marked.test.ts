// Snippets become marks around text; nothing in them becomes markup.
import { expect, it } from "vitest";
import { markSnippet } from "../../../../core/search/snippet.ts";
import { markedExcerpt, markedSnippet } from "./marked.ts";

it("marks what the server marked, and escapes the rest once", () => {
  const text = "a < b & <mark>not a match</mark> lisbon &lt; end";
  const at = text.indexOf("lisbon");
  const snippet = markSnippet(text, { start: 0, end: text.length }, [{ start: at, end: at + 6 }]);
  expect(String(markedSnippet(snippet))).toBe(
    "a &lt; b &amp; &lt;mark&gt;not a match&lt;/mark&gt; <mark>lisbon</mark> &amp;lt; end",
  );
});

it("shows as text whatever else a snippet would hold", () => {
  expect(String(markedSnippet('<img src=x onerror="hit()"><mark>a</mark><mark>b'))).toBe(
    "&lt;img src=x onerror=&quot;hit()&quot;&gt;<mark>a</mark>&lt;mark&gt;b",
  );
});

it("counts places in characters, from the excerpt's own beginning", () => {
  const excerpt = { preview_text: "𝒳 heron 𝒴", start_chars: 100, matches: [{ start_chars: 102, end_chars: 107 }] };
  expect(String(markedExcerpt(excerpt))).toBe("𝒳 <mark>heron</mark> 𝒴");
});
