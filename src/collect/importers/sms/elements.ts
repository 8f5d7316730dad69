// Streams the messages and calls in the XML of “SMS Backup & Restore”. Memory is bounded by a single message or call.
import { SaxesParser } from "saxes";
import { parsedPieces } from "../xml-pieces.ts";

type Attributes = Readonly<Record<string, string>>;

export interface SmsElement {
  name: "sms" | "mms" | "call";
  attributes: Attributes;
  /** The text parts and files of an MMS. */
  parts: Attributes[];
  /** The participants of an MMS, by `type`. */
  addresses: Attributes[];
}

export type SmsItem = { element: SmsElement; offset: number } | { problem: string; offset: number };

const NAMES: ReadonlySet<string> = new Set(["sms", "mms", "call"]);
/** The limit for a message with its files in base64. Networks allow a few megabytes. */
const ELEMENT_CHARACTERS_MAX = 128 * 1024 * 1024;
const DEPTH_MAX = 10;
const PARTS_MAX = 1000;
const PROBLEMS_MAX = 100;

export async function* smsElements(pieces: AsyncIterable<string>): AsyncGenerator<SmsItem> {
  const parser = new SaxesParser();
  const ready: SmsItem[] = [];
  let open: SmsElement | undefined;
  let begin = 0;
  let settled = 0;
  let depth = 0;
  let problems = 0;
  parser.on("error", ({ message }) => {
    ready.push({ problem: message, offset: parser.position });
    if (++problems >= PROBLEMS_MAX) throw new Error(`more than ${PROBLEMS_MAX} errors; the rest was not read`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (++depth > DEPTH_MAX) throw new Error(`nested more than ${DEPTH_MAX} levels deep`);
    const own = attributes as Attributes;
    if (depth === 2 && NAMES.has(name)) {
      begin = parser.position;
      open = { name: name as SmsElement["name"], attributes: own, parts: [], addresses: [] };
    } else if (name === "part" && open !== undefined && open.parts.length < PARTS_MAX) open.parts.push(own);
    else if (name === "addr" && open !== undefined && open.addresses.length < PARTS_MAX) open.addresses.push(own);
  });
  parser.on("closetag", () => {
    depth--;
    settled = parser.position;
    if (depth !== 1 || open === undefined) return;
    ready.push({ element: open, offset: begin });
    open = undefined;
  });
  const bounded = async function* (): AsyncGenerator<string> {
    for await (const piece of mended(pieces)) {
      if (parser.position - settled > ELEMENT_CHARACTERS_MAX)
        throw new Error(`a message is larger than ${ELEMENT_CHARACTERS_MAX} characters; the rest was not read`);
      yield piece;
    }
  };
  yield* parsedPieces(parser, bounded(), ready);
}

/**
 * The app writes emoji as two references to halves of a surrogate pair, and it writes control characters. XML allows
 * neither.
 */
const REFERENCE = /&#(\d{1,7});(?:&#(\d{5});)?/g;
/** Longer than two references. */
const HELD_BACK_CHARACTERS = 24;
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

async function* mended(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  for await (const piece of pieces) {
    const text = held + piece;
    // A reference, or the second half of a pair, may continue in the next chunk.
    const start = text.indexOf("&", Math.max(0, text.length - HELD_BACK_CHARACTERS));
    const cut = start === -1 ? text.length : start;
    held = text.slice(cut);
    yield repair(text.slice(0, cut));
  }
  yield repair(held);
}

const repair = (text: string): string =>
  text.replace(FORBIDDEN, "\ufffd").replace(REFERENCE, (_all, first: string, second: string | undefined) => {
    const [high, low] = [Number(first), Number(second)];
    if (high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000) return String.fromCharCode(high, low);
    return [first, second].map((digits) => (digits === undefined ? "" : allowed(digits))).join("");
  });

function allowed(digits: string): string {
  const code = Number(digits);
  const isControl = code < 32 && code !== 9 && code !== 10 && code !== 13;
  return isControl || (code >= 0xd800 && code < 0xe000) || code === 0xfffe || code === 0xffff || code > 0x10ffff
    ? "\ufffd"
    : `&#${digits};`;
}
