// AI chats: conversations.json from ChatGPT or Claude, an array of any length, at the top level or under the key
// `conversations`.
import type { JsonObject } from "../../../contract/json.ts";
import { type Entry, headOf } from "../../entry.ts";
import {
  type EntryPreview,
  HEAD_BYTES,
  type ImportEvent,
  type Importer,
  type ImportInput,
  type Recognition,
  type SourceAccount,
} from "../../importer.ts";
import { folderOf, joinPath, nameOf } from "../attached-file.ts";
import { estimateItems } from "../estimates.ts";
import { isObject, textIn } from "../json-fields.ts";
import { type JsonPath, jsonItems } from "../json-items.ts";
import { replayedRun } from "../replay.ts";
import { chatgptConversation } from "./chatgpt.ts";
import { claudeConversation } from "./claude.ts";
import type { ChatConversation } from "./conversation.ts";
import { aiChatsDeclaration } from "./declaration.ts";

type ChatService = "chatgpt" | "claude";
const NAMES: Record<ChatService, string> = { chatgpt: "ChatGPT", claude: "Claude" };
const CONVERSATIONS = /^conversations(?:-\d{1,5})?\.json$/;
/** Files next to the conversations that are not conversations themselves. */
const OTHERS =
  /^(?:user|users|projects|memories|message_feedback|model_comparisons|shared_conversations|group_chats|sora|chat)\.(?:json|html)$/;
const ASSET = /^(?:file[-_][\w-]{10,}|user-[\w-]{10,})[.\w-]*$/;
/** A year of daily use in one conversation is smaller than this. */
const CONVERSATION_BYTES_MAX = 64 * 1024 * 1024;
/** A ChatGPT message has an author, and a Claude message has a sender. */
const ONE = /"author"\s*:\s*\{|"sender"\s*:/g;

export const aiChatsImporter: Importer = {
  name: "ai-chats",
  title: "AI chats (exports from ChatGPT and Claude)",
  from: ["ChatGPT: Settings → Data controls → Export data", "Claude: Settings → Privacy → Export data"],
  recognise,
  async plan(input) {
    const estimate = await estimateItems(input.entries.filter(isConversations), ONE);
    return {
      account: await accountOf(input),
      declaration: aiChatsDeclaration,
      streams: [{ stream: "conversations" }, { stream: "messages", ...estimate }],
    };
  },
  run: (input, context) => replayedRun(input, context, (entry) => eventsOf(entry)),
};

const isConversations = ({ path }: Entry): boolean => CONVERSATIONS.test(nameOf(path));

function serviceIn(head: Uint8Array): ChatService | undefined {
  // Tools that collect chats, and some versions of the exports, wrap the array in an object.
  const start = Buffer.from(head)
    .toString()
    .replace(/^\ufeff?\s*\{\s*"conversations"\s*:\s*/, "");
  if (!/^\s*\[\s*\{/.test(start)) return undefined;
  if (/"mapping"\s*:\s*\{|"conversation_template_id"\s*:|"current_node"\s*:/.test(start)) return "chatgpt";
  return /^\s*\[\s*\{\s*"uuid"\s*:/.test(start) && /"chat_messages"\s*:|"account"\s*:\s*\{/.test(start)
    ? "claude"
    : undefined;
}

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  const name = nameOf(path);
  const folder = folderOf(path);
  const group = folder === "" ? {} : { group: folder };
  const service = serviceIn(head);
  if (CONVERSATIONS.test(name) && service !== undefined) {
    return { score: 95, reason: `${NAMES[service]} conversations`, ...group };
  }
  const isBeside = (root: string): boolean =>
    has(joinPath(root, "conversations.json")) || has(joinPath(root, "conversations-000.json"));
  if (OTHERS.test(name) && isBeside(folder)) return { score: 70, reason: "part of an AI chat export", ...group };
  if (name === "chat.html" && /ChatGPT Data Export|var jsonData/.test(Buffer.from(head).toString())) {
    return {
      score: 90,
      reason: "ChatGPT export as a page",
      advice: "Import the zip archive that contained this page: its conversations.json has the same conversations.",
    };
  }
  for (const root of [folder, folderOf(folder)]) {
    if (ASSET.test(name) && isBeside(root)) {
      return { score: 85, reason: "a file from an AI chat", ...(root === "" ? {} : { group: root }) };
    }
  }
  return undefined;
}

async function serviceOf(entries: readonly Entry[]): Promise<ChatService> {
  for (const entry of entries.filter(isConversations)) {
    try {
      const service = serviceIn(await headOf(entry, HEAD_BYTES));
      if (service !== undefined) return service;
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return "chatgpt";
}

/** Both exports contain a file about the user. Without it, all exports of a service count as one account. */
async function accountOf({ entries }: ImportInput): Promise<SourceAccount> {
  const service = await serviceOf(entries);
  const about = entries.find(({ path }) => nameOf(path) === (service === "claude" ? "users.json" : "user.json"));
  const user = about === undefined ? undefined : await firstObject(about);
  const id = user && (textIn(user, "id") ?? textIn(user, "uuid"));
  const mail = user && (textIn(user, "email") ?? textIn(user, "email_address"));
  return {
    key: id === undefined ? service : `${service}:${id}`,
    name: mail === undefined ? NAMES[service] : `${NAMES[service]} (${mail})`,
  };
}

async function firstObject(entry: Entry): Promise<JsonObject | undefined> {
  const head = Buffer.from(await headOf(entry, HEAD_BYTES)).toString();
  const isList = /^\s*\[/.test(head);
  try {
    for await (const item of jsonItems(entry, (path) => path.length === (isList ? 1 : 0))) {
      return "value" in item && isObject(item.value) ? item.value : undefined;
    }
  } catch {
    // The file is unreadable, so nothing more is known about the account.
  }
  return undefined;
}

async function* eventsOf(entry: Entry): AsyncGenerator<ImportEvent> {
  if (!isConversations(entry)) {
    const reason = ASSET.test(nameOf(entry.path)) ? "a file from a chat, which is not imported" : "not a conversation";
    yield { kind: "skip", entry, reason };
    return;
  }
  for await (const item of jsonItems(entry, isListed, { itemBytesMax: CONVERSATION_BYTES_MAX })) {
    const { offset } = item;
    if ("problem" in item || !isObject(item.value)) {
      yield { kind: "error", entry, offset, message: "problem" in item ? item.problem : "it is not an object" };
      continue;
    }
    const found = conversationOf(item.value);
    if (found === undefined) {
      yield { kind: "error", entry, offset, message: "the conversation has no id" };
      continue;
    }
    const { data, messages, empty } = found;
    yield { kind: "record", stream: "conversations", key: data.id as string, data, entry, offset };
    for (const message of messages) {
      yield { kind: "record", stream: "messages", key: message.id as string, data: message, entry, offset };
    }
    if (empty > 0) yield { kind: "skip", entry, offset, reason: "a message without text", count: empty };
  }
}

const isListed = (path: JsonPath): boolean =>
  path.length === 1 ? typeof path[0] === "number" : path.length === 2 && path[0] === "conversations";

const conversationOf = (value: JsonObject): ChatConversation | undefined =>
  isObject(value.mapping) ? chatgptConversation(value) : claudeConversation(value);
