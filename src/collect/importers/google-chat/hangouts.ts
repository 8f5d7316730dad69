// Hangouts.json of an older Takeout: conversations with their participants, then their events.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type { ImportEvent } from "../../importer.ts";
import {
  type ChatPerson,
  type Conversation,
  type ConversationMessage,
  conversationRecord,
  messageRecord,
  namedAfter,
} from "../chat-streams.ts";
import { idIn, instantOf, isObject, objectIn, objectsIn, textIn } from "../json-fields.ts";
import { type JsonPath, jsonItems } from "../json-items.ts";

const isConversation = (path: JsonPath): boolean =>
  path.length === 3 && path[0] === "conversations" && path[2] === "conversation";
const isEvent = (path: JsonPath): boolean => path.length === 4 && path[0] === "conversations" && path[2] === "events";

interface OpenConversation extends Conversation {
  people: ReadonlyMap<string, ChatPerson>;
  /** The owner's account number. */
  self: string | undefined;
}

function opened(value: JsonObject): OpenConversation | undefined {
  const facts = objectIn(value, "conversation");
  const id = textIn(objectIn(value, "conversation_id"), "id") ?? textIn(objectIn(facts, "id"), "id");
  if (id === undefined) return undefined;
  const read = objectIn(objectIn(facts, "self_conversation_state"), "self_read_state");
  const self = idIn(objectIn(read, "participant_id"), "gaia_id");
  const people = new Map<string, ChatPerson>();
  for (const one of objectsIn(facts, "participant_data")) {
    const gaia = idIn(objectIn(one, "id"), "gaia_id");
    if (gaia !== undefined) people.set(gaia, { name: textIn(one, "fallback_name") });
  }
  const others = [...people].filter(([gaia]) => gaia !== self).map(([, person]) => person);
  const kind = textIn(facts, "type") === "GROUP" ? "group" : "direct";
  const name = textIn(facts, "name") ?? namedAfter(others) ?? "Unknown";
  return { id, name, kind, participants: [...people.values()].filter((one) => one.name !== undefined), people, self };
}

/** Returns the number and the name of the account, from its first conversation. */
export async function hangoutsOwner(entry: Entry): Promise<{ id: string; name: string | undefined } | undefined> {
  try {
    for await (const item of jsonItems(entry, isConversation)) {
      const conversation = "value" in item && isObject(item.value) ? opened(item.value) : undefined;
      if (conversation?.self !== undefined)
        return { id: conversation.self, name: conversation.people.get(conversation.self)?.name };
    }
  } catch {
    // The run reports what is wrong with the file.
  }
  return undefined;
}

export async function* hangoutsEvents(entry: Entry): AsyncGenerator<ImportEvent> {
  let conversation: OpenConversation | undefined;
  for await (const item of jsonItems(entry, (path) => isConversation(path) || isEvent(path))) {
    const { offset, path } = item;
    const value = "value" in item && isObject(item.value) ? item.value : undefined;
    if (isConversation(path)) {
      conversation = value && opened(value);
      if (conversation !== undefined)
        yield {
          kind: "record",
          stream: "conversations",
          key: conversation.id,
          data: conversationRecord(conversation),
          entry,
        };
      continue;
    }
    const data = value && conversation && eventData(value, conversation);
    const wrong = "problem" in item ? item.problem : "the event has no id, no time or no conversation";
    yield data === undefined
      ? { kind: "error", entry, offset, message: wrong }
      : { kind: "record", stream: "messages", key: data.id as string, data, entry, offset };
  }
}

function eventData(event: JsonObject, conversation: OpenConversation): JsonObject | undefined {
  const id = textIn(event, "event_id");
  const micros = Number(idIn(event, "timestamp"));
  const sentAt = instantOf(micros > 0 ? micros / 1e6 : undefined);
  if (id === undefined || sentAt === undefined) return undefined;
  const sender = idIn(objectIn(event, "sender_id"), "gaia_id");
  const content = objectIn(objectIn(event, "chat_message"), "message_content");
  const type = textIn(event, "event_type") ?? "";
  const isCall = type === "HANGOUT_EVENT";
  const kind: ConversationMessage["kind"] = isCall ? "call" : isObject(event.chat_message) ? "message" : "event";
  const words = textIn(objectIn(event, "hangout_event"), "event_type") ?? type;
  return messageRecord({
    id: `${conversation.id}/${id}`,
    conversation,
    kind,
    direction:
      sender === undefined || conversation.self === undefined
        ? undefined
        : sender === conversation.self
          ? "sent"
          : "received",
    sender: sender === undefined ? undefined : conversation.people.get(sender),
    text: kind === "message" ? segmentsText(content) : words.toLowerCase().replaceAll("_", " ") || undefined,
    sentAt,
    attachments: objectsIn(content, "attachment").flatMap((one) => {
      const photo = objectIn(objectIn(one, "embed_item"), "plus_photo");
      const url = textIn(photo, "url") ?? textIn(photo, "original_content_url");
      return url === undefined ? [] : [{ url }];
    }),
  });
}

const segmentsText = (content: JsonObject): string | undefined =>
  objectsIn(content, "segment")
    .map((one) => (textIn(one, "type") === "LINE_BREAK" ? "\n" : (textIn(one, "text") ?? "")))
    .join("") || undefined;
