// Converts the HTML of messages to text in one pass: what a reader would see, with line breaks at the end of blocks and
// link addresses after their words.
import { decodeHTML, decodeHTMLAttribute } from "entities";

/** The content of these tags is not meant for people. */
const HIDDEN_TAGS = new Set([
  "script",
  "style",
  "head",
  "title",
  "template",
  "noscript",
  "svg",
  "math",
  "object",
  "iframe",
  "textarea",
  "select",
]);
const BLOCKS = new Set(
  "p div table tr ul ol dl dt dd li h1 h2 h3 h4 h5 h6 blockquote pre section article header footer main aside nav form fieldset address hr center figure figcaption".split(
    " ",
  ),
);
/** Longer addresses are for tracking. They tell a reader nothing and waste space. */
const LINK_MAX = 120;
const TAG = /<(?:!--|(\/?)([a-zA-Z][a-zA-Z0-9:-]{0,30})|[!?])/g;

export function htmlText(html: string): string {
  const parts: string[] = [];
  /** The address of an open <a>, and where its text begins. */
  let link: { address: string; from: number } | undefined;
  let preformatted = 0;
  /** True if a head without an end was found, so that its end is not searched for again. */
  let headless = false;
  let at = 0;
  const say = (text: string): void => {
    const plain = decodeHTML(preformatted > 0 ? text : text.replace(/[ \t\r\n\f]+/g, " "));
    // Spaces between blocks are only the layout of the source.
    if (plain !== "" && !(plain === " " && /\n$/.test(parts.at(-1) ?? "\n"))) parts.push(plain);
  };
  /** Consecutive blocks share one break. */
  const edge = (lines: "\n" | "\n\n"): void => {
    if (parts.length === 0 || parts.at(-1) === "\n\n") return;
    if (parts.at(-1) === "\n") parts.pop();
    parts.push(lines === "\n\n" || parts.at(-1) === "\n\n" ? "\n\n" : "\n");
  };
  TAG.lastIndex = 0;
  for (let found = TAG.exec(html); found !== null; found = TAG.exec(html)) {
    say(html.slice(at, found.index));
    if (found[0] === "<!--") {
      const end = html.indexOf("-->", TAG.lastIndex);
      at = end === -1 ? html.length : end + 3;
    } else {
      const end = tagEnd(html, TAG.lastIndex);
      at = end;
      const name = (found[2] ?? "").toLowerCase();
      const closing = found[1] === "/";
      if (!closing && HIDDEN_TAGS.has(name) && html[end - 2] !== "/" && !(name === "head" && headless)) {
        at = pastElement(html, end, name);
        headless = at === end;
      } else if (name === "br") parts.push(" \n");
      else if (name === "td" || name === "th") parts.push(closing ? "" : " ");
      else if (name === "a") {
        link = leave(link);
        if (!closing) link = enter(html.slice(TAG.lastIndex, end));
      } else if (name === "img" && !closing) say(attribute(html.slice(TAG.lastIndex, end), "alt"));
      else if (BLOCKS.has(name)) {
        if (name === "pre") preformatted = Math.max(0, preformatted + (closing ? -1 : 1));
        edge(name === "p" || /^h\d$/.test(name) ? "\n\n" : "\n");
        if (name === "li" && !closing) parts.push("- ");
      }
    }
    TAG.lastIndex = at;
  }
  say(html.slice(at));
  leave(link);
  return tidy(parts.join(""));

  function enter(attributes: string): { address: string; from: number } | undefined {
    const address = attribute(attributes, "href").trim();
    return /^https?:\/\//i.test(address) && address.length <= LINK_MAX ? { address, from: parts.length } : undefined;
  }

  function leave(open: { address: string; from: number } | undefined): undefined {
    if (open === undefined) return;
    const words = parts.slice(open.from).join("").trim();
    if (words !== "" && !words.includes(open.address.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "")))
      parts.push(` (${open.address})`);
  }
}

/**
 * Returns the position after the ">" that ends a tag, ignoring those inside quotes. If a quote never closes, the first
 * ">" ends the tag.
 */
function tagEnd(html: string, from: number): number {
  const first = html.indexOf(">", from);
  if (first === -1) return html.length;
  let at = from;
  for (;;) {
    const quote = nextQuote(html, at, first);
    if (quote === -1) break;
    const close = html.indexOf(html[quote]!, quote + 1);
    if (close === -1 || close - quote > 10_000) return first + 1;
    at = close + 1;
    if (at > first) {
      const next = html.indexOf(">", at);
      return next === -1 || next - at > 10_000 ? first + 1 : next + 1;
    }
  }
  return first + 1;
}

function nextQuote(html: string, from: number, to: number): number {
  // Quotes count only where a value begins, so that a lone apostrophe in a broken tag opens nothing.
  for (let at = from; at < to; at++) {
    if ((html[at] === '"' || html[at] === "'") && html[at - 1] === "=") return at;
  }
  return -1;
}

function pastElement(html: string, from: number, name: string): number {
  const close = new RegExp(`</${name}\\b`, "gi");
  close.lastIndex = from;
  const found = close.exec(html);
  if (found === null) {
    // For a head without an end, the body starts implicitly. Any other unclosed tag swallows the rest, as in a browser.
    return name === "head" ? from : html.length;
  }
  return tagEnd(html, close.lastIndex);
}

function attribute(attributes: string, name: string): string {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(
    attributes.slice(0, 20_000),
  );
  return found === null ? "" : decodeHTMLAttribute(found[1] ?? found[2] ?? found[3] ?? "");
}

/** Preheaders are padded with invisible characters, and blank lines pile up where tables were. */
function tidy(text: string): string {
  return text
    .replace(/\u034f|[\u00ad\u200b-\u200d\u2060\ufeff]/g, "")
    .replace(/[ \t\u00a0]{2,}/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
