// Streams that messengers have in common: messages, conversations, people. Importers add only the fields specific to
// their export.
import type { BlobRef } from "../../contract/blob.ts";
import type { JsonSchema } from "../../contract/declaration.ts";
import type { JsonObject } from "../../contract/json.ts";
import { type DeclaredStream, field, hasMany, hasOne, recordSchema } from "../../core/declare.ts";
import { present } from "./json-fields.ts";
import { keptText } from "./kept-text.ts";

/** Someone who sends or receives messages, described by whatever the export contains. */
export interface ChatPerson {
  name?: string | undefined;
  address?: string | undefined;
  number?: string | undefined;
  handle?: string | undefined;
}

type PersonPart = "address" | "number" | "handle";

export interface ChatReaction {
  emoji: string;
  count: number;
  /** Names of the people who reacted, if the export contains them. */
  by?: string[];
}

export interface ChatAttachment {
  name?: string | undefined;
  mime_type?: string | undefined;
  size_bytes?: number | undefined;
  url?: string | undefined;
  blob?: BlobRef | undefined;
}

export interface ConversationMessage {
  id: string;
  conversation: { id: string; name: string };
  kind?: "message" | "call" | "event" | "draft";
  direction?: "sent" | "received" | undefined;
  sender?: ChatPerson | undefined;
  text?: string | undefined;
  sentAt: string;
  editedAt?: string | undefined;
  replyTo?: string | undefined;
  attachments?: ChatAttachment[];
  reactions?: ChatReaction[];
}

export interface Conversation {
  id: string;
  name: string;
  kind?: "direct" | "group" | "channel" | undefined;
  participants?: ChatPerson[];
}

const PARTS: Record<PersonPart, JsonSchema> = {
  address: field.text("Sender’s address", "Email address of the sender."),
  number: field.text("Sender’s number", "Phone number of the sender."),
  handle: field.text("Sender’s handle", "The sender's user name on the service."),
};

interface StreamOptions {
  /** The identifiers that the export has for people, in addition to their names. */
  parts: readonly PersonPart[];
  /** Fields that only this source has. */
  extra?: Record<string, JsonSchema>;
  /** Fields that this source never has. */
  without?: readonly ("edited_at" | "reply_to_id" | "attachments" | "reactions" | "direction")[];
}

/** `source` is the name of the service, for titles. */
export function messagesStream(source: string, { parts, extra = {}, without = [] }: StreamOptions): DeclaredStream {
  const has = (name: string): boolean => !(without as readonly string[]).includes(name);
  const kept = <T>(fields: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => has(name)));
  const own = Object.fromEntries(parts.map((part) => [`sender_${part}`, PARTS[part]]));
  return {
    name: "messages",
    description: `Messages from ${source}, with attachments, replies and reactions.`,
    display: { label: "Messages", detail: "Who wrote what and when, with pictures and files" },
    kind: "message",
    roles: {
      text: "text",
      "from.name": "sender_name",
      ...Object.fromEntries(parts.map((part) => [`from.${part}`, `sender_${part}`])),
      conversation: "conversation_name",
      ...(has("direction") ? { direction: "direction" } : {}),
      ...(has("reply_to_id") ? { reply_to: "reply_to_id" } : {}),
      ...(has("attachments") ? { attachments: "attachments" } : {}),
    },
    schema: recordSchema(
      `${source} message`,
      kept({
        id: field.text("Id", "Id of the message."),
        conversation_id: field.text("Conversation id", "Id of the conversation it belongs to."),
        conversation_name: field.text("Conversation", "Name of the group, or of the people in it."),
        kind: field.choice("Kind", "A message, a call, a draft, or an event in the conversation.", [
          "message",
          "call",
          "event",
          "draft",
        ]),
        direction: field.choice("Direction", "Whether you sent or received it.", ["sent", "received"]),
        sender_name: field.text("Sender", "Name of the sender, or the address or number if there is no name."),
        ...own,
        text: field.text("Text", "The message as plain text."),
        is_cut: field.flag("Cut", "Whether the text was cut because it is too long."),
        sent_at: field.instant("Sent", "When it was sent."),
        edited_at: field.instant("Edited", "When it was last changed."),
        reply_to_id: field.text("In reply to", "The message that this one replies to."),
        attachments: field.list(
          "Attachments",
          "Pictures, voice messages and other files.",
          field.object({
            name: field.text("Name", "File name."),
            mime_type: field.text("Media type", "Media type of the file."),
            size_bytes: field.count("Size", "Size in bytes."),
            url: field.text("Address", "Web address of the file on the service."),
            blob: field.blobRef("Bytes", "The file, if it is part of the export."),
          }),
        ),
        reactions: field.list(
          "Reactions",
          "Emoji reactions, and who added them.",
          field.object({
            emoji: field.text("Emoji", "The emoji."),
            count: field.count("Count", "How many times."),
            by: field.texts("By", "Names of the people who reacted."),
          }),
        ),
        ...extra,
      }),
    ),
    time: "sent_at",
    views: [
      {
        id: "activity",
        label: "Who and when, no text",
        fields: ["id", "conversation_id", "sender_name", "direction", "kind", "sent_at"].filter(has),
      },
      {
        id: "conversation",
        label: "What was said",
        fields: ["id", "conversation_id", "conversation_name", "sender_name", "text", "sent_at", "reply_to_id"].filter(
          has,
        ),
      },
    ],
    related: { conversation: hasOne("conversations", "conversation_id") },
    search: ["text", "sender_name"],
    aggregations: {
      count_distinct: ["conversation_id", "sender_name"],
      group_by: ["conversation_name", "sender_name", "direction", "kind"].filter(has),
    },
  };
}

