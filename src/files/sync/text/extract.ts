// Extracts the text of a file from its bytes: plain text, a PDF, an office document's XML, or text recognised in a
// picture. Returns at most a megabyte.
import { documentText } from "./documents.ts";
import type { TextFormat } from "./formats.ts";
import { plainText } from "./plain.ts";

/** The limit for one file. Longer texts are truncated and marked. */
export const TEXT_BYTES_MAX = 1024 * 1024;

export interface Extracted {
  /** Empty for a file without text. */
  text: string;
  isCut: boolean;
  /** True if the text was recognised in a picture, so it may contain errors. */
  isRecognised?: boolean;
}

/** Recognises text in pictures, if recognition is installed. */
export interface PictureReader {
  textOf(picture: Uint8Array): Promise<string>;
  /** The pictures on each page of a PDF. */
  pdfPictures?(bytes: Uint8Array): AsyncIterable<Uint8Array[]>;
}

export async function extract(format: TextFormat, bytes: Uint8Array, reader?: PictureReader): Promise<Extracted> {
  const { text, isCut, isRecognised } = await uncut(format, bytes, reader);
  return { ...cut(text.trimEnd(), isCut), ...(isRecognised ? { isRecognised } : {}) };
}

async function uncut(format: TextFormat, bytes: Uint8Array, reader: PictureReader | undefined): Promise<Extracted> {
  if (format === "plain") return plainPart(bytes);
  if (format === "picture") return { text: (await reader?.textOf(bytes)) ?? "", isCut: false, isRecognised: true };
  if (format !== "pdf") return documentText(format, bytes, TEXT_BYTES_MAX);
  // Load this module with the first PDF, because it is the largest one here.
  const { pdfText } = await import("./pdf.ts");
  const written = await pdfText(bytes, TEXT_BYTES_MAX);
  return written.text !== "" || reader?.pdfPictures === undefined ? written : scannedText(bytes, reader);
}

/** How many pages of a document are recognised. A whole book would take an hour. */
const PAGES_MAX = 100;

/** Recognises text in the page pictures of a PDF that has no text of its own. */
async function scannedText(bytes: Uint8Array, { textOf, pdfPictures }: PictureReader): Promise<Extracted> {
  const pages: string[] = [];
  let length = 0;
  for await (const pictures of pdfPictures!(bytes)) {
    if (pages.length >= PAGES_MAX || length > TEXT_BYTES_MAX)
      return { text: pages.join("\n\n"), isCut: true, isRecognised: true };
    const parts: string[] = [];
    for (const picture of pictures) parts.push(await textOf(picture));
    const page = parts.join("\n").trim();
    pages.push(page);
    length += page.length;
  }
  return { text: pages.join("\n\n").trim(), isCut: false, isRecognised: true };
}

function plainPart(bytes: Uint8Array): Extracted {
  const isCut = bytes.length > TEXT_BYTES_MAX;
  return { text: plainText(bytes, isCut), isCut };
}

/**
 * Removes invisible characters, which JSON would escape with six characters each, and truncates a long text at a
 * character boundary.
 */
function cut(text: string, isCut: boolean): Extracted {
  const clean = text.replace(UNWANTED, "").toWellFormed();
  if (Buffer.byteLength(clean) <= TEXT_BYTES_MAX) return { text: clean, isCut };
  const bytes = Buffer.from(clean).subarray(0, TEXT_BYTES_MAX);
  return { text: new TextDecoder().decode(bytes, { stream: true }), isCut: true };
}

const UNWANTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g;
