// Slack: the workspace of Pike Acoustics.
import type { JsonObject } from "../../contract/record.ts";
import { hasMany, hasOne, recordSchema } from "../../core/declare.ts";
import { days, dublin, FIRST_DAY, isAway, iso, TODAY } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import { type DemoConnection, type DemoRecord, type DemoSource, lazy, stream } from "../home.ts";
import { nameOf, type Person, type PersonKey, people, WORK_ADDRESS } from "../people.ts";
import { createRandom } from "../random.ts";
import { storyChat } from "../story/index.ts";
import type { SlackConversation } from "../story/story.ts";
import * as office from "../text/work-chat.ts";
import { type ChatMessage, createDialogues, moment } from "./chat.ts";

interface DemoChannel {
  id: SlackConversation;
  name: string;
  topic: string;
  members: PersonKey[];
  table: readonly string[];
  /** Dialogues on a working day. */
  rate: number;
  first?: string;
  last?: string;
}

const everybody: PersonKey[] = ["grainne", "oisin", "hana", "raj", "ewa", "lorcan"];

const conversations: DemoChannel[] = [
  { id: "general", name: "#general", topic: "The whole office", members: everybody, table: office.general, rate: 0.3 },
  {
    id: "harbour-hall",
    name: "#harbour-hall",
    topic: "640 seats in Dún Laoghaire",
    members: ["hana", "raj", "oisin"],
    table: office.projectChannel,
    rate: 0.55,
    first: "2024-01-15",
    last: "2024-11-29",
  },
  {
    id: "kilbride-school",
    name: "#kilbride-school",
    topic: "Classrooms and one fan",
    members: ["oisin", "raj", "lorcan"],
    table: office.projectChannel,
    rate: 0.4,
    first: "2023-08-28",
    last: "2024-02-16",
  },
  {
    id: "north-quay",
    name: "#north-quay",
    topic: "Piling, loggers, permits",
    members: ["lorcan", "oisin", "raj"],
    table: office.projectChannel,
    rate: 0.4,
    first: "2025-08-25",
  },
  {
    id: "lab",
    name: "#lab",
    topic: "Instruments and scripts",
    members: ["oisin", "raj", "hana"],
    table: office.lab,
    rate: 0.22,
  },
  { id: "random", name: "#random", topic: "Biscuits", members: everybody, table: office.random, rate: 0.24 },
  { id: "dm-grainne", name: "Gráinne Pike", topic: "", members: ["grainne"], table: office.direct, rate: 0.08 },
  { id: "dm-oisin", name: "Oisín Doyle", topic: "", members: ["oisin"], table: office.direct, rate: 0.1 },
  {
    id: "dm-hana",
    name: "Hana Novák",
    topic: "",
    members: ["hana"],
    table: office.direct,
    rate: 0.1,
    last: "2025-06-26",
  },
  { id: "dm-ewa", name: "Ewa Kowalska", topic: "", members: ["ewa"], table: office.direct, rate: 0.05 },
];

/** Members leave and are away: Hana in June 2025, Raj on parental leave. */
const present = (key: PersonKey, date: string) =>
  (key !== "hana" || date < "2025-06-27") && (key !== "raj" || date < "2025-10-02" || date > "2026-01-12");

export const slack: DemoSource = {
  connector_key: "slack",
  declaration: declareSource("slack", "Slack", [
    {
      name: "messages",
      description: "Messages in channels and direct conversations of the workspace.",
      display: { label: "Messages", detail: "What was written at work, by whom and when" },
      semantics: "append_only",
      schema: recordSchema("Slack message", {
        id: field.text("Id", "Stable id of the message."),
        conversation_id: field.text("Conversation id", "The channel or direct conversation."),
        sender_id: field.text("Sender id", "The participant who wrote it."),
        sender_name: field.text("Sender", "Display name of the sender."),
        text: field.text("Text", "The message, plain."),
        sent_at: field.instant("Sent", "When it was sent."),
        edited: field.flag("Edited", "It was changed after sending."),
        reactions: field.list(
          "Reactions",
          "Emoji and who gave them.",
          field.object({
            emoji: field.text("Emoji", "The emoji."),
            participant_ids: field.texts("By", "Who reacted."),
          }),
        ),
      }),
      time: "sent_at",
      views: [
        { id: "activity", label: "Who and when, no text", fields: ["id", "conversation_id", "sender_id", "sent_at"] },
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
        group_by: ["conversation_id", "sender_name", "edited"],
        group_by_time: ["sent_at"],
        min: ["sent_at"],
        max: ["sent_at"],
      },
    },
    {
      name: "conversations",
      description: "Channels and direct conversations.",
      display: { label: "Conversations", detail: "Channel names, topics and members" },
      schema: recordSchema("Slack conversation", {
        id: field.text("Id", "Stable id of the conversation."),
        name: field.text("Name", "Channel name or the other person."),
        topic: field.text("Topic", "What the channel is for."),
        kind: field.choice("Kind", "Channel or direct conversation.", ["channel", "direct"]),
        archived: field.flag("Archived", "Nobody writes there any more."),
        member_ids: field.texts("Members", "Participants of the conversation."),
        message_count: field.count("Messages", "How many messages it holds."),
        last_message_at: field.instant("Last message", "When somebody wrote last."),
      }),
      cursor_field: "last_message_at",
      related: { messages: hasMany("messages", "conversation_id") },
      ranges: ["last_message_at", "message_count"],
      search: ["name", "topic"],
      aggregations: { group_by: ["kind", "archived"], sum: ["message_count"], max: ["message_count"] },
    },
    {
      name: "participants",
      description: "Members of the workspace.",
      display: { label: "Participants", detail: "Names, work addresses and titles" },
      schema: recordSchema("Slack participant", {
        id: field.text("Id", "Stable id of the member."),
        name: field.text("Name", "Full name."),
        email: field.text("E-mail", "Work address."),
        title: field.text("Title", "What the person does."),
        left_at: field.nullable(field.instant("Left", "When the account was closed.")),
        joined_at: field.instant("Joined", "When the account was made."),
      }),
      cursor_field: "joined_at",
      views: [{ id: "names", label: "Names only", fields: ["id", "name", "title"] }],
      related: { messages: hasMany("messages", "sender_id") },
      search: ["name", "title"],
      aggregations: { group_by: ["title"] },
    },
  ]),
};

