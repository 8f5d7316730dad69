// Bytes as characters: UTF-8, UTF-16 with a byte order mark, otherwise Windows-1252; binary data gives no text.
import { isUtf8 } from "node:buffer";

/** Enough to tell text from other content with a text's name. */
const HEAD_BYTES = 8192;

/** `isCut`: the last character may be cut, too. */
export function plainText(bytes: Uint8Array, isCut: boolean): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, HEAD_BYTES).some(isBinary)) return "";
  const whole = (isCut ? [0, 1, 2, 3] : [0]).some((less) => isUtf8(bytes.subarray(0, bytes.length - less)));
  return whole ? new TextDecoder().decode(bytes, { stream: true }) : new TextDecoder("windows-1252").decode(bytes);
}

const isBinary = (byte: number): boolean => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
