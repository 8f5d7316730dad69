// Telegram Desktop exports as JSON: result.json of the whole account or of one chat, with media next to it.
import type { BlobRef } from "../../../contract/blob.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import {
  type EntryPreview,
  entriesFrom,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type ImportInput,
  type Recognition,
} from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { attachedFile, folderOf, joinPath, nameOf } from "../attached-file.ts";
import { estimateItems } from "../estimates.ts";
import { idIn, isObject, present, textIn } from "../json-fields.ts";
import { type JsonItem, type JsonPath, jsonItemRuns, jsonItems } from "../json-items.ts";
import { localClock, timeZoneQuestion } from "../local-time.ts";
import { digestOf, replayedEntries } from "../replay.ts";
import { telegramDeclaration } from "./declaration.ts";
import { type Chat, chatId, chatName, fileOf, messageData, messageTime } from "./message.ts";

const ONE = /"type"\s*:\s*"(?:message|service)"/g;
const MEDIA =
  /^(?:chats\/chat_\d+\/)?(?:photos|files|voice_messages|video_files|round_video_messages|stickers|contacts|animations|images|css|js|profile_pictures|stories|lists)\//;

export const telegramImporter: Importer = {
  name: "telegram",
  title: "Telegram (Desktop export as JSON)",
  from: ["Telegram Desktop: Settings → Advanced → Export Telegram data, as machine-readable JSON"],
  recognise,
  async plan(input) {
    const { owner, needsZone } = await look(input);
    const estimate = await estimateItems(input.entries.filter(isResult), ONE);
    return {
      account: { key: owner ?? "telegram", name: owner === undefined ? "Telegram" : `Telegram (${owner})` },
      declaration: telegramDeclaration,
      streams: [{ stream: "messages", ...estimate }, { stream: "chats" }, { stream: "contacts" }],
      questions: needsZone ? [timeZoneQuestion("This export")] : [],
    };
  },
  run(input, context) {
    const files = new Map(input.entries.map((entry) => [entry.path, entry]));
    // Media are imported with their message.
    const results = [...entriesFrom(input, context)].filter(({ entry }) => isResult(entry));
    return replayedEntries(results, (entry) => eventsOf(entry, files, context));
  },
};