export function slackConnections(): DemoConnection[] {
  const messages = lazy(makeMessages);
  return [
    {
      ...slack,
      key: "slack",
      display_name: "Slack (Pike Acoustics)",
      streams: [
        stream("participants", participantLines),
        stream("conversations", () => conversationLines(messages())),
        stream("messages", () => messageLines(messages())),
      ],
    },
  ];
}

function makeMessages(): ChatMessage[] {
  const random = createRandom("slack");
  const all: ChatMessage[] = storyChat
    .filter((line) => line.app === "slack")
    .map((line) => ({ ...line, at: dublin(line.at) }));
  const starters = conversations.map((each) => createDialogues(`slack ${each.id}`, each.id, each.table));
  for (const day of days()) {
    if (day.weekday > 4 || isHoliday(day.date)) continue;
    for (const [index, conversation] of conversations.entries()) {
      if (day.date < (conversation.first ?? FIRST_DAY) || day.date > (conversation.last ?? TODAY)) continue;
      if (!random.chance(conversation.rate)) continue;
      const [a, b = a, c = b] = random.shuffle(conversation.members.filter((key) => present(key, day.date)));
      all.push(...starters[index]!(moment(random, day.date, 8, 17), { a: a!, b: b!, c: c! }));
    }
  }
  return all.sort((a, b) => a.at - b.at);
}

/** Between Christmas and the first Monday nobody is there; nor when Nora is away. */
export function isHoliday(date: string): boolean {
  const day = date.slice(5);
  return day >= "12-23" || day <= "01-02" || day === "03-17" || isAway(date);
}

const EMOJI = ["👍", "😂", "🎉", "❤️", "🙏", "👏", "🦉", "☕"];

function messageLines(messages: ChatMessage[]): DemoRecord[] {
  const random = createRandom("slack reactions");
  return messages.map((message) => {
    const reactions = random.chance(0.12)
      ? [
          {
            emoji: random.pick(EMOJI),
            participant_ids: random.shuffle(["nora", "oisin", "ewa", "lorcan"]).slice(0, random.int(1, 3)),
          },
        ]
      : [];
    const data: JsonObject = {
      id: message.id,
      conversation_id: message.conversation,
      sender_id: message.from,
      sender_name: nameOf(message.from),
      text: message.text,
      sent_at: iso(message.at),
      edited: random.chance(0.03),
      reactions,
    };
    return { id: message.id, at: message.at, data };
  });
}

function conversationLines(messages: ChatMessage[]): DemoRecord[] {
  return conversations.map((conversation) => {
    const own = messages.filter((message) => message.conversation === conversation.id);
    const last = own.at(-1)!.at;
    const data: JsonObject = {
      id: conversation.id,
      name: conversation.name,
      topic: conversation.topic,
      kind: conversation.name.startsWith("#") ? "channel" : "direct",
      archived: conversation.last !== undefined,
      member_ids: ["nora", ...conversation.members],
      message_count: own.length,
      last_message_at: iso(last),
    };
    return { id: conversation.id, at: last, data };
  });
}

function participantLines(): DemoRecord[] {
  const joined = (index: number) => dublin("2023-01-02 08:00") + index * 60_000;
  const members: PersonKey[] = ["nora", ...everybody];
  const lines = members.map((key, index) => participantLine(key, joined(index)));
  const left = dublin("2025-06-27 17:00");
  return [...lines, participantLine("hana", joined(members.indexOf("hana")), left)];
}

function participantLine(key: PersonKey, joined: number, left?: number): DemoRecord {
  const person: Person = people[key];
  const data: JsonObject = {
    id: key,
    name: person.name,
    email: key === "nora" ? WORK_ADDRESS : person.email,
    title: person.title ?? "",
    left_at: left === undefined ? null : iso(left),
    joined_at: iso(joined),
  };
  return { id: key, at: left ?? joined, data };
}
