// Parses a message in a WhatsApp export into its sender, text and file, or an event in the chat.

/** Marks that WhatsApp adds before its own words and around names and numbers. */
const WHATSAPP_MARKS = /[\u200e\u2068\u2069\u202a\u202c]/g;
const SENDER_CHARS_MAX = 100;

/** The ends of phrases such as "image omitted", in the languages of iOS. */
const OMITTED =
  /(?:omitted|weggelassen|ausgelassen|ausgeschlossen|omise?s?|absente?|omitid[oa]s?|ocultad[oa]|omess[oa]|non inclus[oa]|weggelaten|pominięt[oaye]|utelämnad(?:es)?|utelatt|udeladt|poistettu|опущен[оаы]?|пропущен[оаы]?|dahil edilmedi|無|省略|忽略|생략|없음|を削除しました)$/u;

export interface MessageContent {
  /** Absent for a notice from WhatsApp itself. */
  sender?: string;
  /** Unchanged and including marks. `messageOf` parses it when all lines have been read. */
  text: string;
}

/** Splits "Ann: hello". A line without a colon, or with a quotation mark before it, is an event. */
export function splitSender(rest: string): MessageContent {
  const colon = rest.indexOf(": ");
  const at = colon !== -1 ? colon : rest.endsWith(":") ? rest.length - 1 : -1;
  const sender = rest.slice(0, Math.max(0, at)).replace(WHATSAPP_MARKS, "").trim();
  if (at === -1 || sender === "" || sender.length > SENDER_CHARS_MAX || /["“”«»]/.test(sender)) return { text: rest };
  return { sender, text: rest.slice(at + 1).replace(/^ /, "") };
}

export interface WhatsappMessage {
  kind: "message" | "media" | "system";
  text: string;
  /** The name of the file that was exported with the message. */
  file?: string;
  isEdited: boolean;
}

/** `isExported` returns true if such a file is next to the chat. */
export function messageOf({ sender, text }: MessageContent, isExported: (name: string) => boolean): WhatsappMessage {
  const edited = /^(.+?) ?\u200e<[^<>:\n]{5,60}>$/su.exec(text);
  const body = edited?.[1] ?? text;
  const isEdited = edited !== null;
  const plain = body.replace(WHATSAPP_MARKS, "").trim();
  if (sender === undefined) return { kind: "system", text: plain, isEdited };
  const file = fileIn(body, isExported);
  if (file !== undefined) {
    const caption = body
      .replace(file.words, () => "")
      .replace(WHATSAPP_MARKS, "")
      .trim();
    return { kind: "media", text: caption, file: file.name, isEdited };
  }
  const [first = "", ...lines] = body.split("\n");
  const own = first.includes("\u200e");
  if (/^\u200e?<[^<>:]{3,40}>$/u.test(first.trim()) || (own && OMITTED.test(first.trim()))) {
    const document = /^(.{1,200}?\.\w{2,5}) • /u.exec(first.replace(WHATSAPP_MARKS, ""))?.[1];
    const name = document === undefined ? {} : { file: document };
    return { kind: "media", text: lines.join("\n").replace(WHATSAPP_MARKS, "").trim(), ...name, isEdited };
  }
  return { kind: first.startsWith("\u200e") ? "system" : "message", text: plain, isEdited };
}

/**
 * Finds `<attached: NAME>` (iOS) or `NAME (file attached)` (Android), in any language, and returns the words to remove.
 */
function fileIn(text: string, isExported: (name: string) => boolean): { name: string; words: string } | undefined {
  const ios = /<[^<>:\n]{2,40}: ?([^<>/\n]{1,200}\.[A-Za-z0-9]{1,5})>/u.exec(text);
  if (ios !== null) return { name: ios[1]!, words: ios[0] };
  const android = /^\u200e?([^/\n]{1,200}?\.[A-Za-z0-9]{2,5}) \([^()\n]{3,40}\)(?=\n|$)/u.exec(text);
  const name = android?.[1]?.replace(WHATSAPP_MARKS, "");
  if (name === undefined || !(/-WA\d{4}/.test(name) || isExported(name))) return undefined;
  return { name, words: android![0] };
}
