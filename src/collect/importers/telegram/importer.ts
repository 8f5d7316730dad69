// Telegram Desktop exports as JSON: result.json, of the whole account or of one chat, with media beside it.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import {
  entriesFrom,
  type Glance,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type ImportInput,
  type Recognition,
} from "../../importer.ts";
import { attachedFile, folderOf, joinPath, nameOf } from "../attached-file.ts";
import { idIn, isObject, present, textIn } from "../json-fields.ts";
import { type JsonItem, type JsonPath, jsonItems } from "../json-items.ts";
import { localClock, timeZoneQuestion } from "../local-time.ts";
import { digestOf, NO_TIME, replayed } from "../replay.ts";
import { telegramDeclaration } from "./declaration.ts";
import { type Chat, chatId, chatName, fileOf, messageData, messageTime } from "./message.ts";

/** A message takes about this much of result.json. */
const MESSAGE_BYTES = 420;
const MEDIA =
  /^(?:chats\/chat_\d+\/)?(?:photos|files|voice_messages|video_files|round_video_messages|stickers|contacts|animations|images|css|js|profile_pictures|stories|lists)\//;

export const telegramImporter: Importer = {
  name: "telegram",
  title: "Telegram (Desktop export as JSON)",
  recognise,
  async plan(input) {
    const { owner, needsZone } = await look(input);
    const bytes = input.entries.filter(isResult).reduce((sum, { size }) => sum + Math.max(0, size), 0);
    return {
      account: { key: owner ?? "telegram", name: owner === undefined ? "Telegram" : `Telegram (${owner})` },
      declaration: telegramDeclaration,
      streams: [
        { stream: "messages", count: Math.ceil(bytes / MESSAGE_BYTES) },
        { stream: "chats" },
        { stream: "contacts" },
      ],
      questions: needsZone ? [timeZoneQuestion("This export")] : [],
      warnings: [],
    };
  },
  async *run(input, context) {
    const files = new Map(input.entries.map((entry) => [entry.path, entry]));
    for (const { entry, position } of entriesFrom(input, context)) {
      // Media come with the message that they belong to.
      if (isResult(entry)) yield* replayed(entry, position, eventsOf(entry, files, context));
    }
  },
};

const isResult = ({ path }: Entry): boolean => nameOf(path) === "result.json";

function recognise({ path, head, has }: Glance): Recognition | undefined {
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
      advice: "In Telegram Desktop export again and choose “Machine-readable JSON” as the format.",
    };
  }
  for (let root = folder; ; root = folderOf(root)) {
    const inside = root === "" ? path : path.slice(root.length + 1);
    if (MEDIA.test(inside) && has(joinPath(root, "result.json"))) {
      return { score: 85, reason: "media of a Telegram export", ...group(root) };
    }
    if (root === "") return undefined;
  }
}

/** Up to the first message: whose export it is, and whether its times are exact. */
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
      // The run tells what is wrong with it.
    }
  }
  return found;
}

const CHAT_FIELDS = ["name", "type", "id"];
/** The path of a chat: the root of a single one, or `chats.list.3`. */
const isChat = (path: JsonPath): boolean =>
  path.length === 0 || (path.length === 3 && (path[0] === "chats" || path[0] === "left_chats") && path[1] === "list");
const isMessage = (path: JsonPath): boolean => path.at(-2) === "messages" && isChat(path.slice(0, -2));
const isChatField = (path: JsonPath): boolean =>
  CHAT_FIELDS.includes(path.at(-1) as string) && isChat(path.slice(0, -1));
const isContact = (path: JsonPath): boolean => path.length === 3 && path[0] === "contacts" && path[1] === "list";

function wanted(path: JsonPath): boolean {
  const { length } = path;
  if (length === 0 || length > 5) return false;
  return (
    isMessage(path) || isChatField(path) || isContact(path) || (length === 1 && path[0] === "personal_information")
  );
}

interface OpenChat extends Chat {
  place: string;
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
    for await (const item of jsonItems(entry, wanted)) {
      if (isContact(item.path)) yield contact(entry, item, local);
      else if (item.path[0] !== "personal_information") {
        const place = item.path.slice(0, isMessage(item.path) ? -2 : -1).join("/");
        if (chat?.place !== place) {
          if (chat !== undefined) yield* ended(entry, chat);
          chat = { place, offset: item.offset, count: 0 };
        }
        if (isMessage(item.path)) yield* message(item, chat);
        else if ("value" in item && item.value !== null)
          chat[item.path.at(-1) as "name"] = String(item.value).toWellFormed();
      }
    }
  } catch (error) {
    failure = error;
  }
  if (chat !== undefined) yield* ended(entry, chat);
  if (failure !== undefined) throw failure;
  for (const left of unused.values()) yield { kind: "skip", entry: left, reason: "no message shows it" };

  async function* message(item: JsonItem, own: OpenChat): AsyncGenerator<ImportEvent> {
    const { offset } = item;
    const wrong = (reason: string): ImportEvent => ({ kind: "error", entry, offset, message: reason });
    if ("problem" in item || !isObject(item.value)) {
      yield wrong("problem" in item ? item.problem : "it is no object");
      return;
    }
    const sentAt = messageTime(item.value, "date", local);
    if (sentAt === undefined) {
      yield wrong("it has no date");
      return;
    }
    const path = fileOf(item.value);
    const file = path === undefined ? undefined : files.get(joinPath(root, path));
    if (file !== undefined) unused.delete(file.path);
    const attached = file === undefined ? undefined : await attachedFile(file, context);
    if (attached !== undefined && "left" in attached) yield attached.left;
    const blob = attached !== undefined && "blob" in attached ? { blob: attached.blob } : {};
    const data = messageData(item.value, { chat: own, sentAt, local, ...blob });
    if (data === undefined) {
      yield wrong("message or chat has no id");
      return;
    }
    own.count++;
    own.first = own.first === undefined || sentAt < own.first ? sentAt : own.first;
    own.last = own.last === undefined || sentAt > own.last ? sentAt : own.last;
    const emittedAt = (data.edited_at as string | undefined) ?? sentAt;
    yield { kind: "record", stream: "messages", key: data.id as string, data, emittedAt, entry, offset };
  }
}

function* ended(entry: Entry, chat: OpenChat): Generator<ImportEvent> {
  const id = chatId(chat);
  // Fields of the whole export, or a chat whose messages told already that it has no id.
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
  yield { kind: "record", stream: "chats", key: id, data, emittedAt: last ?? NO_TIME, entry, offset };
}

function contact(entry: Entry, item: JsonItem, local: (millis: number) => string): ImportEvent {
  const { offset } = item;
  if ("problem" in item || !isObject(item.value)) {
    return { kind: "error", entry, offset, message: "problem" in item ? item.problem : "it is no object" };
  }
  const { value } = item;
  const name = [textIn(value, "first_name"), textIn(value, "last_name")].filter((part) => part !== undefined).join(" ");
  const phone = textIn(value, "phone_number");
  const added = messageTime(value, "date", local);
  const known = idIn(value, "user_id");
  const id = known === undefined || known === "0" ? `contact-${digestOf(name, phone ?? "")}` : `user${known}`;
  const data: JsonObject = present({ id, name: name || undefined, phone, added_at: added });
  return { kind: "record", stream: "contacts", key: id, data, emittedAt: added ?? NO_TIME, entry, offset };
}
