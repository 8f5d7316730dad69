// Discord: the data package from the service (own messages only), and channels in DiscordChatExporter's JSON.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { type Entry, wholeEntry } from "../../entry.ts";
import {
  type EntryPreview,
  entriesFrom,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type Recognition,
} from "../../importer.ts";
import { attachedFile, folderOf, joinPath, nameOf } from "../attached-file.ts";
import {
  type ChatAttachment,
  type ChatPerson,
  type Conversation,
  type ConversationMessage,
  conversationRecord,
  messageRecord,
} from "../chat-streams.ts";
import { csvRows } from "../csv-rows.ts";
import { textOf } from "../decode.ts";
import { estimateItems } from "../estimates.ts";
import { isoInstant } from "../iso-instant.ts";
import { countIn, idIn, isObject, objectIn, objectsIn, textIn } from "../json-fields.ts";
import { type JsonPath, jsonItems } from "../json-items.ts";
import { replayed } from "../replay.ts";
import { discordDeclaration } from "./declaration.ts";

/** Matches once per item, to estimate the number of items. */
const ONE = /"[tT]imestamp"\s*:|^\d{15,},/gm;
const FACTS_BYTES_MAX = 16 * 1024 * 1024;

export const discordImporter: Importer = {
  name: "discord",
  title: "Discord (data package, DiscordChatExporter)",
  from: [
    "Discord: User Settings → Data & Privacy → Request all of my data",
    "DiscordChatExporter: a channel as JSON, with or without its media",
  ],
  recognise,
  async plan({ entries }) {
    const { id, handle, name } = await ownerOf(entries);
    const estimate = await estimateItems(entries.filter(holdsMessages), ONE);
    const shown = name ?? handle;
    return {
      // Prefixed, because a bare number would be mistaken for the owner's phone number.
      account: {
        key: id === undefined ? "discord" : `user-${id}`,
        name: shown === undefined ? "Discord" : `Discord (${shown})`,
      },
      declaration: discordDeclaration,
      streams: [{ stream: "messages", ...estimate }, { stream: "conversations" }],
    };
  },
  async *run(input, context) {
    const owner = await ownerOf(input.entries);
    const files = new Map(input.entries.map((entry) => [entry.path, entry]));
    for (const { entry, position } of entriesFrom(input, context)) {
      if (isPackaged(entry)) yield* replayed(entry, position, packageEvents(entry, files, owner));
      else if (/\.json$/.test(entry.path) && !FACTS.test(entry.path))
        yield* replayed(entry, position, channelEvents(entry, files, context));
      else yield { kind: "checkpoint", entry };
    }
  },
};

