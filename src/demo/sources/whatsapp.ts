// WhatsApp: chats with Mateus, family and friends, as an iPhone exports them.
import { days, dublin, FIRST_DAY, isAway, isoDublin } from "../clock.ts";
import type { DemoExport } from "../home.ts";
import { occasions } from "../occasions.ts";
import { nameOf } from "../people.ts";
import { createRandom } from "../random.ts";
import { storyChat } from "../story/index.ts";
import type { WhatsappConversation } from "../story/story.ts";
import * as friends from "../text/friends-chat.ts";
import * as home from "../text/home-chat.ts";
import { type Cast, type ChatMessage, createDialogues, moment } from "./chat.ts";

interface DemoChat {
  id: WhatsappConversation;
  name: string;
  cast: Cast;
  table: readonly string[];
  /** Dialogues per day. */
  rate: number;
  from?: string;
}

const conversations: DemoChat[] = [
  { id: "mateus", name: "Mateus", cast: { o: "mateus" }, table: home.partner, rate: 0.42 },
  {
    id: "keanes",
    name: "Keanes",
    cast: { m: "maeve", t: "tomas", o: "orla", c: "cian" },
    table: home.familyGroup,
    rate: 0.15,
  },
  {
    id: "supper-club",
    name: "Supper Club",
    cast: { a: "sinead", b: "priya", c: "yuki", l: "leila" },
    table: friends.supperClub,
    rate: 0.15,
  },
  { id: "mum", name: "Mam", cast: { o: "maeve" }, table: home.mum, rate: 0.09 },
  { id: "orla", name: "Orla", cast: { o: "orla" }, table: home.sister, rate: 0.09 },
  { id: "priya", name: "Priya", cast: { o: "priya" }, table: friends.priya, rate: 0.08 },
  { id: "jonas", name: "Jonas", cast: { o: "jonas" }, table: friends.jonas, rate: 0.06 },
  {
    id: "wren-box",
    name: "Wren Box",
    cast: { a: "priya", b: "jonas" },
    table: friends.wrenBoxGroup,
    rate: 0.12,
    from: "2024-11-01",
  },
  {
    id: "choir",
    name: "Liffey Chamber Choir",
    cast: { o: "dermot", a: "yuki", b: "sinead" },
    table: friends.choir,
    rate: 0.08,
  },
];

export function whatsappExport(): DemoExport {
  return {
    key: "whatsapp",
    display_name: "WhatsApp",
    answers: { time_zone: "Europe/Dublin" },
    *files() {
      const chats = Map.groupBy(whatsappMessages(), ({ conversation }) => conversation);
      for (const { id, name } of conversations)
        yield { path: `WhatsApp Chat - ${name}/_chat.txt`, content: (chats.get(id) ?? []).map(lineOf).join("") };
    },
  };
}

/** Writes a line in the iPhone's format: `[15/05/2025, 06:45:10] Mateus Ferreira: Olá`. */
function lineOf({ at, from, text }: ChatMessage): string {
  const [day, time] = isoDublin(at).split("T") as [string, string];
  return `[${day.split("-").reverse().join("/")}, ${time.slice(0, 8)}] ${nameOf(from)}: ${text}\r\n`;
}

/** Messages from all chats, in order. */
export function whatsappMessages(): ChatMessage[] {
  const random = createRandom("whatsapp");
  const all: ChatMessage[] = storyChat
    .filter((line) => line.app === "whatsapp")
    .map((line) => ({ ...line, at: dublin(line.at) }));
  for (const occasion of occasions())
    for (const [index, line] of occasion.lines.entries())
      all.push({ id: `w-${occasion.id}-${index + 1}`, conversation: occasion.conversation, ...line });
  const starters = conversations.map((conversation) =>
    createDialogues(`whatsapp ${conversation.id}`, conversation.id, conversation.table),
  );
  for (const day of days()) {
    if (isAway(day.date)) continue;
    for (const [index, conversation] of conversations.entries()) {
      if (day.date < (conversation.from ?? FIRST_DAY)) continue;
      const rate = conversation.rate * (day.weekday > 4 ? 1.4 : 1);
      if (!random.chance(rate)) continue;
      const evening = random.chance(0.7);
      const start = moment(random, day.date, evening ? 17 : 8, evening ? 21 : 13);
      all.push(...starters[index]!(start, conversation.cast));
    }
  }
  return all.sort((a, b) => a.at - b.at);
}
