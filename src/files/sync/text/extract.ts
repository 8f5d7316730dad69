// The text of a file from its bytes: as characters, or out of the XML of an office document. Never more than a megabyte.
import { documentText } from "./documents.ts";
import type { Format } from "./formats.ts";
import { plainText } from "./plain.ts";

/** Of one file: longer ones are cut, and say so. */
export const TEXT_BYTES_MAX = 1024 * 1024;

export interface Extracted {
  /** Empty when there is none. */
  text: string;
  isCut: boolean;
}

export async function extract(format: Format, bytes: Uint8Array): Promise<Extracted> {
  const { text, isCut } = format === "plain" ? plainPart(bytes) : await documentText(format, bytes, TEXT_BYTES_MAX);
  return cut(text.trimEnd(), isCut);
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