/** The path in a package is `Messages/c123/messages.json`. Older packages use CSV and lower-case names. */
const PACKAGED = /(?:^|\/)messages\/c?\d+\/messages\.(?:json|csv)$/i;
const FACTS = /(?:^|\/)(?:messages\/(?:index|c?\d+\/channel)|account\/user)\.json$/i;
const isPackaged = ({ path }: Pick<Entry, "path">): boolean => PACKAGED.test(path);
const holdsMessages = ({ path }: Pick<Entry, "path">): boolean =>
  PACKAGED.test(path) || (/\.json$/.test(path) && !FACTS.test(path));

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  const start = Buffer.from(head).toString();
  if (
    isPackaged({ path }) &&
    (/^\s*\[\s*(?:\]|\{\s*"ID"\s*:)/.test(start) || /^\ufeff?ID,Timestamp,Contents/.test(start))
  )
    return { score: 95, reason: "messages in a Discord package" };
  if (FACTS.test(path)) {
    const isOwn = /"username"\s*:|"recipients"\s*:|"guild"\s*:|"type"\s*:|^\s*\{\s*"\d{15,}"\s*:/.test(start);
    return isOwn ? { score: 93, reason: "part of a Discord package" } : undefined;
  }
  if (/\.json$/i.test(path) && /^\ufeff?\s*\{\s*"guild"\s*:\s*\{/.test(start) && /"channel"\s*:\s*\{/.test(start))
    return { score: 95, reason: "channel exported by DiscordChatExporter" };
  const channel = /^(.*\.json)_Files\/[^/]+$/.exec(path)?.[1];
  return channel !== undefined && has(channel)
    ? { score: 90, reason: "media exported by DiscordChatExporter" }
    : undefined;
}

async function factsIn(entry: Entry | undefined): Promise<JsonObject> {
  if (entry === undefined) return {};
  try {
    const value = JSON.parse((await wholeEntry(entry, FACTS_BYTES_MAX)).toString().replace(/^\ufeff/, "")) as JsonValue;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

interface Owner extends ChatPerson {
  id?: string;
}

async function ownerOf(entries: readonly Entry[]): Promise<Owner> {
  const user = await factsIn(entries.find(({ path }) => /(?:^|\/)account\/user\.json$/i.test(path)));
  const id = idIn(user, "id");
  return { ...(id === undefined ? {} : { id }), name: textIn(user, "global_name"), handle: textIn(user, "username") };
}

/** Discord ids are globally unique, but anonymisation tools have used one id for messages in two channels. */
const messageId = (channel: string, message: string): string => `${channel}-${message}`;

/** `Direct Message with Jane#1234` in the index of a package. */
const DIRECT = /^Direct Message with (.+?)(?:#\d{1,4})?$/;

async function* packageEvents(
  entry: Entry,
  files: ReadonlyMap<string, Entry>,
  owner: Owner,
): AsyncGenerator<ImportEvent> {
  const folder = folderOf(entry.path);
  const channel = await factsIn(files.get(joinPath(folder, "channel.json")));
  const index = await factsIn(files.get(joinPath(folderOf(folder), "index.json")));
  const id = idIn(channel, "id") ?? nameOf(folder).replace(/^c/, "");
  const listed = textIn(index, id);
  const other = DIRECT.exec(listed ?? "")?.[1];
  const server = textIn(objectIn(channel, "guild"), "name");
  const kind = /DM/i.test(textIn(channel, "type") ?? "") || other !== undefined ? "direct" : "channel";
  const conversation: Conversation = {
    id,
    name: textIn(channel, "name") ?? other ?? listed ?? "Unknown",
    kind: /GROUP_DM/i.test(textIn(channel, "type") ?? "") ? "group" : kind,
    participants: other === undefined ? [] : [{ handle: other }],
  };
  yield { kind: "record", stream: "conversations", key: id, data: conversationRecord(conversation), entry };
  for await (const { value, offset, problem } of packaged(entry)) {
    const message = value && idIn(value, "ID");
    const sentAt = value && isoInstant(withZone(textIn(value, "Timestamp")));
    if (message === undefined || sentAt === undefined) {
      yield { kind: "error", entry, offset, message: problem ?? "the message has no id or no time" };
      continue;
    }
    const urls = (textIn(value!, "Attachments") ?? "").split(/\s+/).filter((url) => url !== "");
    const data = messageRecord(
      {
        id: messageId(id, message),
        conversation,
        direction: "sent",
        sender: { name: owner.name, handle: owner.handle },
        text: textIn(value!, "Contents"),
        sentAt,
        attachments: urls.map((url) => ({ name: nameOf(url.replace(/[?#].*$/s, "")), url })),
      },
      { server },
    );
    yield { kind: "record", stream: "messages", key: data.id as string, data, entry, offset };
  }
}

/** Times in a package are in UTC, with a space instead of a T and usually without a zone. */
const withZone = (text: string | undefined): string | undefined => {
  const time = text?.replace(" ", "T");
  return time === undefined || /(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`;
};

async function* packaged(entry: Entry): AsyncGenerator<{ value?: JsonObject; offset: number; problem?: string }> {
  if (!/\.csv$/i.test(entry.path)) {
    for await (const item of jsonItems(entry, (path) => path.length === 1)) {
      if ("value" in item && isObject(item.value)) yield { value: item.value, offset: item.offset };
      else yield { offset: item.offset, problem: "problem" in item ? item.problem : "it is not an object" };
    }
    return;
  }
  let names: string[] | undefined;
  for await (const row of csvRows(() => textOf(entry), ",")) {
    if ("problem" in row) yield { offset: row.line, problem: row.problem };
    else if (names === undefined) names = row.cells.map((cell) => cell.replace(/^\ufeff/, ""));
    else {
      const known = names;
      yield { value: Object.fromEntries(row.cells.map((cell, at) => [known[at] ?? "", cell])), offset: row.line };
    }
  }
}

const isFact = (path: JsonPath): boolean => path.length === 1 && (path[0] === "guild" || path[0] === "channel");
const isMessage = (path: JsonPath): boolean => path.length === 2 && path[0] === "messages";
/** All other types are events. */
const MESSAGES: ReadonlySet<string> = new Set(["Default", "Reply", "19", "0"]);

async function* channelEvents(
  entry: Entry,
  files: ReadonlyMap<string, Entry>,
  context: ImportContext,
): AsyncGenerator<ImportEvent> {
  const facts: Record<string, JsonObject> = {};
  let conversation: Conversation | undefined;
  for await (const item of jsonItems(entry, (path) => isFact(path) || isMessage(path))) {
    const { offset, path } = item;
    const value = "value" in item && isObject(item.value) ? item.value : undefined;
    if (isFact(path)) {
      facts[path[0] as string] = value ?? {};
      continue;
    }
    if (conversation === undefined) {
      conversation = conversationIn(facts.channel ?? {});
      yield {
        kind: "record",
        stream: "conversations",
        key: conversation.id,
        data: conversationRecord(conversation),
        entry,
      };
    }
    const id = value && idIn(value, "id");
    const sentAt = value && isoInstant(textIn(value, "timestamp"));
    if (value === undefined || id === undefined || sentAt === undefined) {
      yield {
        kind: "error",
        entry,
        offset,
        message: "problem" in item ? item.problem : "the message has no id or no time",
      };
      continue;
    }
    const attachments: ChatAttachment[] = [];
    for (const one of objectsIn(value, "attachments")) {
      const url = textIn(one, "url");
      const file = url === undefined ? undefined : files.get(joinPath(folderOf(entry.path), url.replaceAll("\\", "/")));
      const kept = file === undefined ? undefined : await attachedFile(file, context);
      if (kept !== undefined && "left" in kept) yield kept.left;
      attachments.push({
        name: textIn(one, "fileName"),
        size_bytes: countIn(one, "fileSizeBytes"),
        ...(kept !== undefined && "blob" in kept ? { blob: kept.blob } : { url }),
      });
    }
    const server = textIn(facts.guild ?? {}, "name");
    const isServer = conversation.kind === "channel";
    const data = messageRecord(exported(value, id, sentAt, conversation, attachments), {
      server: isServer ? server : undefined,
    });
    yield { kind: "record", stream: "messages", key: data.id as string, data, entry, offset };
  }
}

function conversationIn(channel: JsonObject): Conversation {
  const type = textIn(channel, "type") ?? "";
  const name = textIn(channel, "name") ?? "Unknown";
  const kind = /Group/.test(type) ? "group" : /Direct|^DM/.test(type) ? "direct" : "channel";
  return { id: idIn(channel, "id") ?? "unknown", name, kind, participants: kind === "direct" ? [{ name }] : [] };
}

function exported(
  value: JsonObject,
  id: string,
  sentAt: string,
  conversation: Conversation,
  attachments: ChatAttachment[],
): ConversationMessage {
  const author = objectIn(value, "author");
  const type = textIn(value, "type") ?? "Default";
  const reference = objectIn(value, "reference");
  const answered = idIn(reference, "messageId");
  return {
    id: messageId(conversation.id, id),
    conversation,
    kind: type === "Call" ? "call" : MESSAGES.has(type) ? "message" : "event",
    sender: { name: textIn(author, "nickname") ?? textIn(author, "name"), handle: textIn(author, "name") },
    text: textIn(value, "content"),
    sentAt,
    editedAt: isoInstant(textIn(value, "timestampEdited")),
    replyTo: answered && messageId(idIn(reference, "channelId") ?? conversation.id, answered),
    attachments,
    reactions: objectsIn(value, "reactions").flatMap((one) => {
      const emoji = textIn(objectIn(one, "emoji"), "name");
      const by = objectsIn(one, "users").flatMap((user) => textIn(user, "nickname") ?? textIn(user, "name") ?? []);
      return emoji === undefined
        ? []
        : [{ emoji, count: countIn(one, "count") ?? 1, ...(by.length > 0 ? { by } : {}) }];
    }),
  };
}
