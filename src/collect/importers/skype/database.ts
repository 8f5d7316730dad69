// Reads messages and conversations from main.db, which Skype wrote until 2018.
import type { Entry } from "../../entry.ts";
import type { ImportEvent } from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { type Conversation, conversationRecord, messageRecord } from "../chat-streams.ts";
import type { ForeignDatabase } from "../foreign-sqlite.ts";
import { instantOf } from "../json-fields.ts";
import { htmlText } from "../mail/html-text.ts";

export const NEEDS = {
  Messages: ["id", "convo_id", "author", "from_dispname", "timestamp", "type", "body_xml"],
  Conversations: ["id", "identity", "displayname"],
  Accounts: ["skypename"],
};

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.toWellFormed() : undefined;

export const accountIn = (database: ForeignDatabase): string | undefined =>
  text(database.rows("SELECT skypename FROM Accounts ORDER BY id LIMIT 1").next().value?.skypename);

/** A text, an emote, and an SMS to a phone. */
const MESSAGE_TYPES: readonly unknown[] = [60n, 61n, 64n];
const CALL_TYPES: readonly unknown[] = [30n, 39n];

export function* databaseMessages(
  entry: Entry,
  database: ForeignDatabase,
  after: bigint,
  makeId: MakeId,
): Generator<ImportEvent> {
  const owner = accountIn(database);
  const conversations = new Map<unknown, Conversation>();
  for (const { id, identity, displayname } of database.rows(
    "SELECT id, identity, displayname FROM Conversations ORDER BY id",
  )) {
    const handle = text(identity);
    if (handle === undefined) continue;
    const isGroup = /^[#19]/.test(handle) && /[$;@]/.test(handle);
    const name = text(displayname) ?? handle;
    const participants = isGroup ? [] : [{ name, handle }];
    const conversation: Conversation = { id: makeId(handle), name, kind: isGroup ? "group" : "direct", participants };
    conversations.set(id, conversation);
    const data = conversationRecord(conversation);
    if (after === 0n) yield { kind: "record", stream: "conversations", key: conversation.id, data, entry };
  }
  const rows = database.rows(
    "SELECT id, convo_id, author, from_dispname, timestamp, type, body_xml FROM Messages WHERE id > ? ORDER BY id",
    after,
  );
  for (const { id, convo_id, author, from_dispname, timestamp, type, body_xml } of rows) {
    const offset = Number(id);
    const sentAt = instantOf(typeof timestamp === "bigint" && timestamp > 0n ? Number(timestamp) : undefined);
    if (sentAt === undefined) {
      yield { kind: "error", entry, offset, message: "the message has no time" };
      continue;
    }
    const handle = text(author);
    const data = messageRecord({
      id: makeId(`${owner ?? "skype"}-${id}`),
      conversation: conversations.get(convo_id) ?? { id: makeId(`unknown-${convo_id}`), name: "Unknown" },
      kind: CALL_TYPES.includes(type) ? "call" : MESSAGE_TYPES.includes(type) ? "message" : "event",
      direction: owner === undefined || handle === undefined ? undefined : handle === owner ? "sent" : "received",
      sender: { name: text(from_dispname), handle },
      text: htmlText(bodyOf(text(body_xml) ?? "")).trim() || undefined,
      sentAt,
    });
    yield { kind: "record", stream: "messages", key: data.id as string, data, entry, offset };
  }
}

/** An SMS is wrapped together with its price and its state. */
const bodyOf = (xml: string): string => /^<sms alt="([^"]*)"/.exec(xml)?.[1] ?? xml;
