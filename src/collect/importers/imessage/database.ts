// Converts rows of a Messages database to messages and conversations. Columns that a version of macOS or iOS lacks
// count as empty.
import type { JsonObject } from "../../../contract/json.ts";
import type { MakeId } from "../../record-ids.ts";
import {
  type ChatAttachment,
  type ChatPerson,
  type ChatReaction,
  type Conversation,
  messageRecord,
  namedAfter,
  personOf,
  shownName,
} from "../chat-streams.ts";
import type { ForeignDatabase, ForeignRow } from "../foreign-sqlite.ts";
import { attributedText } from "./attributed-text.ts";

export const NEEDS = {
  message: ["guid", "date", "handle_id", "is_from_me"],
  chat: ["guid"],
  handle: ["id"],
  chat_message_join: ["chat_id", "message_id"],
  chat_handle_join: ["chat_id", "handle_id"],
};

const SCHEMA = /CREATE TABLE (?:"?message"? \(ROWID INTEGER PRIMARY KEY AUTOINCREMENT|"?chat_message_join)/;
/** The beginning of a database often contains its first table definitions. */
export const showsMessages = (head: Uint8Array): boolean => SCHEMA.test(Buffer.from(head).toString("latin1"));

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.toWellFormed() : undefined;

/** Selects `columns` of a table, with NULL for those that this version lacks. */
function selected({ tables }: ForeignDatabase, table: string, columns: readonly string[]): string {
  const known = tables.get(table) ?? [];
  return columns.map((name) => (known.includes(name) ? `${table}.${name}` : `NULL AS ${name}`)).join(", ");
}

const APPLE_EPOCH_MS = 978_307_200_000n;
/**
 * Times are in seconds before macOS 10.13, and in nanoseconds since. Seconds will not reach this value for thirty
 * thousand years.
 */
const NANOSECONDS_FROM = 1_000_000_000_000n;

/** The value counts from 2001. Zero means "never". */
function appleInstant(value: unknown): string | undefined {
  if (typeof value !== "bigint" || value <= 0n) return undefined;
  const millis = APPLE_EPOCH_MS + (value >= NANOSECONDS_FROM ? value / 1_000_000n : value * 1000n);
  return millis < 253_402_300_800_000n ? new Date(Number(millis)).toISOString() : undefined;
}

/** `E:ada@example.com` and `P:+15551234567` are accounts. Their case differs between rows. */
function accountName(value: unknown): string | undefined {
  const name = text(value)?.replace(/^[ep]:/i, "");
  return name === undefined || name === "" ? undefined : name.includes("@") ? name.toLowerCase() : name;
}

/** The account that the oldest conversation belongs to. */
export function accountOf(database: ForeignDatabase): string | undefined {
  const columns = selected(database, "chat", ["account_login"]);
  for (const { account_login } of database.rows(`SELECT ${columns} FROM chat ORDER BY chat.ROWID LIMIT 1000`)) {
    const name = accountName(account_login);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Returns the number of messages, and the times of the first and the last. */
export function extentOf(database: ForeignDatabase): { count: number; since?: string; until?: string } {
  const [row] = database.rows(
    "SELECT count(*) AS count, min(date) AS first, max(date) AS last FROM message WHERE date > 0",
  );
  const [since, until] = [appleInstant(row!.first), appleInstant(row!.last)];
  return { count: Number(row!.count), ...(since === undefined || until === undefined ? {} : { since, until }) };
}

export interface Chats {
  all: readonly Conversation[];
  /** Finds the conversation by the row id of a message. */
  of(message: bigint): Conversation | undefined;
}

/** The style value that marks a group in Messages. */
const GROUP_STYLE = 43n;

/** Chat ids contain the number or address of the other person, so they are hashed with a key. */
export function chatsOf(database: ForeignDatabase, makeId: MakeId): Chats {
  const members = new Map<bigint, ChatPerson[]>();
  const joined = `SELECT chat_handle_join.chat_id AS chat, handle.id AS id FROM chat_handle_join
    JOIN handle ON handle.ROWID = chat_handle_join.handle_id ORDER BY handle.ROWID`;
  for (const { chat, id } of database.rows(joined)) {
    const identifier = text(id);
    if (typeof chat !== "bigint" || identifier === undefined) continue;
    members.set(chat, [...(members.get(chat) ?? []), personOf(identifier)]);
  }
  const chats = new Map<bigint, Conversation>();
  const columns = selected(database, "chat", ["guid", "style", "chat_identifier", "display_name"]);
  for (const row of database.rows(`SELECT chat.ROWID AS row, ${columns} FROM chat ORDER BY chat.ROWID`)) {
    const guid = text(row.guid);
    if (guid === undefined) continue;
    const id = makeId(guid);
    const participants = members.get(row.row as bigint) ?? [];
    const name = text(row.display_name) ?? namedAfter(participants) ?? text(row.chat_identifier) ?? guid;
    chats.set(row.row as bigint, { id, name, kind: row.style === GROUP_STYLE ? "group" : "direct", participants });
  }
  const chatOf = new Map<number, bigint>();
  for (const { message, chat } of database.rows(
    "SELECT message_id AS message, min(chat_id) AS chat FROM chat_message_join GROUP BY message_id",
  ))
    if (typeof chat === "bigint") chatOf.set(Number(message), chat);
  return { all: [...chats.values()], of: (message) => chats.get(chatOf.get(Number(message)) ?? -1n) };
}

const TAPBACKS = ["❤️", "👍", "👎", "😂", "‼️", "❓"];
/** `p:0/GUID` refers to a part of a message, `bp:GUID` to its bubble. */
const targetOf = (value: unknown): string | undefined => text(value)?.replace(/^(?:p:\d+\/|bp:)/, "");

export interface Reactions {
  /** Reactions by the id of their message. */
  given: ReadonlyMap<string, ChatReaction[]>;
  /** Returns true if the row is part of another message. */
  isReaction(row: bigint): boolean;
}

/**
 * Each tapback is a row of its own, and so is its removal. A tapback whose message is missing is imported as a message.
 */
export function reactionsOf(database: ForeignDatabase): Reactions {
  if (!database.tables.get("message")!.includes("associated_message_type"))
    return { given: new Map(), isReaction: () => false };
  const tapbacks = [...tapbackRows(database)].flatMap((row) => {
    const target = targetOf(row.associated_message_guid);
    return target === undefined ? [] : [{ row, target }];
  });
  const targets = new Set(tapbacks.map(({ target }) => target));
  const found = new Set<unknown>();
  if (targets.size > 0)
    for (const { guid } of database.rows("SELECT guid FROM message")) if (targets.has(guid as string)) found.add(guid);
  const given = new Map<string, Map<string, string>>();
  const rows = new Set<bigint>();
  for (const { row, target } of tapbacks.filter((one) => found.has(one.target))) {
    rows.add(row.row as bigint);
    const type = Number(row.associated_message_type);
    const emoji = TAPBACKS[type % 1000] ?? text(row.associated_message_emoji) ?? "sticker";
    const by = row.is_from_me === 1n ? (accountName(row.account) ?? "me") : (text(row.sender) ?? "");
    const own = given.get(target) ?? new Map<string, string>();
    if (type < 3000) own.set(`${by}\n${emoji}`, emoji);
    else own.delete(`${by}\n${emoji}`);
    given.set(target, own);
  }
  const listed = [...given].map(([target, own]) => [target, grouped(own)] as const);
  return {
    given: new Map(listed.filter(([, reactions]) => reactions.length > 0)),
    isReaction: (row) => rows.has(row),
  };
}

function tapbackRows(database: ForeignDatabase): IterableIterator<ForeignRow> {
  const columns = selected(database, "message", [
    "associated_message_type",
    "associated_message_guid",
    "associated_message_emoji",
    "is_from_me",
    "account",
  ]);
  return database.rows(`SELECT message.ROWID AS row, ${columns}, handle.id AS sender
    FROM message LEFT JOIN handle ON handle.ROWID = message.handle_id
    WHERE message.associated_message_type BETWEEN 2000 AND 3999 ORDER BY message.date, message.ROWID`);
}

function grouped(own: ReadonlyMap<string, string>): ChatReaction[] {
  const byEmoji = Map.groupBy(own, ([, emoji]) => emoji);
  return [...byEmoji].map(([emoji, entries]) => ({
    emoji,
    count: entries.length,
    by: entries.map(([key]) => key.slice(0, key.indexOf("\n"))).filter((name) => name !== ""),
  }));
}

const MESSAGE_COLUMNS = [
  "guid",
  "text",
  "attributedBody",
  "subject",
  "service",
  "account",
  "date",
  "date_read",
  "date_edited",
  "is_from_me",
  "item_type",
  "group_title",
  "thread_originator_guid",
] as const;

/** Yields messages in row order. */
export function messageRows(database: ForeignDatabase): IterableIterator<ForeignRow> {
  const columns = selected(database, "message", MESSAGE_COLUMNS);
  return database.rows(
    `SELECT message.ROWID AS row, ${columns}, handle.id AS sender
      FROM message LEFT JOIN handle ON handle.ROWID = message.handle_id ORDER BY message.ROWID`,
  );
}

/** Includes the path below `Attachments/` where Messages stores the file. */
export interface FoundAttachment extends ChatAttachment {
  path?: string;
}

/**
 * Attachments by the row id of their message. They are read all at once, because in a copy without indexes each lookup
 * would scan the whole table.
 */
export function attachmentsOf(database: ForeignDatabase): ReadonlyMap<number, FoundAttachment[]> {
  const found = new Map<number, FoundAttachment[]>();
  if (!database.tables.has("attachment") || !database.tables.has("message_attachment_join")) return found;
  const columns = selected(database, "attachment", ["filename", "transfer_name", "mime_type", "total_bytes"]);
  const rows = database.rows(
    `SELECT message_attachment_join.message_id AS message, ${columns} FROM message_attachment_join
      JOIN attachment ON attachment.ROWID = message_attachment_join.attachment_id ORDER BY attachment.ROWID`,
  );
  for (const { message, filename, transfer_name, mime_type, total_bytes } of rows) {
    const path = /(?:^|\/)Attachments\/(.+)$/.exec(text(filename) ?? "")?.[1];
    const one = {
      name: text(transfer_name) ?? text(filename)?.split("/").at(-1),
      mime_type: text(mime_type),
      size_bytes: typeof total_bytes === "bigint" && total_bytes > 0n ? Number(total_bytes) : undefined,
      ...(path === undefined ? {} : { path }),
    };
    found.set(Number(message), [...(found.get(Number(message)) ?? []), one]);
  }
  return found;
}

/** The characters that Messages writes in place of a picture. */
const PLACEHOLDERS = /[\ufffc\ufffd]/g;

function bodyOf({ text: plain, attributedBody }: ForeignRow): string | undefined {
  const body = text(plain) ?? (attributedBody instanceof Uint8Array ? attributedText(attributedBody) : undefined);
  return body?.replace(PLACEHOLDERS, "").toWellFormed() || undefined;
}

/** Returns undefined if the row has no id or no time. */
export function messageOf(
  row: ForeignRow,
  chat: Conversation | undefined,
  reactions: ChatReaction[] | undefined,
  attachments: ChatAttachment[],
  makeId: MakeId,
): JsonObject | undefined {
  const id = text(row.guid);
  const sentAt = appleInstant(row.date);
  if (id === undefined || sentAt === undefined) return undefined;
  const isSent = row.is_from_me === 1n;
  const other = text(row.sender);
  const identifier = isSent ? accountName(row.account) : other;
  const isEvent = typeof row.item_type === "bigint" && row.item_type > 0n;
  const title = text(row.group_title);
  // A message that was deleted from its conversation still refers to the other person.
  const conversation = chat ?? {
    id: makeId(other ?? "unknown"),
    name: (other && shownName(personOf(other))) ?? "Unknown",
  };
  return messageRecord(
    {
      id,
      conversation,
      kind: isEvent ? "event" : "message",
      direction: isSent ? "sent" : "received",
      sender: identifier === undefined ? undefined : personOf(identifier),
      text: bodyOf(row) ?? (isEvent && title !== undefined ? `named the conversation “${title}”` : undefined),
      sentAt,
      editedAt: appleInstant(row.date_edited),
      replyTo: text(row.thread_originator_guid),
      attachments,
      reactions: reactions ?? [],
    },
    { service: text(row.service), subject: text(row.subject), read_at: appleInstant(row.date_read) },
  );
}
