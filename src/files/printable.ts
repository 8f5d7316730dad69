// Turns names and paths into text that can be shown and parsed again. Bytes that are not plain text are escaped.

/** Control, bidi, zero-width and other invisible characters, and the escape character itself. */
const UNSAFE = /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
const UNSAFE_ALL = new RegExp(UNSAFE, "gu");
const ESCAPE = /\\(?:x([0-9a-f]{2})|(\\))/g;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function printable(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return escapeBroken(bytes);
  }
  return UNSAFE.test(text) ? text.replace(UNSAFE_ALL, escaped) : text;
}

/** True if the printed name equals the name itself. */
export function isPlain(bytes: Uint8Array, text: string): boolean {
  return bytes.length === Buffer.byteLength(text) && !text.includes("\\");
}

const escaped = (character: string): string =>
  character === "\\" ? "\\\\" : [...Buffer.from(character)].map((byte) => `\\x${hex(byte)}`).join("");

const hex = (byte: number): string => byte.toString(16).padStart(2, "0");

/** Keeps valid text, and escapes all other bytes one by one. */
function escapeBroken(bytes: Uint8Array): string {
  let out = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      out += `\\x${hex(bytes[at]!)}`;
      at++;
    } else {
      out += printable(bytes.subarray(at, at + length));
      at += length;
    }
  }
  return out;
}

/** Returns the length of the UTF-8 sequence that begins here, or 0 if none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || (first >= 0x80 && first < 0xc2) || at + length > bytes.length) return 0;
  try {
    utf8.decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}

/** Returns the bytes that a printed name represents. */
export function unprintable(text: string): Buffer {
  const parts: Buffer[] = [];
  let end = 0;
  for (const match of text.matchAll(ESCAPE)) {
    parts.push(Buffer.from(text.slice(end, match.index)));
    parts.push(match[1] === undefined ? Buffer.from("\\") : Buffer.of(Number.parseInt(match[1], 16)));
    end = match.index + match[0].length;
  }
  parts.push(Buffer.from(text.slice(end)));
  return Buffer.concat(parts);
}
