// Converts one message of a Telegram export to a record, including the chat it is in.

import type { BlobRef } from "../../../contract/blob.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { countIn, idIn, instantOf, isObject, objectIn, objectsIn, present, textIn } from "../json-fields.ts";
import { localMillis } from "../local-time.ts";

export interface Chat {
  name?: string;
  type?: string;
  id?: string;
}

/** Users, groups and channels are numbered separately, so the prefix is needed. `from_id` has the same form. */
export function chatId({ id, type = "" }: Chat): string | undefined {
  if (id === undefined) return undefined;
  const family = /channel|supergroup/.test(type) ? "channel" : type.includes("group") ? "group" : "user";
  return `${family}${id}`;
}

export const chatName = (chat: Chat): string =>
  chat.name ?? (chat.type === "saved_messages" ? "Saved messages" : (chatId(chat) ?? "Telegram chat"));

const EXACT = { date: "date_unixtime", edited: "edited_unixtime" } as const;

/** Newer exports have seconds since 1970 in addition to the local time. Older ones have only the local time. */
export function messageTime(
  message: JsonObject,
  field: "date" | "edited",
  local: (millis: number) => string,
): string | undefined {
  const exact = instantOf(idIn(message, EXACT[field]));
  if (exact !== undefined) return exact;
  const digits = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(textIn(message, field) ?? "");
  if (digits === null) return undefined;
  const [year, month, day, hour, minute, second] = digits.slice(1).map(Number);
  const millis = localMillis(year!, month!, day!, hour!, minute!, second!);
  // 1970 means that the message was never edited.
  return millis === undefined || year === 1970 ? undefined : local(millis);
}

/**
 * Returns the path of a message's file, relative to the export, or undefined if the message has no file or the file was
 * not exported.
 */
export function fileOf(message: JsonObject): string | undefined {
  const path = textIn(message, "photo") ?? textIn(message, "file");
  return path === undefined || path.startsWith("(") ? undefined : path;
}

interface MessageFacts {
  chat: Chat;
  sentAt: string;
  local: (millis: number) => string;
  blob: BlobRef | undefined;
}

/** Returns undefined if the message or its chat has no id. */
export function messageData(message: JsonObject, { chat, sentAt, local, blob }: MessageFacts): JsonObject | undefined {
  const chat_id = chatId(chat);
  const id = idIn(message, "id");
  if (chat_id === undefined || id === undefined) return undefined;
  const answered = idIn(message, "reply_to_message_id");
  const kind = textIn(message, "type") === "service" ? "service" : "message";
  return present({
    id: `${chat_id}-${id}`,
    chat_id,
    chat_name: chatName(chat),
    kind,
    action: kind === "service" ? textIn(message, "action") : undefined,
    sender_id: idIn(message, "from_id") ?? idIn(message, "actor_id"),
    sender_name: textIn(message, "from") ?? textIn(message, "actor"),
    text: textOf(message.text ?? "") || (kind === "service" ? serviceText(message) : pollText(message)),
    sent_at: sentAt,
    edited_at: messageTime(message, "edited", local),
    reply_to_id: answered === undefined ? undefined : `${chat_id}-${answered}`,
    forwarded_from: textIn(message, "forwarded_from"),
    media: mediaOf(message, blob),
    place: placeOf(message),
    reactions: reactionsOf(message),
  });
}

/** Accepts a string, or a list of strings and formatted pieces. A link keeps its address. */
function textOf(value: JsonValue): string {
  if (typeof value === "string") return value.toWellFormed();
  if (!Array.isArray(value)) return "";
  return value
    .map((part) => {
      if (typeof part === "string") return part.toWellFormed();
      if (!isObject(part)) return "";
      const text = textIn(part, "text") ?? "";
      const href = textIn(part, "href");
      return href === undefined || href === text ? text : `${text} (${href})`;
    })
    .join("");
}

/** The event in the words of the export: "invite members: Ann, Bob". */
function serviceText(message: JsonObject): string {
  const action = (textIn(message, "action") ?? "").replaceAll("_", " ");
  const members = Array.isArray(message.members) ? message.members.filter((one) => typeof one === "string") : [];
  const about = textIn(message, "title") ?? textIn(message, "new_title") ?? (members.join(", ") || undefined);
  return about === undefined ? action : `${action}: ${about.toWellFormed()}`;
}

function pollText(message: JsonObject): string {
  const poll = objectIn(message, "poll");
  const question = textIn(poll, "question");
  if (question === undefined) return "";
  return [
    question,
    ...objectsIn(poll, "answers").map((one) => `- ${textIn(one, "text")} (${countIn(one, "voters") ?? 0})`),
  ].join("\n");
}

function mediaOf(message: JsonObject, blob: BlobRef | undefined): JsonObject | undefined {
  const photo = textIn(message, "photo");
  const path = photo ?? textIn(message, "file");
  if (path === undefined) return undefined;
  return present({
    kind: textIn(message, "media_type") ?? (photo === undefined ? "file" : "photo"),
    name: textIn(message, "file_name") ?? (path.startsWith("(") ? undefined : path.slice(path.lastIndexOf("/") + 1)),
    mime_type: textIn(message, "mime_type"),
    size_bytes: countIn(message, photo === undefined ? "file_size" : "photo_file_size"),
    duration_seconds: countIn(message, "duration_seconds"),
    blob,
  });
}

function placeOf(message: JsonObject): JsonObject | undefined {
  const { latitude, longitude } = objectIn(message, "location_information");
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  return present({ latitude, longitude, name: textIn(message, "place_name"), address: textIn(message, "address") });
}

function reactionsOf(message: JsonObject): JsonObject[] | undefined {
  const reactions = objectsIn(message, "reactions").flatMap((one) => {
    const emoji = textIn(one, "emoji") ?? textIn(one, "document_id") ?? textIn(one, "type");
    return emoji === undefined ? [] : [{ emoji, count: countIn(one, "count") ?? 1 }];
  });
  return reactions.length === 0 ? undefined : reactions;
}