const isResult = ({ path }: Entry): boolean => nameOf(path) === "result.json";

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  const start = Buffer.from(head).toString();
  const name = nameOf(path);
  const folder = folderOf(path);
  const group = (root: string): { group?: string } => (root === "" ? {} : { group: root });
  if (name === "result.json") {
    const whole = /^\s*\{\s*"about"\s*:\s*"[^"]{0,400}Telegram/.test(start);
    const chat = /^\s*\{[^[]*"type"\s*:\s*"[a-z_]+"[^[]*"messages"\s*:\s*\[/.test(start);
    if (whole || chat) return { score: 95, reason: "Telegram export as JSON", ...group(folder) };
  }
  if (/\.html$/.test(name) && start.includes('class="page_wrap"') && /class="page_header|Exported Data/.test(start)) {
    return {
      score: 95,
      reason: "Telegram export as HTML",
      advice: "Export again in Telegram Desktop and choose “Machine-readable JSON” as the format.",
    };
  }
  for (let root = folder; ; root = folderOf(root)) {
    const inside = root === "" ? path : path.slice(root.length + 1);
    if (MEDIA.test(inside) && has(joinPath(root, "result.json"))) {
      return { score: 85, reason: "media in a Telegram export", ...group(root) };
    }
    if (root === "") return undefined;
  }
}

/** Reads up to the first message, to find out whose export it is and whether its times are exact. */
async function look({ entries }: ImportInput): Promise<{ owner?: string; needsZone: boolean }> {
  const found: { owner?: string; needsZone: boolean } = { needsZone: false };
  for (const entry of entries.filter(isResult)) {
    try {
      for await (const item of jsonItems(entry, wanted)) {
        if (!("value" in item) || !isObject(item.value)) continue;
        if (item.path[0] === "personal_information") {
          const id = idIn(item.value, "user_id");
          if (id !== undefined) found.owner ??= id;
        } else if (isMessage(item.path)) {
          if (idIn(item.value, "date_unixtime") === undefined) found.needsZone = true;
          break;
        }
      }
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return found;
}

const CHAT_FIELDS = ["name", "type", "id"];
/**
 * Returns true if the first `length` parts of the path lead to a chat: the root for a single chat, or `chats.list.3`.
 */
const isChat = (path: JsonPath, length: number): boolean =>
  length === 0 || (length === 3 && (path[0] === "chats" || path[0] === "left_chats") && path[1] === "list");
const isMessage = (path: JsonPath): boolean => path.at(-2) === "messages" && isChat(path, path.length - 2);
const isChatField = (path: JsonPath): boolean =>
  CHAT_FIELDS.includes(path.at(-1) as string) && isChat(path, path.length - 1);
const isContact = (path: JsonPath): boolean => path.length === 3 && path[0] === "contacts" && path[1] === "list";

function wanted(path: JsonPath): boolean {
  const { length } = path;
  if (length === 0 || length > 5) return false;
  return (
    isMessage(path) || isChatField(path) || isContact(path) || (length === 1 && path[0] === "personal_information")
  );
}

interface OpenChat extends Chat {
  place: JsonPath;
  offset: number;
  count: number;
  first?: string;
  last?: string;
}

async function* eventsOf(
  entry: Entry,
  files: ReadonlyMap<string, Entry>,
  context: ImportContext,
): AsyncGenerator<ImportEvent> {
  const local = localClock(context.answers);
  const root = folderOf(entry.path);
  const unused = new Map(
    [...files].filter(([path]) => path !== entry.path && path.startsWith(root === "" ? "" : `${root}/`)),
  );
  let chat: OpenChat | undefined;
  let failure: unknown;
  try {
    for await (const items of jsonItemRuns(entry, wanted)) {
      for (const item of items) {
        const { path, offset } = item;
        if (path[0] === "personal_information") continue;
        if (isContact(path)) {
          yield contact(entry, item, local, context.makeId);
          continue;
        }
        const isOne = isMessage(path);
        const length = path.length - (isOne ? 2 : 1);
        if (chat === undefined || !isInside(path, length, chat)) {
          if (chat !== undefined) yield* ended(entry, chat);
          chat = { place: path.slice(0, length), offset, count: 0 };
        }
        if (!isOne) {
          if ("value" in item && item.value !== null) chat[path.at(-1) as "name"] = String(item.value).toWellFormed();
          continue;
        }
        const dated = datedMessage(item, local);
        if ("wrong" in dated) {
          yield { kind: "error", entry, offset, message: dated.wrong };
          continue;
        }
        const name = fileOf(dated.message);
        const file = name === undefined ? undefined : files.get(joinPath(root, name));
        if (file !== undefined) unused.delete(file.path);
        const attached = file === undefined ? undefined : await attachedFile(file, context);
        if (attached !== undefined && "left" in attached) yield attached.left;
        const blob = attached !== undefined && "blob" in attached ? attached.blob : undefined;
        yield found(dated, chat, offset, blob);
      }
    }
  } catch (error) {
    failure = error;
  }
  if (chat !== undefined) yield* ended(entry, chat);
  if (failure !== undefined) throw failure;
  for (const left of unused.values()) yield { kind: "skip", entry: left, reason: "no message refers to it" };

  function found(
    { message, sentAt }: DatedMessage,
    own: OpenChat,
    offset: number,
    blob: BlobRef | undefined,
  ): ImportEvent {
    const data = messageData(message, { chat: own, sentAt, local, blob });
    if (data === undefined) return { kind: "error", entry, offset, message: "the message or chat has no id" };
    own.count++;
    own.first = own.first === undefined || sentAt < own.first ? sentAt : own.first;
    own.last = own.last === undefined || sentAt > own.last ? sentAt : own.last;
    return { kind: "record", stream: "messages", key: data.id as string, data, entry, offset };
  }
}

const isInside = (path: JsonPath, length: number, { place }: OpenChat): boolean =>
  length === place.length && place.every((part, index) => part === path[index]);

interface DatedMessage {
  message: JsonObject;
  sentAt: string;
}

function datedMessage(item: JsonItem, local: (millis: number) => string): DatedMessage | { wrong: string } {
  if ("problem" in item) return { wrong: item.problem };
  if (!isObject(item.value)) return { wrong: "it is not an object" };
  const sentAt = messageTime(item.value, "date", local);
  return sentAt === undefined ? { wrong: "it has no date" } : { message: item.value, sentAt };
}

function* ended(entry: Entry, chat: OpenChat): Generator<ImportEvent> {
  const id = chatId(chat);
  // These are fields of the whole export, or of a chat whose messages already showed that it has no id.
  if (id === undefined) return;
  const { offset, count, first, last } = chat;
  const data = present({
    id,
    name: chatName(chat),
    kind: chat.type,
    message_count: count,
    first_message_at: first,
    last_message_at: last,
  });
  yield { kind: "record", stream: "chats", key: id, data, entry, offset };
}

function contact(entry: Entry, item: JsonItem, local: (millis: number) => string, makeId: MakeId): ImportEvent {
  const { offset } = item;
  if ("problem" in item || !isObject(item.value)) {
    return { kind: "error", entry, offset, message: "problem" in item ? item.problem : "it is not an object" };
  }
  const { value } = item;
  const name = [textIn(value, "first_name"), textIn(value, "last_name")].filter((part) => part !== undefined).join(" ");
  const phone = textIn(value, "phone_number");
  const added = messageTime(value, "date", local);
  const known = idIn(value, "user_id");
  const id = known === undefined || known === "0" ? makeId(`contact-${digestOf(name, phone ?? "")}`) : `user${known}`;
  const data: JsonObject = present({ id, name: name || undefined, phone, added_at: added });
  return { kind: "record", stream: "contacts", key: id, data, entry, offset };
}
