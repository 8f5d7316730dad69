// Signal's own text export of chats: main.jsonl with one object per line, first the account, recipients and chats, then
// their items.
import { hash } from "node:crypto";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { type Entry, linesOf, wholeEntry } from "../../entry.ts";
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
  shownName,
} from "../chat-streams.ts";
import { estimateItems } from "../estimates.ts";
import { countIn, idIn, instantOf, isObject, objectIn, objectsIn, present, textIn } from "../json-fields.ts";
import { ordinals } from "../ordinals.ts";
import { digestOf, replayed } from "../replay.ts";
import { signalDeclaration } from "./declaration.ts";

/** Matches once per item, to estimate the number of items. */
const ONE = /"chatItem"\s*:/g;

/** A Signal message can have up to 64 KB of text. */
const LONG_TEXT_BYTES_MAX = 1024 * 1024;

export const signalImporter: Importer = {
  name: "signal",
  title: "Signal (chat export from Signal Desktop)",
  from: ["Signal Desktop: Settings → Chats → Export chat history"],
  recognise,
  async plan({ entries }) {
    const [main] = entries.filter(isMain);
    const owner = main === undefined ? undefined : await ownerOf(main);
    const key = owner?.handle ?? owner?.number;
    const name = owner === undefined ? undefined : shownName(owner);
    return {
      account: { key: key ?? "signal", name: name === undefined ? "Signal" : `Signal (${name})` },
      declaration: signalDeclaration,
      streams: [
        { stream: "messages", ...(await estimateItems(entries.filter(isMain), ONE)) },
        { stream: "conversations" },
        { stream: "contacts" },
      ],
    };
  },
  async *run(input, context) {
    for (const { entry, position } of entriesFrom(input, context))
      if (isMain(entry)) yield* replayed(entry, position, eventsOf(entry, input.entries, context));
  },
};

const isMain = ({ path }: Pick<Entry, "path">): boolean => /\.jsonl$/.test(path);

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  const start = Buffer.from(head).toString();
  if (isMain({ path }) && /^\s*\{\s*"version"\s*:\s*"?\d+"?\s*,\s*"backupTimeMs"/.test(start))
    return { score: 95, reason: "Signal chat export", group: path };
  const root = /^(?:(.*?)\/)?files\//.exec(path);
  if (root !== null && has(joinPath(root[1] ?? "", "main.jsonl")))
    return { score: 90, reason: "file from a Signal chat export", group: joinPath(root[1] ?? "", "main.jsonl") };
  const beside = joinPath(folderOf(path), "main.jsonl");
  return nameOf(path) === "metadata.json" && has(beside)
    ? { score: 90, reason: "metadata of a Signal chat export", group: beside }
    : undefined;
}

