// WhatsApp: Mateus, family and friends.
import type { JsonObject } from "../../contract/record.ts";
import { hasMany, hasOne, recordSchema } from "../../core/declare.ts";
import { days, dublin, FIRST_DAY, isAway, iso } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import { type DemoConnection, type DemoRecord, type DemoSource, lazy, stream } from "../home.ts";
import { occasions } from "../occasions.ts";
import { nameOf, type Person, type PersonKey, people } from "../people.ts";
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
  /** Dialogues a day. */
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

/** Saoirse writes in the family group since the engagement, but starts no talk. */
const guests: Partial<Record<WhatsappConversation, PersonKey[]>> = { keanes: ["saoirse"] };

export const whatsapp: DemoSource = {
  connector_key: "whatsapp",
  declaration: declareSource("whatsapp", "WhatsApp", [
    {
      name: "messages",
      description: "Messages sent and received, in private chats and groups.",
      display: { label: "Messages", detail: "What was written, by whom and when" },
      semantics: "append_only",
      schema: recordSchema("WhatsApp message", {
        id: field.text("Id", "Stable id of the message."),
        conversation_id: field.text("Conversation id", "The chat or group it was written in."),
        sender_id: field.text("Sender id", "The participant who wrote it."),
        sender_name: field.text("Sender", "Name as shown in the chat."),
        text: field.text("Text", "The message."),
        sent_at: field.instant("Sent", "When it was sent."),
        kind: field.choice("Kind", "What the message is.", ["text", "photo", "voice"]),
        starred: field.flag("Starred", "Nora marked it."),
      }),
      time: "sent_at",
      views: [
        {
          id: "activity",
          label: "Who and when, no text",
          fields: ["id", "conversation_id", "sender_id", "sent_at", "kind"],
        },
        { id: "full", label: "Everything" },
      ],
      related: {
        conversation: hasOne("conversations", "conversation_id"),
        sender: hasOne("participants", "sender_id"),
      },
      ranges: ["sent_at"],
      search: ["text", "sender_name"],
      aggregations: {
        count_distinct: ["conversation_id", "sender_id"],
        group_by: ["conversation_id", "sender_name", "kind", "starred"],
        group_by_time: ["sent_at"],
        min: ["sent_at"],
        max: ["sent_at"],
      },
    },
    {
      name: "conversations",
      description: "Private chats and groups.",
      display: { label: "Conversations", detail: "Names and members of chats" },
      schema: recordSchema("WhatsApp conversation", {
        id: field.text("Id", "Stable id of the conversation."),
        name: field.text("Name", "Name of the person or group."),
        kind: field.choice("Kind", "One other person, or several.", ["private", "group"]),
        member_ids: field.texts("Members", "Participants of the conversation."),
        message_count: field.count("Messages", "How many messages it holds."),
        last_message_at: field.instant("Last message", "When somebody wrote last."),
      }),
      cursor_field: "last_message_at",
      related: { messages: hasMany("messages", "conversation_id") },
      ranges: ["last_message_at", "message_count"],
      search: ["name"],
      aggregations: { group_by: ["kind"], sum: ["message_count"], max: ["message_count"] },
    },
    {
      name: "participants",
      description: "People Nora writes with.",
      display: { label: "Participants", detail: "Names and phone numbers" },
      schema: recordSchema("WhatsApp participant", {
        id: field.text("Id", "Stable id of the person."),
        name: field.text("Name", "Name as shown in chats."),
        phone: field.text("Phone", "International number."),
        first_seen_at: field.instant("First seen", "When the person first appeared."),
      }),
      cursor_field: "first_seen_at",
      views: [{ id: "names", label: "Names only", fields: ["id", "name"] }],
      related: { messages: hasMany("messages", "sender_id") },
      search: ["name"],
    },
  ]),
};

export function whatsappConnections(): DemoConnection[] {
  const messages = lazy(makeMessages);
  return [
    {
      ...whatsapp,
      key: "whatsapp",
      display_name: "WhatsApp",
      streams: [
        stream("participants", participantLines),
        stream("conversations", () => conversationLines(messages())),
        stream("messages", () => messages().map(messageLine)),
      ],
    },
  ];
}

function makeMessages(): ChatMessage[] {
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

function messageLine(message: ChatMessage, index: number): DemoRecord {
  return {
    id: message.id,
    at: message.at,
    data: {
      id: message.id,
      conversation_id: message.conversation,
      sender_id: message.from,
      sender_name: nameOf(message.from),
      text: message.text,
      sent_at: iso(message.at),
      kind: /photo/i.test(message.text) ? "photo" : index % 41 === 7 ? "voice" : "text",
      starred: /^w-[a-z]/.test(message.id) && !message.id.startsWith("w-occ"),
    },
  };
}

function conversationLines(messages: ChatMessage[]): DemoRecord[] {
  return conversations.map((conversation) => {
    const own = messages.filter((message) => message.conversation === conversation.id);
    const last = own.at(-1)!.at;
    const members: PersonKey[] = ["nora", ...Object.values(conversation.cast), ...(guests[conversation.id] ?? [])];
    const data: JsonObject = {
      id: conversation.id,
      name: conversation.name,
      kind: members.length > 2 ? "group" : "private",
      member_ids: members,
      message_count: own.length,
      last_message_at: iso(last),
    };
    return { id: conversation.id, at: last, data };
  });
}

function participantLines(): DemoRecord[] {
  const keys = new Set<PersonKey>(["nora", ...conversations.flatMap((each) => Object.values(each.cast)), "saoirse"]);
  return [...keys].map((key, index) => {
    const person: Person = people[key];
    const at = dublin("2023-01-01 00:05") + index * 60_000;
    const data: JsonObject = { id: key, name: person.name, first_seen_at: iso(at) };
    if (person.phone !== undefined) data.phone = person.phone;
    return { id: key, at, data };
  });
}
