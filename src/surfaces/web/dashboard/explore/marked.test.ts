// Tests that snippets become marks around text, and that nothing in them becomes markup.
import { expect, it } from "vitest";
import { markSnippet } from "../../../../core/search/snippet.ts";
import { markedSnippet } from "./marked.ts";

it("marks only the server's matches, and escapes everything else once", () => {
  const text = "a < b & <mark>not a match</mark> lisbon &lt; end";
  const at = text.indexOf("lisbon");
  const snippet = markSnippet(text, { start: 0, end: text.length }, [{ start: at, end: at + 6 }]);
  expect(String(markedSnippet(snippet))).toBe(
    "a &lt; b &amp; &lt;mark&gt;not a match&lt;/mark&gt; <mark>lisbon</mark> &amp;lt; end",
  );
});

it("shows any other content of a snippet as text", () => {
  expect(String(markedSnippet('<img src=x onerror="hit()"><mark>a</mark><mark>b'))).toBe(
    "&lt;img src=x onerror=&quot;hit()&quot;&gt;<mark>a</mark>&lt;mark&gt;b",
  );
});
