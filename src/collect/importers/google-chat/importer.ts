// Google Chat from Takeout, with one folder per conversation, and Hangouts.json from older Takeouts.
import type { JsonObject } from "../../../contract/json.ts";
import { parseInstant } from "../../../core/instant.ts";
import { type Entry, wholeEntry } from "../../entry.ts";
import type { EntryPreview, ImportContext, ImportEvent, Importer, Recognition } from "../../importer.ts";
import { attachedFile, folderOf, joinPath, nameOf } from "../attached-file.ts";
import {
  type ChatAttachment,
  type ChatPerson,
  type Conversation,
  conversationRecord,
  messageRecord,
  namedAfter,
} from "../chat-streams.ts";
import { estimateItems } from "../estimates.ts";
import { countIn, isObject, objectIn, objectsIn, textIn, textsIn } from "../json-fields.ts";
import { type JsonPath, jsonItems } from "../json-items.ts";
import { writtenMillis } from "../local-time.ts";
import { ordinals } from "../ordinals.ts";
import { replayedLists } from "../replay.ts";
import { googleChatDeclaration } from "./declaration.ts";
import { hangoutsEvents, hangoutsOwner } from "./hangouts.ts";

/** Matches once per item, to estimate the number of items. */
const ONE = /"(?:message_id|event_id)"\s*:/g;
const FACTS_BYTES_MAX = 16 * 1024 * 1024;

export const googleChatImporter: Importer = {
  name: "google-chat",
  title: "Google Chat and Hangouts (Takeout)",
  from: ["Google: takeout.google.com, “Google Chat”"],
  recognise,
  async plan({ entries }) {
    const owner = await ownerOf(entries);
    const estimate = await estimateItems(entries.filter(holdsMessages), ONE);
    return {
      account: {
        key: owner.key ?? "google-chat",
        name: `Google Chat${owner.name === undefined ? "" : ` (${owner.name})`}`,
      },
      declaration: googleChatDeclaration,
      streams: [{ stream: "messages", ...estimate }, { stream: "conversations" }],
    };
  },
  async *run(input, context) {
    const { key } = await ownerOf(input.entries);
    const files = new Map(input.entries.map((entry) => [entry.path, entry]));
    const used = new Set<string>();
    yield* replayedLists(input, context, {
      isList: holdsMessages,
      eventsOf: (entry) =>
        isHangouts(entry) ? hangoutsEvents(entry) : eventsOf(entry, { files, used, owner: key, context }),
      unused: () =>
        input.entries.filter(
          (entry) => !holdsMessages(entry) && !FACTS.test(nameOf(entry.path)) && !used.has(entry.path),
        ),
      reason: "no message refers to it",
    });
  },
};

