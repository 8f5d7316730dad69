// Messages of an Android phone: the XML of “SMS Backup & Restore” with MMS and calls, and the phone's own mmssms.db.
import type { BlobRef } from "../../../contract/blob.ts";
import type { Entry } from "../../entry.ts";
import {
  type EntryPreview,
  entriesFrom,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type Recognition,
} from "../../importer.ts";
import { nameOf } from "../attached-file.ts";
import { type ChatAttachment, conversationRecord, messageRecord } from "../chat-streams.ts";
import { databaseEvents } from "../database-events.ts";
import { decodeHead, textOf } from "../decode.ts";
import { estimateItems } from "../estimates.ts";
import { isSqlite, openForeign } from "../foreign-sqlite.ts";
import { replayed } from "../replay.ts";
import { type AddressBook, conversationKey, createAddressBook } from "./address-book.ts";
import { smsDeclaration } from "./declaration.ts";
import { type SmsElement, smsElements } from "./elements.ts";
import { type SmsMessage, senderOf, smsMessage } from "./message.ts";
import { hiddenCount, NEEDS, storedMessages } from "./telephony.ts";

/** Matches once per item, to estimate the number of items. */
const ONE = /<(?:sms|mms|call)\s/g;

export const smsImporter: Importer = {
  name: "sms",
  title: "SMS and MMS (SMS Backup & Restore, Android)",
  from: [
    "Android: XML files from the “SMS Backup & Restore” app",
    "Android: mmssms.db of the telephony provider, from a rooted phone",
  ],
  recognise,
  plan: async ({ entries }) => ({
    account: { key: "sms", name: "SMS" },
    declaration: smsDeclaration,
    streams: [
      {
        stream: "messages",
        ...(await estimateItems(
          entries.filter((entry) => !isDatabase(entry)),
          ONE,
        )),
      },
      { stream: "conversations" },
    ],
  }),
  async *run(input, context) {
    const { book, firstSeen } = await survey(input.entries);
    for (const { entry, position } of entriesFrom(input, context)) {
      const reading = { entry, book, firstSeen, context };
      if (!isDatabase(entry)) yield* replayed(entry, position, eventsOf(reading));
      else {
        yield* databaseEvents(input, entry, position, {
          called: "an Android message database",
          needs: NEEDS,
          read: (database, after) =>
            storedEvents(reading, storedMessages(database, after), after, hiddenCount(database)),
        });
      }
    }
  },
};

const isDatabase = ({ path }: Pick<Entry, "path">): boolean => /\.db$/i.test(path);

/** Returns the name of the first element, after declarations and comments. */
const rootOf = (start: string): string | undefined =>
  /^\ufeff?\s*(?:(?:<\?[^>]*\?>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>)\s*)*<(\w+)[\s/>]/.exec(
    start,
  )?.[1];

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  if (isSqlite(head)) {
    return nameOf(path) === "mmssms.db" ? { score: 92, reason: "messages from an Android phone" } : undefined;
  }
  const root = rootOf(decodeHead(head));
  if (root === "smses") return { score: 95, reason: "SMS Backup & Restore" };
  return root === "calls" ? { score: 95, reason: "SMS Backup & Restore, calls" } : undefined;
}

interface Reading {
  entry: Entry;
  book: AddressBook;
  /** Maps a conversation's key to the path of the entry that writes it. */
  firstSeen: ReadonlyMap<string, string>;
  context: ImportContext;
}

async function survey(entries: readonly Entry[]): Promise<Pick<Reading, "book" | "firstSeen">> {
  const book = createAddressBook();
  const firstSeen = new Map<string, string>();
  for (const entry of entries) {
    try {
      for await (const element of elementsOf(entry)) {
        const message = smsMessage(element);
        if (message === undefined) continue;
        const { addresses, contact, millis } = message;
        for (const address of addresses) book.note(address, addresses.length === 1 ? contact : undefined, millis);
        const key = conversationKey(addresses);
        const known = firstSeen.get(key);
        if (known === undefined || entry.path < known) firstSeen.set(key, entry.path);
      }
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return { book, firstSeen };
}

async function* elementsOf(entry: Entry): AsyncGenerator<SmsElement> {
  if (!isDatabase(entry)) {
    for await (const item of smsElements(textOf(entry))) if ("element" in item) yield item.element;
    return;
  }
  const database = await openForeign(entry);
  try {
    for (const { element } of storedMessages(database, 0n)) yield element;
  } finally {
    await database.close();
  }
}

async function* eventsOf(reading: Reading): AsyncGenerator<ImportEvent> {
  const { entry } = reading;
  const written = new Set<string>();
  for await (const item of smsElements(textOf(entry))) {
    if ("problem" in item) yield { kind: "error", entry, offset: item.offset, message: item.problem };
    else yield* messageEvents(reading, item.element, item.offset, written);
  }
}

async function* storedEvents(
  reading: Reading,
  messages: Iterable<{ element: SmsElement; row: number }>,
  after: bigint,
  hidden: number,
): AsyncGenerator<ImportEvent> {
  const { entry } = reading;
  const written = new Set<string>();
  for (const { element, row } of messages) yield* messageEvents(reading, element, row, written);
  if (hidden > 0 && after === 0n)
    yield { kind: "skip", entry, reason: "MMS: their files are not in this database", count: hidden };
}

async function* messageEvents(
  { entry, book, firstSeen, context }: Reading,
  element: SmsElement,
  offset: number,
  written: Set<string>,
): AsyncGenerator<ImportEvent> {
  const message = smsMessage(element);
  if (message === undefined) {
    yield { kind: "error", entry, offset, message: "the message has no time" };
    return;
  }
  const key = conversationKey(message.addresses);
  const conversation = book.conversation(context.makeId(`conversation-${key}`), message.addresses);
  if (firstSeen.get(key) === entry.path && !written.has(key)) {
    written.add(key);
    const data = conversationRecord(conversation);
    yield { kind: "record", stream: "conversations", key: conversation.id, data, entry };
  }
  const attachments: ChatAttachment[] = [];
  for (const file of message.files) attachments.push(await attachmentOf(file, context));
  const id = context.makeId(message.identity);
  const data = messageRecord(
    {
      id,
      conversation,
      kind: message.kind,
      direction: message.isSent ? "sent" : "received",
      sender: senderOf(message, book.person),
      text: message.text,
      sentAt: new Date(message.millis).toISOString(),
      attachments,
    },
    { subject: message.subject, duration_seconds: message.duration },
  );
  yield { kind: "record", stream: "messages", key: id, data, entry, offset };
}

async function attachmentOf(
  { name, type, data }: SmsMessage["files"][number],
  context: ImportContext,
): Promise<ChatAttachment> {
  const bytes = data === undefined ? undefined : Buffer.from(data, "base64");
  const blob: BlobRef | undefined =
    bytes === undefined || bytes.length === 0 ? undefined : await context.blob(bytes, type);
  return { name, mime_type: type, ...(blob === undefined ? {} : { size_bytes: blob.size_bytes, blob }) };
}
