// Recognises mail by its first bytes: mailbox files (mbox), single messages, Maildirs, and formats that must be
// exported differently.
import type { EntryPreview, Recognition } from "../../importer.ts";
import { isMaildir, isMaildirTmp } from "./place.ts";
import { isEnvelope } from "./split.ts";

export type MailKind = "mbox" | "mmdf" | "bare" | "emlx" | "message";

/** Headers that every program writes. A message has at least one header of the first group and one of the second. */
const FIRST = /^(?:from|received|message-id|return-path|delivered-to|x-envelope-from|envelope-to):/im;
const SECOND = /^(?:date|subject|to|mime-version|content-type|message-id|received):/im;
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

export function kindOf(path: string, head: Uint8Array): MailKind | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const text = bytes.toString("latin1").replace(/^ï»¿/, "").trimStart();
  const [line = ""] = text.split(/\r?\n/, 1);
  if (line.startsWith("\x01\x01\x01\x01")) return "mmdf";
  if (isEnvelope(line, text.slice(text.indexOf("\n") + 1))) return "mbox";
  if (/\.emlx$/i.test(path) && /^\d+\s*$/.test(line)) return "emlx";
  const [headers = ""] = text.split(/\r?\n[ \t]*\r?\n/, 1);
  // Every line of a header block is a field or continues one.
  const fields = headers.split(/\r?\n/).slice(0, -1);
  const wellFormed = fields.filter((field) => /^(?:[!-9;-~]+[ \t]*:|[ \t])/.test(field)).length;
  if (fields.length > 0 && wellFormed < fields.length * 0.8) return undefined;
  const known = FIRST.test(headers) && SECOND.test(headers);
  if (!known) return undefined;
  return isBareFolder(path) ? "bare" : "message";
}

/**
 * Matches a name without an extension that is not a message number of an MH folder. Programs wrote whole folders to
 * such files, without any envelope line.
 */
const isBareFolder = (path: string): boolean => !isMaildir(path) && /(?:^|\/)(?!\d+$)[^./][^.]*$/.test(path);

export function recogniseMail({ path, head, size }: EntryPreview): Recognition | undefined {
  if (/\.(?:pst|ost)$/i.test(path)) {
    return {
      score: 90,
      reason: "Outlook data file",
      advice: "export the folders as .eml or mbox, for example with Thunderbird's import",
    };
  }
  if (/\.olm$/i.test(path)) {
    return {
      score: 90,
      reason: "Outlook for Mac archive",
      advice: "drag the folders out of Outlook, which writes mbox files, and import those",
    };
  }
  if (/\.msg$/i.test(path) && OLE.equals(head.subarray(0, 4))) {
    return { score: 90, reason: "Outlook message", advice: "save it as .eml instead of .msg" };
  }
  if (size === 0) return undefined;
  const kind = kindOf(path, head);
  if (isMaildirTmp(path) && kind !== undefined) {
    return {
      score: 90,
      reason: "unfinished delivery in a Maildir",
      advice: "nothing to do: mail programs ignore it too",
    };
  }
  if (kind === "mbox") return { score: 95, reason: "mail folder (mbox)" };
  if (kind === "mmdf") return { score: 95, reason: "mail folder (MMDF)" };
  if (kind === "emlx") return { score: 90, reason: "Apple Mail message" };
  if (kind === "message" || kind === "bare") {
    if (isMaildir(path)) return { score: 92, reason: "Maildir" };
    return /\.(?:eml|mail|email)$/i.test(path)
      ? { score: 90, reason: "mail message" }
      : { score: 65, reason: "mail message, judging by its headers" };
  }
  return /\.eml$/i.test(path) ? { score: 40, reason: "mail message, judging by its name" } : undefined;
}
