// Message threads in exports from Facebook, Messenger and Instagram: message_1.json and so on, newest first, with the
// title after the messages.
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { Entry } from "../entry.ts";
import type { ImportContext, ImportEvent } from "../importer.ts";
import {
  type ChatAttachment,
  type Conversation,
  type ConversationMessage,
  conversationRecord,
  messageRecord,
} from "./chat-streams.ts";
import { countIn, instantOf, isObject, objectIn, objectsIn, textIn } from "./json-fields.ts";
import { type JsonPath, jsonItems } from "./json-items.ts";
import { attachmentOf, type MetaMedia } from "./meta-media.ts";
import { parseMended } from "./meta-text.ts";
import { digestOf } from "./replay.ts";

const HEADER: ReadonlySet<string | number> = new Set(["participants", "title", "threadName", "thread_path"]);
const isHeader = (path: JsonPath): boolean => path.length === 1 && HEADER.has(path[0]!);
const isMessage = (path: JsonPath): boolean => path.length === 2 && path[0] === "messages";

/** Recognises the beginning of such a file. Messages come after the participants, and each names its sender. */
export const isThreadHead = (head: string): boolean =>
  /^\ufeff?\s*\{\s*"participants"\s*:\s*\[/.test(head) &&
  /"(?:sender_name|senderName|timestamp_ms)"|"messages"\s*:\s*\[\s*\]/.test(head);

/** The facts that a file contains about its thread, besides the messages. */
interface Thread {
  /** The path on the service. Older and encrypted threads have no path. */
  path: string | undefined;
  title: string | undefined;
  people: string[];
}

async function readThread(entry: Entry): Promise<Thread> {
  const found: Record<string, JsonValue> = {};
  try {
    for await (const { path, ...item } of jsonItems(entry, isHeader, { parse: parseMended }))
      if ("value" in item) found[path[0] as string] = item.value;
  } catch {
    // The run reports what is wrong with the file.
  }
  const list = Array.isArray(found.participants) ? found.participants : [];
  const people = list.flatMap((one) =>
    typeof one === "string" ? one : isObject(one) ? (textIn(one, "name") ?? []) : [],
  );
  return { path: textIn(found, "thread_path"), title: textIn(found, "title") ?? textIn(found, "threadName"), people };
}

export interface Threads {
  /** Finds the thread by the entry's path. */
  of(entry: Entry): Thread;
  /**
   * The person who exported the data: known from the profile, or else from threads between two people, which are named
   * after the other person.
   */
  owner(thread: Thread): string | undefined;
}

export async function readThreads(entries: readonly Entry[], profileName: string | undefined): Promise<Threads> {
  const threads = new Map<string, Thread>();
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const thread = await readThread(entry);
    threads.set(entry.path, thread);
    const own = ownerOfPair(thread);
    if (own !== undefined) counts.set(own, (counts.get(own) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([one, count], [other, more]) => more - count || (one < other ? -1 : 1));
  return {
    of: (entry) => threads.get(entry.path) ?? { path: undefined, title: undefined, people: [] },
    owner: (thread) => profileName ?? ownerOfPair(thread) ?? most?.[0],
  };
}

function ownerOfPair({ title, people }: Thread): string | undefined {
  if (people.length !== 2 || title === undefined || !people.includes(title)) return undefined;
  return people.find((name) => name !== title);
}

/** Yields every message of one file, and its conversation. */
export async function* threadEvents(
  entry: Entry,
  threads: Threads,
  media: MetaMedia,
  context: ImportContext,
): AsyncGenerator<ImportEvent> {
  const thread = threads.of(entry);
  const owner = threads.owner(thread);
  const conversation = conversationOf(thread, owner, context);
  const data = conversationRecord(conversation);
  yield { kind: "record", stream: "conversations", key: conversation.id, data, entry };
  for await (const item of jsonItems(entry, isMessage, { parse: parseMended })) {
    const { offset } = item;
    const message = "value" in item && isObject(item.value) ? item.value : undefined;
    const sentAt = message && sentTime(message);
    if (message === undefined || sentAt === undefined) {
      const wrong = "problem" in item ? item.problem : message === undefined ? "it is not an object" : "it has no time";
      yield { kind: "error", entry, offset, message: wrong };
      continue;
    }
    const attachments: ChatAttachment[] = [];
    for (const uri of urisIn(message)) attachments.push(yield* attachmentOf(uri, media, context));
    const record = messageOf(message, sentAt, conversation, owner, attachments, context);
    yield { kind: "record", stream: "messages", key: record.id as string, data: record, entry, offset };
  }
}

function conversationOf(
  { path, title, people }: Thread,
  owner: string | undefined,
  { makeId }: ImportContext,
): Conversation {
  const others = people.filter((name) => name !== owner);
  return {
    // Even the path of a thread contains the name of a person or a group.
    id: makeId(path ?? `thread-${digestOf(title ?? "", ...[...people].sort())}`),
    name: title ?? (others.join(", ") || "Unknown"),
    kind: people.length > 2 ? "group" : "direct",
    participants: people.map((name) => ({ name })),
  };
}

const sentTime = (message: JsonObject): string | undefined => {
  const millis = countIn(message, "timestamp_ms") ?? countIn(message, "timestamp");
  return millis === undefined || millis === 0 ? undefined : instantOf(millis / 1000);
};

const MEDIA = ["photos", "videos", "audio_files", "gifs", "files", "media"];

function urisIn(message: JsonObject): string[] {
  const listed = MEDIA.flatMap((name) => objectsIn(message, name));
  return [...listed, objectIn(message, "sticker")].flatMap((one) => textIn(one, "uri") ?? []);
}

/** Values of `type` that are events in the thread. A message with a duration is a call. */
const EVENTS: ReadonlySet<string> = new Set(["Subscribe", "Unsubscribe"]);

function messageOf(
  message: JsonObject,
  sentAt: string,
  conversation: Conversation,
  owner: string | undefined,
  attachments: ChatAttachment[],
  { makeId }: ImportContext,
): JsonObject {
  const name = textIn(message, "sender_name") ?? textIn(message, "senderName");
  const duration = countIn(message, "call_duration");
  const type = textIn(message, "type") ?? "";
  const isCall = type === "Call" || duration !== undefined;
  const text = textOf(message) ?? (isCall ? (message.missed === true ? "Missed call" : "Call") : undefined);
  const identity = ["message", conversation.id, sentAt, name ?? "", text ?? "", ...urisIn(message)];
  const kind: ConversationMessage["kind"] = isCall ? "call" : EVENTS.has(type) ? "event" : "message";
  const direction = owner === undefined || name === undefined ? undefined : name === owner ? "sent" : "received";
  return messageRecord(
    {
      id: makeId(digestOf(...identity)),
      conversation,
      kind,
      direction,
      sender: { name },
      text,
      sentAt,
      attachments,
      reactions: reactionsOf(message),
    },
    { duration_seconds: duration },
  );
}

/** The text, plus any shared content with its address. */
function textOf(message: JsonObject): string | undefined {
  const share = objectIn(message, "share");
  const parts = [
    textIn(message, "content") ?? textIn(message, "text"),
    textIn(share, "share_text"),
    textIn(share, "link"),
  ];
  return [...new Set(parts.filter((part) => part !== undefined))].join("\n") || undefined;
}

function reactionsOf(message: JsonObject): NonNullable<ConversationMessage["reactions"]> {
  const given = objectsIn(message, "reactions").flatMap((one) => {
    const emoji = textIn(one, "reaction");
    return emoji === undefined ? [] : [{ emoji, by: textIn(one, "actor") }];
  });
  return [...Map.groupBy(given, ({ emoji }) => emoji)].map(([emoji, all]) => ({
    emoji,
    count: all.length,
    by: all.flatMap(({ by }) => by ?? []),
  }));
}
