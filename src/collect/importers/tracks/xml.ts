// Reads track XML element by element: a handler sees each element when it opens, and again with its text when it
// closes.
import { SaxesParser } from "saxes";
import type { Entry } from "../../entry.ts";
import { textOf } from "../decode.ts";
import { parsedPieces } from "../xml-pieces.ts";
import type { TrackItem } from "./item.ts";

export interface XmlElement {
  /** Without the namespace prefix. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The element's own text, without that of nested elements. */
  text: string;
}

export interface XmlHandler {
  open?(element: XmlElement, outer: XmlElement | undefined): void;
  close(element: XmlElement, outer: XmlElement | undefined): void;
  /** Called at the end of the file, even if the file is truncated. */
  end?(): void;
}

const DEPTH_MAX = 100;
/** In KML, all coordinates of a line are in a single text node. */
const TEXT_MAX = 8 * 1024 * 1024;
const FAULTS_MAX = 20;
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export async function* xmlItems(
  entry: Entry,
  handlerOf: (emit: (item: TrackItem) => void, offset: () => number) => XmlHandler,
): AsyncGenerator<TrackItem> {
  const parser = new SaxesParser();
  const ready: TrackItem[] = [];
  const open: XmlElement[] = [];
  let faults = 0;
  const handler = handlerOf(
    (item) => void ready.push(item),
    () => parser.position,
  );
  let lastFault = -1;
  parser.on("error", ({ message }) => {
    // A truncated file leaves several elements open, but counts as one error.
    if (parser.position === lastFault) return;
    lastFault = parser.position;
    ready.push({ problem: message.slice(0, 500), offset: parser.position });
    if (++faults >= FAULTS_MAX) throw new Error(`more than ${FAULTS_MAX} errors; the rest was not read`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length >= DEPTH_MAX) throw new Error(`nested more than ${DEPTH_MAX} levels deep`);
    const element = {
      name: name.slice(name.indexOf(":") + 1),
      attributes: attributes as Record<string, string>,
      text: "",
    };
    handler.open?.(element, open.at(-1));
    open.push(element);
  });
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element === undefined) return;
    if (element.text.length + text.length > TEXT_MAX) throw new Error(`text of more than ${TEXT_MAX} characters`);
    element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = open.pop();
    if (element !== undefined) handler.close(element, open.at(-1));
  });
  yield* parsedPieces(parser, mended(entry), ready);
  ready.length = 0;
  handler.end?.();
  yield* ready;
}

/** Some apps leave control characters in names, or spaces before the declaration. XML allows neither. */
async function* mended(entry: Entry): AsyncGenerator<string> {
  let hasBegun = false;
  for await (const piece of textOf(entry)) {
    const text: string = hasBegun ? piece : piece.trimStart();
    hasBegun ||= text !== "";
    yield text.replace(FORBIDDEN, "\ufffd");
  }
}