export function conversationsStream(source: string, parts: readonly PersonPart[]): DeclaredStream {
  return {
    name: "conversations",
    description: `Conversations and groups from ${source}.`,
    display: { label: "Conversations", detail: "Names of groups and the people in them" },
    kind: "conversation",
    roles: { title: "name", participants: "participants" },
    schema: recordSchema(`${source} conversation`, {
      id: field.text("Id", "Id of the conversation."),
      name: field.text("Name", "Name of the group, or of the people in it."),
      kind: field.choice("Kind", "Two people, a group, or a channel.", ["direct", "group", "channel"]),
      participants: field.list("Participants", "The people in it.", personSchema(parts)),
    }),
    related: { messages: hasMany("messages", "conversation_id") },
    search: ["name"],
    aggregations: { group_by: ["kind"] },
  };
}

const personSchema = (parts: readonly PersonPart[]): JsonSchema =>
  field.object({
    name: field.text("Name", "Name of the person."),
    ...(parts.includes("address") ? { address: field.text("Address", "Email address.") } : {}),
    ...(parts.includes("number") ? { number: field.text("Number", "Phone number.") } : {}),
    ...(parts.includes("handle") ? { handle: field.text("Handle", "User name on the service.") } : {}),
  });

const personData = ({ name, address, number, handle }: ChatPerson): JsonObject =>
  present({ name, address, number, handle });

export const shownName = ({ name, address, number, handle }: ChatPerson): string | undefined =>
  name ?? address ?? number ?? handle;

/** Recognises the type of an identifier by its format, because messengers store addresses and numbers in one column. */
export const personOf = (identifier: string): ChatPerson =>
  identifier.includes("@")
    ? { address: identifier.toLowerCase() }
    : /^\+?[\d ()./-]{3,}$/.test(identifier)
      ? { number: identifier }
      : { name: identifier };

/** `extra` contains the values of fields that only this source has. */
export function messageRecord(message: ConversationMessage, extra: Parameters<typeof present>[0] = {}): JsonObject {
  const { id, conversation, kind = "message", direction, sender = {}, text, sentAt, editedAt, replyTo } = message;
  const { attachments = [], reactions = [] } = message;
  return present({
    id,
    conversation_id: conversation.id,
    conversation_name: conversation.name,
    kind,
    direction,
    sender_name: shownName(sender),
    sender_address: sender.address,
    sender_number: sender.number,
    sender_handle: sender.handle,
    ...keptText("text", text),
    sent_at: sentAt,
    edited_at: editedAt,
    reply_to_id: replyTo,
    attachments: attachments.length === 0 ? undefined : attachments.map((one) => present({ ...one })),
    reactions: reactions.length === 0 ? undefined : reactions.map((one) => present({ ...one })),
    ...extra,
  });
}

export function conversationRecord({ id, name, kind, participants = [] }: Conversation): JsonObject {
  return present({
    id,
    name,
    kind,
    participants: participants.length === 0 ? undefined : participants.map(personData),
  });
}

/** Names an unnamed conversation after the people in it. */
export const namedAfter = (people: readonly ChatPerson[]): string | undefined =>
  people.flatMap((person) => shownName(person) ?? []).join(", ") || undefined;
