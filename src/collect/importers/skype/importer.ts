// Skype: messages.json from the service's export, and main.db, which the program wrote until 2018.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import {
  type EntryPreview,
  entriesFrom,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type Recognition,
} from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { attachedFile, folderOf, joinPath, nameOf } from "../attached-file.ts";
import { type ChatAttachment, type Conversation, conversationRecord, messageRecord } from "../chat-streams.ts";
import { databaseEvents, hasTables } from "../database-events.ts";
import { estimateItems } from "../estimates.ts";
import { isSqlite, openForeignForPlan } from "../foreign-sqlite.ts";
import { isoInstant } from "../iso-instant.ts";
import { idIn, isObject, objectIn, textIn, textsIn } from "../json-fields.ts";
import { type JsonPath, jsonItems } from "../json-items.ts";
import { htmlText } from "../mail/html-text.ts";
import { replayed } from "../replay.ts";
import { accountIn, databaseMessages, NEEDS } from "./database.ts";
import { skypeDeclaration } from "./declaration.ts";

/** Matches once per item, to estimate the number of items. */
const ONE = /"originalarrivaltime"\s*:/g;

export const skypeImporter: Importer = {
  name: "skype",
  title: "Skype (messages.json, main.db)",
  from: [
    "Skype: secure.skype.com/en/data-export, “Conversations”",
    "Skype before 2018: main.db in the account’s folder",
  ],
  recognise,
  async plan({ entries }) {
    const owner = await ownerOf(entries);
    const estimate = await estimateItems(entries.filter(isMessages), ONE);
    return {
      account: { key: owner ?? "skype", name: owner === undefined ? "Skype" : `Skype (${owner})` },
      declaration: skypeDeclaration,
      streams: [{ stream: "messages", ...estimate }, { stream: "conversations" }],
    };
  },
  async *run(input, context) {
    const owner = await ownerOf(input.entries);
    const media = input.entries.filter(isMedia);
    for (const { entry, position } of entriesFrom(input, context)) {
      if (isDatabase(entry)) {
        yield* databaseEvents(input, entry, position, {
          called: "a Skype database",
          needs: NEEDS,
          read: (database, after) => databaseMessages(entry, database, after, context.makeId),
        });
      } else if (isMessages(entry)) yield* replayed(entry, position, eventsOf(entry, owner, media, context));
      else if (isMedia(entry)) yield { kind: "checkpoint", entry };
      else yield* replayed(entry, position, settings(entry));
    }
  },
};

const isDatabase = ({ path }: Pick<Entry, "path">): boolean => /\.db$/i.test(path);
const isMessages = ({ path }: Pick<Entry, "path">): boolean => nameOf(path) === "messages.json";
const isMedia = ({ path }: Pick<Entry, "path">): boolean => !isDatabase({ path }) && !/\.json$/i.test(path);

