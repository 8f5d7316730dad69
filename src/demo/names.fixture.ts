// The names that the stories use for records. The ids are created by importers and differ from home to home.
import type { JsonObject } from "../contract/record.ts";
import { lazy } from "../core/lazy.ts";
import type { ChatMessage } from "./sources/chat.ts";
import { vaultNotes } from "./sources/notes.ts";
import { slackMessages } from "./sources/slack.ts";
import { whatsappMessages } from "./sources/whatsapp.ts";

const second = (milliseconds: number): number => Math.floor(milliseconds / 1000);
const byTime = (messages: ChatMessage[]) =>
  new Map(messages.map(({ at, text, id }) => [`${second(at)} ${text}`, id] as const));
const chats = { whatsapp: lazy(() => byTime(whatsappMessages())), slack: lazy(() => byTime(slackMessages())) };
const notes = lazy(() => new Map(vaultNotes().map(({ path, id }) => [path, id])));

/** Returns the name that the demo's stories or generators gave a record, otherwise its id. */
export function demoName(connection: string, stream: string, data: JsonObject): string {
  const text = (field: string): string => String(data[field]);
  const known = (): string | undefined => {
    if (stream === "transactions") return text("reference");
    if (stream === "orders") return text("order_id");
    if (stream === "notes") return notes().get(text("path"));
    if (stream === "events" || stream === "tasks") return text("uid").replace(/@.*/, "");
    if (stream !== "messages") return undefined;
    if (connection === "whatsapp" || connection === "slack")
      return chats[connection]().get(`${second(Date.parse(text("sent_at")))} ${text("text")}`);
    return text("message_id").replace(/@.*/, "");
  };
  return known() ?? text("id");
}
