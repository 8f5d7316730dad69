// Decodes messages that declare no charset, or declare UTF-8 wrongly, as Windows-1252, the usual code page of the
// programs that write them.
import { isUtf8 } from "node:buffer";
import type { Email } from "postal-mime";
import { parseMail } from "./parse-mail.ts";
import { bodyStart } from "./split.ts";

/** A text part whose Content-Type, including folded lines, declares no charset. */
const UNDECLARED = /^(content-type:[ \t]*text\/(?:plain|html))(?![\w.+-])(?!(?:[^\n]|\n[ \t])*charset)/gim;

/** A text part that declares UTF-8 or ASCII. */
const DECLARES_UTF8 =
  /^(content-type:[ \t]*text\/(?:plain|html)(?:[^\n]|\n[ \t])*?charset=)"?(?:utf-?8|us-ascii)\b"?/gim;
/**
 * A correctly decoded non-ASCII character shows that the declared charset is right and the text is only damaged in
 * places.
 */
const DECODED_NON_ASCII = /[^\x00-\x7f\ufffd]/;

export async function parseReadable(raw: Buffer): Promise<Email> {
  const bytes = readable(raw);
  const email = await parseMail(bytes);
  if (!contains(email, "\ufffd")) return email;
  const text = bytes.toString("latin1");
  const declared = text.replace(UNDECLARED, "$1; charset=windows-1252");
  if (declared !== text) {
    const again = await parseMail(Buffer.from(declared, "latin1"));
    // The sender really sent U+FFFD in UTF-8, so the first decoding was right.
    return contains(again, "ï¿½") ? email : again;
  }
  const corrected = text.replace(DECLARES_UTF8, "$1windows-1252");
  if (corrected === text || DECODED_NON_ASCII.test(`${email.text ?? ""}${email.html ?? ""}`)) return email;
  return parseMail(Buffer.from(corrected, "latin1"));
}

const contains = ({ text, html }: Email, part: string): boolean =>
  text?.includes(part) === true || html?.includes(part) === true;

/**
 * Old mail programs wrote headers, and bodies without a declared charset, in their local code page, although only ASCII
 * was allowed.
 */
function readable(bytes: Buffer): Buffer {
  const start = bodyStart(bytes, 0) ?? bytes.length;
  const headers = bytes.subarray(0, start);
  const legible = isUtf8(headers) ? headers : Buffer.concat(linesIn(headers).map(utf8Line));
  const silent = !/^content-type:/im.test(legible.toString("latin1")) && !isUtf8(bytes.subarray(start));
  if (legible === headers && !silent) return bytes;
  return Buffer.concat([silent ? SILENT_TYPE : EMPTY, legible, bytes.subarray(start)]);
}
function linesIn(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    lines.push(bytes.subarray(from, end === -1 ? bytes.length : end + 1));
    from = end === -1 ? bytes.length : end + 1;
  }
  return lines;
}
const windows1252 = new TextDecoder("windows-1252");
function utf8Line(line: Buffer): Buffer {
  if (isUtf8(line)) return line;
  // The bytes inside an encoded word are in the charset that the word declares.
  const escaped = line
    .toString("latin1")
    .replace(/=\?[^?\s]{1,60}\?q\?[^?\n]{0,1000}\?=/gi, (word) =>
      word.replace(/[\x80-\xff]/g, (sign) => `=${sign.charCodeAt(0).toString(16)}`),
    );
  return Buffer.from(windows1252.decode(Buffer.from(escaped, "latin1")));
}
const SILENT_TYPE = Buffer.from("Content-Type: text/plain; charset=windows-1252\n");
const EMPTY = Buffer.alloc(0);
