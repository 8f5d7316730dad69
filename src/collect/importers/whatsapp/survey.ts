// A first pass through a whole chat. It collects the chat's name, date format, senders and file names.
import type { Entry } from "../../entry.ts";
import { linesOf } from "../../entry.ts";
import { folderOf, nameOf } from "../attached-file.ts";
import { digestOf } from "../replay.ts";
import { type MessageContent, messageOf, splitSender } from "./content.ts";
import { dateEvidence } from "./date-order.ts";
import { type ChatDateOrder, isSameStyle, isYearFirst, type MessageHeader, parseHeader } from "./header.ts";

/** A group has at most a few thousand members. This limits what is kept from hostile files. */
const SENDERS_MAX = 5000;

export interface ChatSurvey {
  style: MessageHeader;
  /** Undefined if it cannot be determined. */
  order?: ChatDateOrder;
  /** The same in every export of the chat. */
  chatId: string;
  /** The name from the export, or else the people who write in the chat. */
  chatName: string;
  messages: number;
  first: MessageHeader;
  last: MessageHeader;
  files: ReadonlySet<string>;
}

/** Returns undefined if the file contains no message. */
export async function survey(
  entry: Entry,
  inputName: string,
  isExported: (name: string) => boolean,
): Promise<ChatSurvey | undefined> {
  const evidence = dateEvidence();
  const senders = new Set<string>();
  const files = new Set<string>();
  let style: MessageHeader | undefined;
  let last: MessageHeader | undefined;
  let opening: { header: MessageHeader; content: MessageContent } | undefined;
  let notice: string | undefined;
  let messages = 0;
  for await (const { bytes } of linesOf(entry)) {
    const line = bytes.toString();
    const header = parseHeader(line);
    if (header === undefined || (style !== undefined && !isSameStyle(style, header))) {
      // A file can be mentioned in a later line of its message, after the caption.
      const { file } = messageOf({ sender: "-", text: line }, isExported);
      if (file !== undefined) files.add(file);
      continue;
    }
    style ??= header;
    last = header;
    messages++;
    evidence.see(header);
    const content = splitSender(header.rest);
    opening ??= { header, content };
    if (content.sender === undefined) continue;
    const { kind, file } = messageOf(content, isExported);
    if (file !== undefined) files.add(file);
    // iOS puts the chat's name before its own notices about the chat.
    if (kind === "system" && messages === 1) notice = content.sender;
    else if (senders.size < SENDERS_MAX) senders.add(content.sender);
  }
  if (style === undefined || last === undefined || opening === undefined) return undefined;
  const order = evidence.order();
  const named = nameFrom(entry.path, inputName) ?? notice;
  const { header, content } = opening;
  return {
    style,
    ...(order === undefined ? {} : { order }),
    chatId:
      named === undefined
        ? digestOf(header.numbers.map(Number).join(), header.rest)
        : digestOf("chat", named.toLowerCase()),
    chatName: named ?? ([...senders].sort().slice(0, 4).join(", ") || content.text.slice(0, 60) || "WhatsApp chat"),
    messages,
    first: style,
    last,
    files,
  };
}

/** The beginning of an export's file name in several languages, up to the name of the chat. */
const EXPORT_NAME =
  /^(?:whatsapp[ -]?chat(?: with| mit| met| -| –|-)?|chat (?:de )?whatsapp (?:con|com|de|-)|conversa do whatsapp com|conversaci[oó]n de whatsapp con|discussion whatsapp avec|чат whatsapp с(?: контактом)?)[ _]*/i;

/** The chat's name from the file, or from the archive or folder that contains `_chat.txt`. */
function nameFrom(path: string, inputName: string): string | undefined {
  const own = nameOf(path).replace(/\.txt$/i, "");
  const outer = nameOf(folderOf(path) || inputName).replace(/\.(?:zip|txt)$/i, "");
  const called = /^_chat\b/i.test(own) ? outer : own;
  if (!EXPORT_NAME.test(called)) return undefined;
  return (
    called
      .replace(EXPORT_NAME, "")
      .replace(/ ?\(\d+\)$/, "")
      .trim() || undefined
  );
}

/** Scores how certain it is, from the start of a file, that this is a chat. */
export function chatScore(head: Uint8Array, path: string): number {
  const lines = Buffer.from(head).toString().split(/\r?\n/);
  const begin = lines.findIndex((line) => line.trim() !== "");
  const first = parseHeader(lines[begin] ?? "");
  if (first === undefined) return 0;
  if (/whatsapp|^_chat|\/_chat/i.test(path)) return 95;
  // Program logs begin like this too.
  if (isYearFirst(first) && !first.isByPhone) return 0;
  const others = lines.slice(begin + 1).some((line) => {
    const header = parseHeader(line);
    return header !== undefined && isSameStyle(first, header) && splitSender(header.rest).sender !== undefined;
  });
  return others ? 85 : 65;
}
