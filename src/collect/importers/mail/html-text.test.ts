// HTML converted to the text that a reader sees.
import { describe, expect, it } from "vitest";
import { htmlText } from "./html-text.ts";

describe("HTML converted to text", () => {
  it.each([
    ["<p>One</p><p>Two<br>Three</p>", "One\n\nTwo\nThree"],
    ["a   b\n\tc", "a b c"],
    ["<div>a</div>\n<div>b</div><div><br></div><div>c</div>", "a\nb\n\nc"],
    ["<ul><li>one</li><li>two</li></ul>", "- one\n- two"],
    ["<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"],
    ["<head><title>No</title><style>p{}</style></head><body>Yes<script>alert('no')</script></body>", "Yes"],
    ["<!-- no <b> --><b>yes</b>", "yes"],
    ["<pre>a\n  b</pre>", "a\nb"],
    ['See <a href="https://example.com/a">the page</a>.', "See the page (https://example.com/a)."],
    ['<a href="https://example.com/">example.com</a>', "example.com"],
    ['<a href="javascript:alert(1)">click</a>', "click"],
    [`<a href="https://t.example.com/${"x".repeat(200)}">offer</a>`, "offer"],
    ['<img src="x.png" alt="A cat">', "A cat"],
    [
      "&lt;b&gt; &amp;amp; &eacute;&#233;&#xE9; &euro;5 &Omega;&omega; &#128;5 &zzz; &#0;",
      "<b> &amp; ééé €5 Ωω €5 &zzz; \ufffd",
    ],
    [
      '<a href="https://shop.example/?a=1&copy=2">https://shop.example/?a=1&amp;copy=2</a>',
      "https://shop.example/?a=1&copy=2",
    ],
    ['<p title="a > b">text</p>', "text"],
    ["<p title='it's broken>text</p>", "text"],
    ["5 < 6 and <3", "5 < 6 and <3"],
    ["open <b", "open"],
    ["<script>never closed", ""],
    ["Hi\u00a0\u200b\u200c \u00a0there", "Hi there"],
  ])("%s", (html, text) => {
    expect(htmlText(html)).toBe(text);
  });

  it.each(["<", "<a ", "<!--", '<p title="', "<a href='", "&", "<script>", "<head>", "</p", "<table><tr>"])(
    "a hundred thousand %s take almost no time",
    (piece) => {
      expect(typeof htmlText(piece.repeat(100_000))).toBe("string");
    },
  );
});