async function* settings(entry: Entry): AsyncGenerator<ImportEvent> {
  yield { kind: "skip", entry, reason: "devices that were signed in" };
}

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  if (isSqlite(head))
    return /(?:^|\/)(?:main|skype[^/]*)\.db$/i.test(path)
      ? { score: 62, reason: "Skype, judging by its name", group: path }
      : undefined;
  const start = Buffer.from(head).toString();
  if (isMessages({ path }) && /^\ufeff?\s*\{\s*"userId"\s*:\s*"[^"]*"\s*,\s*"exportDate"/.test(start))
    return { score: 95, reason: "Skype export" };
  if (
    nameOf(path) === "endpoints.json" &&
    has(joinPath(folderOf(path), "messages.json")) &&
    /^\s*\{\s*"endpoints"/.test(start)
  )
    return { score: 90, reason: "devices in a Skype export" };
  const root = /^(?:(.*?)\/)?media\/[^/]+$/.exec(path);
  return root !== null &&
    has(joinPath(root[1] ?? "", "messages.json")) &&
    has(joinPath(root[1] ?? "", "endpoints.json"))
    ? { score: 88, reason: "file in a Skype export" }
    : undefined;
}

async function ownerOf(entries: readonly Entry[]): Promise<string | undefined> {
  for (const entry of entries) {
    try {
      if (isMessages(entry)) {
        for await (const item of jsonItems(entry, (path) => path.length === 1 && path[0] === "userId"))
          return "value" in item && typeof item.value === "string" ? handleOf(item.value) : undefined;
      } else if (isDatabase(entry)) {
        const database = await openForeignForPlan(entry);
        try {
          if (hasTables(database, NEEDS)) return accountIn(database);
        } finally {
          await database.close();
        }
      }
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return undefined;
}

/** `8:live:ada` is the account `live:ada`, `19:…@thread.skype` is a group, and `4:+1555…` is a phone. */
const handleOf = (id: string): string => id.replace(/^\d+:/, "").toWellFormed();

const isFact = (path: JsonPath): boolean =>
  path.length === 3 &&
  path[0] === "conversations" &&
  ["id", "displayName", "threadProperties"].includes(path[2] as string);
const isMessage = (path: JsonPath): boolean =>
  path.length === 4 && path[0] === "conversations" && path[2] === "MessageList";

async function* eventsOf(
  entry: Entry,
  owner: string | undefined,
  media: readonly Entry[],
  context: ImportContext,
): AsyncGenerator<ImportEvent> {
  let facts: JsonObject = {};
  let at: string | number | undefined;
  let conversation: Conversation | undefined;
  for await (const item of jsonItems(entry, (path) => isFact(path) || isMessage(path))) {
    const { offset, path } = item;
    if (path[1] !== at) {
      at = path[1];
      facts = {};
      conversation = undefined;
    }
    if (isFact(path)) {
      if ("value" in item) facts[path[2] as string] = item.value;
      continue;
    }
    const value = "value" in item && isObject(item.value) ? item.value : undefined;
    if (conversation === undefined) {
      conversation = conversationOf(facts, context.makeId);
      yield {
        kind: "record",
        stream: "conversations",
        key: conversation.id,
        data: conversationRecord(conversation),
        entry,
      };
    }
    const id = value && idIn(value, "id");
    const sentAt = value && isoInstant(textIn(value, "originalarrivaltime"));
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
    for (const reference of textsIn(value, "amsreferences")) {
      const file = media.find(({ path: own }) => nameOf(own).startsWith(`${reference}.`));
      const kept = file === undefined ? undefined : await attachedFile(file, context);
      if (kept !== undefined && "left" in kept) yield kept.left;
      attachments.push({
        name: file === undefined ? reference : nameOf(file.path),
        ...(kept && "blob" in kept ? { blob: kept.blob } : {}),
      });
    }
    const from = handleOf(textIn(value, "from") ?? "") || undefined;
    const type = textIn(value, "messagetype") ?? "";
    const data = messageRecord({
      id: context.makeId(`${textIn(facts, "id") ?? "unknown"}/${id}`),
      conversation,
      kind: /^Event\/Call/.test(type) ? "call" : /^(?:Rich)?Text/.test(type) ? "message" : "event",
      direction: owner === undefined || from === undefined ? undefined : from === owner ? "sent" : "received",
      sender: { name: textIn(value, "displayName"), handle: from },
      text: htmlText(textIn(value, "content") ?? "").trim() || undefined,
      sentAt,
      editedAt: isoInstant(textIn(objectIn(value, "properties"), "edittime")),
      attachments,
    });
    yield { kind: "record", stream: "messages", key: data.id as string, data, entry, offset };
  }
}

/** Skype's id contains the name of the other person, so it is hashed with a key. */
function conversationOf(facts: JsonObject, makeId: MakeId): Conversation {
  const id = textIn(facts, "id") ?? "unknown";
  const thread = objectIn(facts, "threadProperties");
  const isGroup = id.startsWith("19:");
  const name = textIn(facts, "displayName") ?? textIn(thread, "topic") ?? handleOf(id);
  const members = memberIds(thread);
  const participants = isGroup ? members.map((one) => ({ handle: handleOf(one) })) : [{ name, handle: handleOf(id) }];
  return { id: makeId(id), name, kind: isGroup ? "group" : "direct", participants };
}

/** The list is a string that contains JSON. */
function memberIds(thread: JsonObject): string[] {
  try {
    const list: unknown = JSON.parse(textIn(thread, "members") ?? "[]");
    return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
