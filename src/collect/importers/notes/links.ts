// Finds the links in a note's text (other notes, files, web pages) and its tags.
import type { JsonValue } from "../../../contract/json.ts";

/** A note with more links than this is a link list. Only the first ones are kept. */
const LINKS_MAX = 2000;

export interface Pointers {
  /** Targets of `[[Target]]` and `[text](target)`, decoded and without the heading, including embedded ones. */
  targets: { target: string; isWiki: boolean }[];
  urls: string[];
  tags: string[];
}

const WIKI = /\[\[([^[\]\n]{1,500})\]\]/g;
const MARKDOWN =
  /\]\(\s*(?:<([^<>\n]{1,2000})>|([^\s()<>]{1,2000}(?:\([^\s()]{0,200}\)[^\s()<>]{0,200})?))(?:\s+"[^"\n]{0,300}")?\s*\)/g;
const URL_TEXT = /https?:\/\/[^\s<>()[\]"'`|]{1,2000}/g;
const TAG = /(?:^|[\s(])#([\p{L}\p{N}\p{Extended_Pictographic}_/-]{1,200})/gu;

export function pointersIn(body: string, properties: JsonValue): Pointers {
  const targets = new Map<string, { target: string; isWiki: boolean }>();
  const urls = new Set<string>();
  const tags = new Set<string>();
  const add = (raw: string, isWiki: boolean): void => {
    const target = (isWiki ? raw.split("|")[0]! : decoded(raw)).split("#")[0]!.trim();
    if (target !== "" && targets.size < LINKS_MAX) targets.set(`${isWiki} ${target}`, { target, isWiki });
  };
  const look = (text: string, isBody: boolean): void => {
    for (const [, inside] of text.matchAll(WIKI)) add(inside!.replaceAll("\\|", "|"), true);
    for (const [url] of text.matchAll(URL_TEXT)) if (urls.size < LINKS_MAX) urls.add(url.replace(/[.,;:!?]+$/, ""));
    if (!isBody) return;
    for (const [, bracketed, plain] of text.matchAll(MARKDOWN)) {
      const target = (bracketed ?? plain)!;
      if (!/^[a-z][a-z0-9+.-]*:|^#/i.test(target)) add(target, false);
    }
    // A bare number is not a tag: #1 is an issue.
    for (const [, tag] of text.matchAll(TAG)) if (/[^\d/_-]/u.test(tag!)) tags.add(tag!.replace(/\/+$/, ""));
  };
  textsOf(properties, (text) => look(text, false));
  look(withoutCode(body), true);
  return { targets: [...targets.values()], urls: [...urls], tags: [...tags] };
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function withoutCode(body: string): string {
  let fence: string | undefined;
  const kept: string[] = [];
  for (const line of body.split("\n")) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1]?.slice(0, 3);
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    else if (fence === undefined) kept.push(line.replace(/`[^`\n]+`/g, ""));
  }
  return kept.join("\n");
}

function textsOf(value: JsonValue, look: (text: string) => void): void {
  if (typeof value === "string") look(value);
  else if (value !== null && typeof value === "object") for (const inner of Object.values(value)) textsOf(inner, look);
}
