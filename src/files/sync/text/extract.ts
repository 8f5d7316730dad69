// The text of a file from its bytes: as characters, out of a PDF, or out of the XML of an office document. Never more than a megabyte.
import { documentText } from "./documents.ts";
import type { TextFormat } from "./formats.ts";
import { plainText } from "./plain.ts";

/** Of one file: longer ones are cut, and say so. */
export const TEXT_BYTES_MAX = 1024 * 1024;

export interface Extracted {
  /** Empty when there is none. */
  text: string;
  isCut: boolean;
}

export async function extract(format: TextFormat, bytes: Uint8Array): Promise<Extracted> {
  const { text, isCut } = await uncut(format, bytes);
  return cut(text.trimEnd(), isCut);
}

async function uncut(format: TextFormat, bytes: Uint8Array): Promise<Extracted> {
  if (format === "plain") return plainPart(bytes);
  if (format !== "pdf") return documentText(format, bytes, TEXT_BYTES_MAX);
  // Loaded with the first PDF: it is the largest thing here.
  const { pdfText } = await import("./pdf.ts");
  return pdfText(bytes, TEXT_BYTES_MAX);
}

function plainPart(bytes: Uint8Array): Extracted {
  const isCut = bytes.length > TEXT_BYTES_MAX;
  return { text: plainText(bytes, isCut), isCut };
}

/** Characters that nobody sees and that JSON writes six times as long go; what is too long ends at a character. */
function cut(text: string, isCut: boolean): Extracted {
  const clean = text.replace(UNWANTED, "").toWellFormed();
  if (Buffer.byteLength(clean) <= TEXT_BYTES_MAX) return { text: clean, isCut };
  const bytes = Buffer.from(clean).subarray(0, TEXT_BYTES_MAX);
  return { text: new TextDecoder().decode(bytes, { stream: true }), isCut: true };
}

const UNWANTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g;
