// Converts the objects in the files of an X archive to records, one at a time.
import { decodeXML } from "entities";
import type { JsonObject } from "../../../contract/json.ts";
import { parseInstant } from "../../../core/instant.ts";
import { monthNumber } from "../../../core/month-names.ts";
import { countIn, idIn, objectIn, objectsIn, present, textIn } from "../json-fields.ts";

/** Parses `Wed Oct 10 20:19:24 +0000 2018`, or RFC 3339. */
function instantOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const old = /^\w{3} (\w{3}) (\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d) (\d{4})$/.exec(text);
  const [, month, day, time, hours, minutes, year] = old ?? [];
  const number = String(monthNumber(month ?? "")).padStart(2, "0");
  const millis = parseInstant(old === null ? text : `${year}-${number}-${day}T${time}${hours}:${minutes}`);
  return millis === undefined ? undefined : new Date(millis).toISOString();
}

/** Replaces the short URLs in a post with their targets, and removes those of the post's own pictures. */
function textOf(text: string, urls: readonly JsonObject[], media: readonly JsonObject[]): string {
  let whole = text;
  for (const one of urls) {
    const short = textIn(one, "url") ?? textIn(one, "shortUrl");
    const expanded = textIn(one, "expanded_url") ?? textIn(one, "expanded") ?? textIn(one, "expandedUrl");
    if (short !== undefined && expanded !== undefined) whole = whole.replaceAll(short, () => expanded);
  }
  for (const one of media) {
    const short = textIn(one, "url");
    if (short !== undefined) whole = whole.replaceAll(short, "");
  }
  return decodeXML(whole).trim();
}

const namesIn = (objects: readonly JsonObject[], name: string): string[] | undefined => {
  const names = objects.flatMap((one) => textIn(one, name) ?? []);
  return names.length === 0 ? undefined : names;
};

export function tweetData(wrapped: JsonObject, isDeleted: boolean): JsonObject | undefined {
  // Archives from before 2020 have no wrapper.
  const tweet = Object.hasOwn(wrapped, "tweet") ? objectIn(wrapped, "tweet") : wrapped;
  const id = textIn(tweet, "id_str") ?? textIn(tweet, "id");
  const created = instantOf(textIn(tweet, "created_at"));
  if (id === undefined || created === undefined) return undefined;
  const entities = objectIn(tweet, "entities");
  const urls = objectsIn(entities, "urls");
  const text = textIn(tweet, "full_text") ?? textIn(tweet, "text") ?? "";
  const answered = textIn(tweet, "in_reply_to_status_id_str") ?? textIn(tweet, "in_reply_to_status_id");
  return present({
    id,
    kind: text.startsWith("RT @") ? "repost" : answered === undefined ? "post" : "reply",
    text: textOf(text, urls, objectsIn(entities, "media")),
    created_at: created,
    language: textIn(tweet, "lang"),
    like_count: countIn(tweet, "favorite_count"),
    repost_count: countIn(tweet, "retweet_count"),
    reply_to_id: answered,
    reply_to_user: textIn(tweet, "in_reply_to_screen_name"),
    hashtags: namesIn(objectsIn(entities, "hashtags"), "text"),
    mentions: namesIn(objectsIn(entities, "user_mentions"), "screen_name"),
    urls: namesIn(urls, "expanded_url"),
    app: textIn(tweet, "source")?.replace(/<[^<>]*>/g, ""),
    is_deleted: isDeleted,
  });
}

/** Long posts also have a file of their own, with the full text. */
export function noteData(wrapped: JsonObject): JsonObject | undefined {
  const note = objectIn(wrapped, "noteTweet");
  const id = textIn(note, "noteTweetId");
  const created = instantOf(textIn(note, "createdAt"));
  if (id === undefined || created === undefined) return undefined;
  const core = objectIn(note, "core");
  const urls = objectsIn(core, "urls");
  return present({
    id: `note-${id}`,
    kind: "long",
    text: textOf(textIn(core, "text") ?? "", urls, []),
    created_at: created,
    hashtags: namesIn(objectsIn(core, "hashtags"), "text"),
    mentions: namesIn(objectsIn(core, "mentions"), "screenName"),
    urls: namesIn(urls, "expandedUrl"),
    is_deleted: false,
  });
}

export function likeData(wrapped: JsonObject): JsonObject | undefined {
  const like = objectIn(wrapped, "like");
  const id = textIn(like, "tweetId");
  if (id === undefined) return undefined;
  const text = textIn(like, "fullText");
  return present({ id, text: text === undefined ? undefined : decodeXML(text), url: textIn(like, "expandedUrl") });
}

export function followData(wrapped: JsonObject, kind: "follower" | "following"): JsonObject | undefined {
  const follow = objectIn(wrapped, kind);
  const account = textIn(follow, "accountId");
  if (account === undefined) return undefined;
  return present({ id: `${kind}-${account}`, kind, account_id: account, url: textIn(follow, "userLink") });
}

/** Reads a message. Joins, renames and calls in a conversation are other objects, which the caller skips. */
export function directMessageData(message: JsonObject, conversation: string | undefined): JsonObject | undefined {
  const id = idIn(message, "id");
  const created = instantOf(textIn(message, "createdAt"));
  if (id === undefined || created === undefined) return undefined;
  const urls = objectsIn(message, "urls");
  const reactions = objectsIn(message, "reactions").flatMap((one) => {
    const emoji = textIn(one, "reactionKey");
    return emoji === undefined ? [] : [present({ emoji, user_id: textIn(one, "senderId") })];
  });
  return present({
    id,
    conversation_id: conversation,
    sender_id: textIn(message, "senderId"),
    recipient_id: textIn(message, "recipientId"),
    text: textOf(textIn(message, "text") ?? "", urls, []),
    created_at: created,
    urls: namesIn(urls, "expanded"),
    reactions: reactions.length === 0 ? undefined : reactions,
  });
}

export function accountData(account: JsonObject, profile: JsonObject): JsonObject | undefined {
  const id = textIn(account, "accountId");
  if (id === undefined) return undefined;
  const description = objectIn(profile, "description");
  return present({
    id,
    name: textIn(account, "accountDisplayName"),
    username: textIn(account, "username"),
    email: textIn(account, "email"),
    bio: textIn(description, "bio"),
    website: textIn(description, "website"),
    location: textIn(description, "location"),
    created_at: instantOf(textIn(account, "createdAt")),
  });
}
