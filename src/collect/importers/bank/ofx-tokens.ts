// Reads OFX as a stream of aggregates and values: both 1.x SGML, whose values are never closed, and 2.x XML.
import { decodeHTMLStrict } from "entities";

export type OfxToken =
  | { open: string; offset: number }
  | { close: string; offset: number }
  | { name: string; value: string; offset: number };

/** Longer values are cut, because no bank writes such values and memory use must stay low. */
const VALUE_MAX = 16 * 1024;
const TAG_MAX = 200;

/** `isAggregate` returns true for names that contain others, to tell them from an empty value that is never closed. */
export async function* ofxTokens(
  pieces: AsyncIterable<string>,
  isAggregate: (name: string) => boolean,
): AsyncGenerator<OfxToken> {
  let held = "";
  let base = 0;
  let pending: { name: string; offset: number; text: string } | undefined;
  let inData = false;

  const addText = (text: string): void => {
    if (pending !== undefined && pending.text.length < VALUE_MAX) pending.text += text.slice(0, VALUE_MAX);
  };
  const settle = (): OfxToken[] => {
    if (pending === undefined) return [];
    const { name, offset, text } = pending;
    pending = undefined;
    const value = text.trim();
    return value === "" ? [] : [{ name, value, offset }];
  };
  /** Parses one tag without its brackets. */
  const tag = (inner: string, offset: number): OfxToken[] => {
    if (/^[!?]/.test(inner)) return [];
    const name = /^\/?\s*([^\s/>]{1,100})/.exec(inner)?.[1]?.toUpperCase();
    if (name === undefined) return [];
    const tokens = settle();
    if (inner.startsWith("/")) {
      if (isAggregate(name)) tokens.push({ close: name, offset });
    } else if (isAggregate(name)) tokens.push({ open: name, offset });
    else if (!inner.endsWith("/")) pending = { name, offset, text: "" };
    return tokens;
  };

  for await (const piece of pieces) {
    held += piece;
    let at = 0;
    while (at < held.length) {
      if (inData) {
        const end = held.indexOf("]]>", at);
        addText(held.slice(at, end === -1 ? Math.max(at, held.length - 2) : end));
        if (end === -1) {
          at = Math.max(at, held.length - 2);
          break;
        }
        inData = false;
        at = end + 3;
        continue;
      }
      const start = held.indexOf("<", at);
      addText(unescaped(held.slice(at, start === -1 ? held.length : start)));
      if (start === -1) {
        at = held.length;
        break;
      }
      at = start;
      if (held.startsWith("<![CDATA[", start)) {
        inData = true;
        at = start + 9;
        continue;
      }
      const end = held.indexOf(">", start);
      if (end === -1 && held.length - start <= TAG_MAX) break;
      if (end === -1 || (end - start > TAG_MAX && !/^<[!?]/.test(held.slice(start, start + 2)))) {
        // This is a lone bracket inside a value.
        addText("<");
        at = start + 1;
        continue;
      }
      yield* tag(held.slice(start + 1, end), base + start);
      at = end + 1;
    }
    base += at;
    held = held.slice(at);
  }
  yield* settle();
}

/** Some banks escape twice (`&amp;lt;`). The second pass decodes only unambiguous sequences. */
export function unescaped(text: string): string {
  if (!text.includes("&")) return text;
  const once = (all: string): string => decodeHTMLStrict(all).replaceAll("\u00a0", " ");
  const first = once(text);
  return /&(?:lt|gt|amp);/.test(first) ? once(first) : first;
}
