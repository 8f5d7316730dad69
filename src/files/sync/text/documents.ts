// Extracts text from office documents. They are zips of XML, unpacked in memory under the limits for archives.
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { ARCHIVE_LIMITS, unfoldMeter } from "../../../collect/archive/limits.ts";
import { openZipBytes, type StreamedEntry } from "../../../collect/archive/zip.ts";
import type { Extracted } from "./extract.ts";
import type { TextFormat } from "./formats.ts";

type DocumentFormat = Exclude<TextFormat, "plain" | "pdf" | "picture">;

/** The limits for one unpacked document: far more than its text needs, but far less than the process's memory. */
const LIMITS = { ...ARCHIVE_LIMITS, entries: 20_000, entryBytes: 256 * 1024 ** 2, totalBytes: 512 * 1024 ** 2 };
const DEPTH_MAX = 200;

/** The zip entries that contain text, in reading order. */
const PARTS: Record<DocumentFormat, RegExp> = {
  docx: /^word\/(?:document|footnotes|endnotes)\.xml$/,
  pptx: /^ppt\/(?:slides\/slide|notesSlides\/notesSlide)\d+\.xml$/,
  xlsx: /^xl\/(?:sharedStrings|worksheets\/sheet\d+)\.xml$/,
  opendocument: /^content\.xml$/,
};

/** Elements whose characters are text. In OpenDocument, these are all paragraphs and headings. */
const TEXT = new Set(["w:t", "a:t", "t", "v", "text:p", "text:h"]);
/** The text to add when an element ends. */
const AFTER: Record<string, string> = {
  "w:p": "\n",
  "w:br": "\n",
  "w:tab": "\t",
  "a:p": "\n",
  "a:br": "\n",
  "text:p": "\n",
  "text:h": "\n",
  "text:line-break": "\n",
  "text:tab": "\t",
  "text:s": " ",
  "table:table-cell": "\t",
  row: "\n",
};

export async function documentText(format: DocumentFormat, bytes: Uint8Array, most: number): Promise<Extracted> {
  const entries: StreamedEntry[] = [];
  for await (const entry of openZipBytes(bytes, unfoldMeter(bytes.length, LIMITS))) entries.push(entry);
  const parts = entries.filter(({ path }) => PARTS[format].test(path)).sort(inOrder);
  if (parts.length === 0) throw new Error("it contains no document");
  const out = new BoundedText(most);
  const shared: string[] = [];
  for (const part of parts) {
    if (out.isFull) break;
    if (part.path === "xl/sharedStrings.xml") await readShared(part, shared, most);
    else {
      await readPart(part, out, shared);
      out.add("\n");
    }
  }
  return { text: out.text.replace(/[ \t]+\n/g, "\n").replace(/\n{3,}/g, "\n\n"), isCut: out.isFull };
}

/** Slide 10 comes after slide 2, notes after slides, and shared strings before the sheets that use them. */
function inOrder({ path: one }: StreamedEntry, { path: other }: StreamedEntry): number {
  const rank = (path: string): number => (/sharedStrings/.test(path) ? 0 : /notes/.test(path) ? 2 : 1);
  return rank(one) - rank(other) || one.localeCompare(other, "en", { numeric: true });
}

/** Collects text up to a limit. */
class BoundedText {
  readonly #most: number;
  #parts: string[] = [];
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#length > this.#most;
  }

  get text(): string {
    return this.#parts.join("");
  }

  add(text: string): void {
    if (this.isFull) return;
    this.#parts.push(text);
    this.#length += text.length;
  }
}

interface Handlers {
  open?(tag: SaxesTagPlain): void;
  close(name: string): void;
  text(text: string): void;
}

class Enough extends Error {}

async function parse(entry: StreamedEntry, { open, close, text }: Handlers): Promise<void> {
  const parser = new SaxesParser();
  let depth = 0;
  parser.on("doctype", () => {
    throw new Error("it contains a DOCTYPE declaration, and office programs never write one");
  });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", (tag) => {
    if (++depth > DEPTH_MAX) throw new Error(`its XML is nested more than ${DEPTH_MAX} levels deep`);
    open?.(tag as SaxesTagPlain);
  });
  parser.on("closetag", ({ name }) => {
    depth--;
    close(name);
  });
  parser.on("text", text);
  const decoder = new TextDecoder();
  try {
    for await (const bytes of entry.open()) parser.write(decoder.decode(bytes, { stream: true }));
    parser.close();
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
}

/** A shared string is referenced by its number. Other cells contain their text. */
async function readPart(entry: StreamedEntry, out: BoundedText, shared: readonly string[]): Promise<void> {
  let inText = 0;
  let isShared = false;
  let cell = "";
  await parse(entry, {
    open({ name, attributes }) {
      if (TEXT.has(name)) inText++;
      if (name !== "c") return;
      isShared = attributes.t === "s";
      cell = "";
    },
    text(text) {
      if (inText === 0) return;
      if (isShared) cell += text;
      else out.add(text);
    },
    close(name) {
      if (TEXT.has(name)) inText--;
      if (name === "c") {
        if (isShared) out.add(shared[Number(cell)] ?? "");
        isShared = false;
        out.add("\t");
      }
      if (Object.hasOwn(AFTER, name)) out.add(AFTER[name]!);
      if (out.isFull) throw new Enough();
    },
  });
}

/** Strings beyond the limit become empty. */
async function readShared(entry: StreamedEntry, shared: string[], most: number): Promise<void> {
  let item = "";
  let inText = 0;
  let length = 0;
  await parse(entry, {
    open({ name }) {
      if (name === "t") inText++;
    },
    text(text) {
      if (inText > 0) item += text;
    },
    close(name) {
      if (name === "t") inText--;
      if (name !== "si") return;
      shared.push(item);
      length += item.length;
      item = "";
      // Allow twice the limit, because cells can use the strings in any order.
      if (length > 2 * most) throw new Enough();
    },
  });
}