const FACTS = /^(?:group_info|user_info)\.json$/;
const isHangouts = ({ path }: Pick<Entry, "path">): boolean => /^Hangouts[^/]*\.json$/i.test(nameOf(path));
const holdsMessages = ({ path }: Pick<Entry, "path">): boolean =>
  nameOf(path) === "messages.json" || isHangouts({ path });

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  const name = nameOf(path);
  const start = Buffer.from(head).toString();
  if (isHangouts({ path }) && /^\s*\{\s*"conversations"\s*:\s*\[/.test(start) && start.includes('"conversation_id"'))
    return { score: 95, reason: "Hangouts from Google Takeout" };
  if (
    name === "messages.json" &&
    /^\s*\{\s*"messages"\s*:\s*\[/.test(start) &&
    /"(?:created_date|creator|topic_id)"\s*:/.test(start)
  )
    return { score: 95, reason: "Google Chat from Google Takeout" };
  if (name === "group_info.json" && /^\s*\{\s*"(?:members|name)"\s*:/.test(start))
    return { score: 94, reason: "Google Chat group" };
  if (name === "user_info.json" && /^\s*\{\s*"user"\s*:/.test(start))
    return { score: 94, reason: "Google Chat account" };
  return /(?:^|\/)Google Chat\/Groups\//.test(path) && has(joinPath(folderOf(path), "messages.json"))
    ? { score: 86, reason: "Google Chat file" }
    : undefined;
}

async function factsIn(entry: Entry | undefined): Promise<JsonObject> {
  if (entry === undefined) return {};
  try {
    const value = JSON.parse((await wholeEntry(entry, FACTS_BYTES_MAX)).toString().replace(/^\ufeff/, ""));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

async function ownerOf(entries: readonly Entry[]): Promise<{ key?: string; name?: string }> {
  const user = objectIn(await factsIn(entries.find(({ path }) => nameOf(path) === "user_info.json")), "user");
  const email = textIn(user, "email")?.toLowerCase();
  if (email !== undefined) return { key: email, name: email };
  const hangouts = entries.find(isHangouts);
  const owner = hangouts === undefined ? undefined : await hangoutsOwner(hangouts);
  // Prefixed, because a bare number would be mistaken for the owner's phone number.
  return owner === undefined ? {} : { key: `user-${owner.id}`, name: owner.name ?? owner.id };
}

interface Reading {
  files: ReadonlyMap<string, Entry>;
  /** Paths of files that messages refer to. */
  used: Set<string>;
  owner: string | undefined;
  context: ImportContext;
}

const isMessage = (path: JsonPath): boolean => path.length === 2 && path[0] === "messages";

async function* eventsOf(entry: Entry, { files, used, owner, context }: Reading): AsyncGenerator<ImportEvent> {
  const folder = folderOf(entry.path);
  const facts = await factsIn(files.get(joinPath(folder, "group_info.json")));
  const members = objectsIn(facts, "members").map(personIn);
  const others = members.filter(({ address }) => address !== owner);
  const name = textIn(facts, "name") ?? namedAfter(others) ?? "Unknown";
  let conversation: Conversation | undefined;
  const nth = ordinals();
  for await (const item of jsonItems(entry, isMessage)) {
    const { offset } = item;
    const value = "value" in item && isObject(item.value) ? item.value : undefined;
    const id = value && textIn(value, "message_id");
    const sentAt = value && takeoutTime(textIn(value, "created_date"));
    if (value === undefined || id === undefined || sentAt === undefined) {
      const wrong = "problem" in item ? item.problem : "the message has no id, or a time that cannot be read";
      yield { kind: "error", entry, offset, message: wrong };
      continue;
    }
    const [group = id, topic] = id.split("/");
    if (conversation === undefined) {
      conversation = { id: group, name, kind: members.length > 2 ? "group" : "direct", participants: members };
      yield { kind: "record", stream: "conversations", key: group, data: conversationRecord(conversation), entry };
    }
    const attachments: ChatAttachment[] = [];
    for (const file of objectsIn(value, "attached_files")) {
      const own = files.get(joinPath(folder, textIn(file, "export_name") ?? ""));
      if (own !== undefined) used.add(own.path);
      const kept = own === undefined ? undefined : await attachedFile(own, context);
      if (kept !== undefined && "left" in kept) yield kept.left;
      attachments.push({
        name: textIn(file, "original_name") ?? textIn(file, "export_name"),
        ...(kept !== undefined && "blob" in kept ? { blob: kept.blob } : {}),
      });
    }
    const sender = personIn(objectIn(value, "creator"));
    // Takeout has produced two messages with the same id.
    const ordinal = nth(id);
    const own = ordinal === 0 ? id : `${id}#${ordinal}`;
    const first = `${group}/${topic}/${topic}`;
    const data = messageRecord({
      id: own,
      conversation,
      kind: textIn(value, "message_state") === "DELETED" ? "event" : "message",
      direction:
        owner === undefined || sender.address === undefined
          ? undefined
          : sender.address === owner
            ? "sent"
            : "received",
      sender,
      text: textIn(value, "text") ?? (textIn(value, "message_state") === "DELETED" ? "deleted message" : undefined),
      sentAt,
      editedAt: takeoutTime(textIn(value, "updated_date")),
      replyTo: topic === undefined || first === id ? undefined : first,
      attachments,
      reactions: objectsIn(value, "reactions").flatMap((one) => {
        const emoji = textIn(objectIn(one, "emoji"), "unicode");
        const by = textsIn(one, "reactor_emails");
        return emoji === undefined ? [] : [{ emoji, count: countIn(one, "count") ?? by.length, by }];
      }),
    });
    yield { kind: "record", stream: "messages", key: own, data, entry, offset };
  }
}

const personIn = (value: JsonObject): ChatPerson => ({
  name: textIn(value, "name"),
  address: textIn(value, "email")?.toLowerCase(),
});

/** `Tuesday, January 30, 2024 at 1:27:33 PM UTC`, with several kinds of space before PM. */
const TIME_TEXT =
  /^\w+, (?<month>\w+) (?<day>\d{1,2}), (?<year>\d{4}) at (?<hour>\d{1,2}):(?<minute>\d\d):(?<second>\d\d)\s(?<half>[AP])M UTC$/;

function takeoutTime(text = ""): string | undefined {
  const millis = writtenMillis(TIME_TEXT.exec(text)?.groups) ?? parseInstant(text);
  return millis === undefined ? undefined : new Date(millis).toISOString();
}
