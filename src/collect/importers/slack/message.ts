// Converts one message of a Slack export to a record: author, conversation and text, plus metadata of files and
// reactions.

import type { JsonObject } from "../../../contract/json.ts";
import type { MakeId } from "../../record-ids.ts";
import { countIn, idIn, instantOf, objectIn, objectsIn, present, textIn, textsIn } from "../json-fields.ts";
import { plainText } from "./mrkdwn.ts";
import type { Workspace } from "./workspace.ts";

export interface SlackChannel {
  id: string;
  name: string;
}

function messageId(conversation: string, ts: string): string {
  return `${conversation}-${ts}`;
}

/** Returns undefined if the message has no time, because the time identifies the message. */
export function messageData(
  message: JsonObject,
  conversation: SlackChannel,
  workspace: Workspace,
  makeId: MakeId,
): JsonObject | undefined {
  const ts = idIn(message, "ts");
  const sentAt = instantOf(ts);
  if (ts === undefined || sentAt === undefined) return undefined;
  const threadTs = idIn(message, "thread_ts");
  const sender = textIn(message, "user") ?? textIn(message, "bot_id");
  const files = [...objectsIn(message, "files"), objectIn(message, "file")].filter(
    (file) => Object.keys(file).length > 0,
  );
  return present({
    id: makeId(messageId(conversation.id, ts)),
    conversation_id: conversation.id,
    conversation_name: conversation.name,
    kind: textIn(message, "subtype") ?? "message",
    sender_id: sender,
    sender_name: senderName(message, sender, workspace),
    text: textOf(message, workspace),
    sent_at: sentAt,
    edited_at: instantOf(idIn(objectIn(message, "edited"), "ts")),
    thread_id: threadTs === undefined || threadTs === ts ? undefined : makeId(messageId(conversation.id, threadTs)),
    reply_count: countIn(message, "reply_count"),
    reactions: reactionsOf(message),
    files: files.length === 0 ? undefined : files.map(fileFacts),
    previews: previewsOf(message, workspace),
  });
}

function senderName(message: JsonObject, sender: string | undefined, workspace: Workspace): string | undefined {
  const profile = objectIn(message, "user_profile");
  return (
    (sender === undefined ? undefined : workspace.user(sender)) ??
    textIn(profile, "display_name") ??
    textIn(profile, "real_name") ??
    textIn(message, "username") ??
    textIn(objectIn(message, "bot_profile"), "name") ??
    sender
  );
}

/** Bots often leave the text empty and write to attachments instead. */
function textOf(message: JsonObject, workspace: Workspace): string {
  const text = textIn(message, "text");
  if (text !== undefined) return plainText(text, workspace);
  return objectsIn(message, "attachments")
    .flatMap((one) => textIn(one, "text") ?? textIn(one, "fallback") ?? [])
    .map((one) => plainText(one, workspace))
    .join("\n");
}

function reactionsOf(message: JsonObject): JsonObject[] | undefined {
  const reactions = objectsIn(message, "reactions").flatMap((one) => {
    const emoji = textIn(one, "name");
    const users = textsIn(one, "users");
    return emoji === undefined ? [] : [{ emoji, count: countIn(one, "count") ?? users.length, user_ids: users }];
  });
  return reactions.length === 0 ? undefined : reactions;
}

function fileFacts(file: JsonObject): JsonObject {
  return present({
    id: textIn(file, "id"),
    name: textIn(file, "name") ?? textIn(file, "title"),
    title: textIn(file, "title"),
    mime_type: textIn(file, "mimetype"),
    size_bytes: countIn(file, "size"),
    url: withoutToken(textIn(file, "permalink") ?? textIn(file, "url_private")),
  });
}

/** URLs in an export contain a token (`?t=xoxe-…`) that opens every file of the workspace. */
function withoutToken(url: string | undefined): string | undefined {
  return url?.replace(/[?#].*$/s, "");
}

/** The previews that Slack showed below links. */
function previewsOf(message: JsonObject, workspace: Workspace): JsonObject[] | undefined {
  const previews = objectsIn(message, "attachments").flatMap((one) => {
    const text = textIn(one, "text");
    const title = textIn(one, "title");
    const url = textIn(one, "from_url") ?? textIn(one, "title_link");
    if (text === undefined && title === undefined && url === undefined) return [];
    return [present({ title, text: text === undefined ? undefined : plainText(text, workspace), url })];
  });
  return previews.length === 0 ? undefined : previews;
}