const parsed = (bytes: Buffer): JsonObject | undefined => {
  try {
    const value = JSON.parse(bytes.toString()) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const nameIn = (person: JsonObject, given: string, family: string): string | undefined =>
  [textIn(person, given), textIn(person, family)].filter(Boolean).join(" ") || undefined;

const ownerIn = (account: JsonObject): ChatPerson => ({
  name: nameIn(account, "givenName", "familyName"),
  handle: textIn(account, "username"),
});

async function ownerOf(main: Entry): Promise<ChatPerson | undefined> {
  let lines = 0;
  for await (const { bytes } of linesOf(main)) {
    const account = parsed(bytes)?.account;
    if (isObject(account)) return ownerIn(account);
    // The account comes first, so stop searching after a few lines.
    if (++lines > 10) break;
  }
  return undefined;
}

/** A person, a group, or any other message destination. `key` is the same in every export. */
interface Recipient {
  key: string;
  person: ChatPerson;
  title: string | undefined;
  kind: "direct" | "group";
  isSelf: boolean;
  members: string[];
}

function recipientOf(value: JsonObject, id: string, owner: ChatPerson): Recipient {
  const contact = objectIn(value, "contact");
  const group = objectIn(value, "group");
  const snapshot = objectIn(group, "snapshot");
  const e164 = idIn(contact, "e164");
  const isSelf = isObject(value.self);
  const person: ChatPerson = isSelf
    ? owner
    : {
        name:
          nameIn(objectIn(contact, "nickname"), "given", "family") ??
          nameIn(contact, "systemGivenName", "systemFamilyName") ??
          nameIn(contact, "profileGivenName", "profileFamilyName"),
        number: e164 === undefined ? undefined : `+${e164.replace(/^\+/, "")}`,
        handle: textIn(contact, "username"),
      };
  const [other] = Object.keys(value).filter((name) => name !== "id");
  return {
    key: isSelf ? "self" : (textIn(contact, "aci") ?? e164 ?? textIn(group, "masterKey") ?? `${other}-${id}`),
    person,
    title: isSelf
      ? "Note to Self"
      : (textIn(objectIn(snapshot, "title"), "title") ??
        shownName(person) ??
        (isObject(value.releaseNotes) ? "Signal" : undefined)),
    kind: isObject(value.group) ? "group" : "direct",
    isSelf,
    members: objectsIn(snapshot, "members").flatMap((one) => textIn(one, "userId") ?? []),
  };
}

async function* eventsOf(entry: Entry, entries: readonly Entry[], context: ImportContext): AsyncGenerator<ImportEvent> {
  const files = filesByName(entries);
  const recipients = new Map<string, Recipient>();
  const chats = new Map<string, Conversation & { key: string }>();
  const nth = ordinals();
  let owner: ChatPerson = {};
  const unknown = { id: context.makeId("chat-unknown"), name: "Unknown", key: "unknown" };
  for await (const { bytes, offset, cut } of linesOf(entry)) {
    if (bytes.toString().trim() === "") continue;
    const line = cut ? undefined : parsed(bytes);
    if (line === undefined) yield { kind: "error", entry, offset, message: "the line is not JSON" };
    else if (isObject(line.account)) owner = ownerIn(line.account);
    else if (isObject(line.recipient)) {
      const id = idIn(line.recipient, "id") ?? "";
      const recipient = recipientOf(line.recipient, id, owner);
      recipients.set(id, recipient);
      if (!isObject(line.recipient.contact) || shownName(recipient.person) === undefined) continue;
      const key = context.makeId(`contact-${digestOf(recipient.key)}`);
      yield { kind: "record", stream: "contacts", key, data: present({ id: key, ...recipient.person }), entry, offset };
    } else if (isObject(line.chat)) {
      const recipient = recipients.get(idIn(line.chat, "recipientId") ?? "");
      const key = recipient?.key ?? idIn(line.chat, "id") ?? "";
      const conversation = {
        id: context.makeId(`chat-${digestOf(key)}`),
        key,
        name: recipient?.title ?? "Unknown",
        kind: recipient?.kind ?? "direct",
        participants: recipient === undefined || shownName(recipient.person) === undefined ? [] : [recipient.person],
      };
      chats.set(idIn(line.chat, "id") ?? "", conversation);
      yield {
        kind: "record",
        stream: "conversations",
        key: conversation.id,
        data: conversationRecord(conversation),
        entry,
        offset,
      };
    } else if (isObject(line.chatItem)) {
      const item = line.chatItem;
      const attachments: ChatAttachment[] = [];
      for (const one of attachmentsIn(item)) {
        const file = fileOf(one.names, files);
        const kept = file === undefined ? undefined : await attachedFile(file, context);
        if (kept !== undefined && "left" in kept) yield kept.left;
        attachments.push(kept !== undefined && "blob" in kept ? { ...one.facts, blob: kept.blob } : one.facts);
      }
      const conversation = chats.get(idIn(item, "chatId") ?? "") ?? unknown;
      const text = await textOf(item, files);
      const data = itemData(item, text, conversation, recipients, attachments, nth, context);
      if (data !== undefined) yield { kind: "record", stream: "messages", key: data.id as string, data, entry, offset };
      else if (isObject(item.updateMessage))
        yield { kind: "skip", entry, offset, reason: "a Signal notice without a time" };
      else yield { kind: "error", entry, offset, message: "the message has no time" };
    }
  }
}

function itemData(
  item: JsonObject,
  text: string | undefined,
  conversation: Conversation & { key: string },
  recipients: ReadonlyMap<string, Recipient>,
  attachments: ChatAttachment[],
  nth: (digest: string) => number,
  { makeId }: ImportContext,
): JsonObject | undefined {
  const sent = idIn(item, "dateSent");
  const sentAt = sent === undefined || sent === "0" ? undefined : instantOf(Number(sent) / 1000);
  if (sentAt === undefined) return undefined;
  const authorId = idIn(item, "authorId") ?? "";
  const author = recipients.get(authorId);
  const standard = objectIn(item, "standardMessage");
  const update = objectIn(item, "updateMessage");
  const isCall = isObject(update.individualCall) || isObject(update.groupCall);
  const kind: ConversationMessage["kind"] = isCall ? "call" : isObject(item.updateMessage) ? "event" : "message";
  /** Signal itself identifies a message by its author and time. */
  const identityOf = (from: string, time: string): string => `item-${digestOf(conversation.key, from, time)}`;
  const identity = identityOf(author?.key ?? authorId, sent!);
  const ordinal = nth(identity);
  const quote = objectIn(standard, "quote");
  const [quoted, quotedBy] = [idIn(quote, "targetSentTimestamp"), idIn(quote, "authorId")];
  return messageRecord({
    id: makeId(ordinal === 0 ? identity : `${identity}.${ordinal}`),
    conversation,
    kind,
    direction: isObject(item.outgoing) ? "sent" : isObject(item.incoming) ? "received" : undefined,
    sender: author?.person,
    text,
    sentAt,
    replyTo:
      quoted === undefined || quotedBy === undefined
        ? undefined
        : makeId(identityOf(recipients.get(quotedBy)?.key ?? quotedBy, quoted)),
    attachments,
    reactions: reactionsOf(objectsIn(standard, "reactions"), recipients),
  });
}

/** A long text is in a separate file, and only its beginning is in the message. */
async function textOf(item: JsonObject, files: ReadonlyMap<string, Entry>): Promise<string | undefined> {
  const standard = objectIn(item, "standardMessage");
  const long = fileOf(fileNames(objectIn(standard, "longText")), files);
  try {
    if (long !== undefined) return (await wholeEntry(long, LONG_TEXT_BYTES_MAX)).toString();
  } catch {
    // Fall back to the beginning in the message.
  }
  const body = textIn(objectIn(standard, "text"), "body");
  if (body !== undefined) return body;
  const sticker = textIn(objectIn(objectIn(item, "stickerMessage"), "sticker"), "emoji");
  if (sticker !== undefined) return sticker;
  if (isObject(item.remoteDeletedMessage)) return "deleted message";
  // The event's name in the export, in words: "groupChange" → "group change".
  const [event] = Object.keys(objectIn(item, "updateMessage"));
  return event?.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function reactionsOf(
  given: readonly JsonObject[],
  recipients: ReadonlyMap<string, Recipient>,
): ConversationMessage["reactions"] & {} {
  const all = given.flatMap((one) => {
    const emoji = textIn(one, "emoji");
    const person = recipients.get(idIn(one, "authorId") ?? "")?.person;
    return emoji === undefined ? [] : [{ emoji, by: person && shownName(person) }];
  });
  return [...Map.groupBy(all, ({ emoji }) => emoji)].map(([emoji, own]) => ({
    emoji,
    count: own.length,
    by: own.flatMap(({ by }) => by ?? []),
  }));
}

function attachmentsIn(item: JsonObject): { facts: ChatAttachment; names: string[] }[] {
  const listed = objectsIn(objectIn(item, "standardMessage"), "attachments");
  const once = objectIn(objectIn(item, "viewOnceMessage"), "attachment");
  return [...listed, once].flatMap((one) => {
    const pointer = objectIn(one, "pointer");
    if (Object.keys(pointer).length === 0) return [];
    const facts = {
      name: textIn(pointer, "fileName"),
      mime_type: textIn(pointer, "contentType"),
      size_bytes: countIn(objectIn(pointer, "locatorInfo"), "size"),
    };
    return [{ facts, names: fileNames(pointer) }];
  });
}

/** Files are named by a digest of their content, or of the content and a key that each attachment has. */
function fileNames(pointer: JsonObject): string[] {
  const locator = objectIn(pointer, "locatorInfo");
  const digest = Buffer.from(textIn(locator, "plaintextHash") ?? "", "base64");
  const key = Buffer.from(textIn(locator, "localKey") ?? "", "base64");
  return digest.length === 0 ? [] : [digest.toString("hex"), hash("sha256", Buffer.concat([digest, key]), "hex")];
}

const fileOf = (names: readonly string[], files: ReadonlyMap<string, Entry>): Entry | undefined =>
  names.map((name) => files.get(name)).find((file) => file !== undefined);

const filesByName = (entries: readonly Entry[]): ReadonlyMap<string, Entry> =>
  new Map(entries.filter((entry) => !isMain(entry)).map((entry) => [nameOf(entry.path).replace(/\.\w+$/, ""), entry]));
