// Decodes bytes as UTF-8, as UTF-16 with a byte order mark, or otherwise as Windows-1252. Returns no text for binary
// data.
import { isUtf8 } from "node:buffer";

/** Enough bytes to recognise binary content in a file whose name suggests text. */
const HEAD_BYTES = 8192;

/** If `isCut` is true, the last character may be truncated too. */
export function plainText(bytes: Uint8Array, isCut: boolean): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, HEAD_BYTES).some(isBinary)) return "";
  const whole = (isCut ? [0, 1, 2, 3] : [0]).some((less) => isUtf8(bytes.subarray(0, bytes.length - less)));
  return whole ? new TextDecoder().decode(bytes, { stream: true }) : new TextDecoder("windows-1252").decode(bytes);
}

const isBinary = (byte: number): boolean => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
