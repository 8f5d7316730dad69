// Slack: an export of Pike Acoustics' workspace.
import type { JsonObject } from "../../contract/record.ts";
import { days, dublin, FIRST_DAY, isAway, isoDay, TODAY } from "../clock.ts";
import type { DemoExport } from "../home.ts";
import { type Person, type PersonKey, people, WORK_ADDRESS } from "../people.ts";
import { createRandom, type Random } from "../random.ts";
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
  /** Dialogues per working day. */
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

/** Members leave or are away: Hana left in June 2025, and Raj was on parental leave. */
const present = (key: PersonKey, date: string) =>
  (key !== "hana" || date < "2025-06-27") && (key !== "raj" || date < "2025-10-02" || date > "2026-01-12");

export function slackExport(): DemoExport {
  return {
    key: "slack",
    display_name: "Slack (Pike Acoustics)",
    *files() {
      const isDirect = ({ name }: DemoChannel) => !name.startsWith("#");
      const list = (channels: DemoChannel[]) => JSON.stringify(channels.map(channelData));
      yield { path: "users.json", content: JSON.stringify((["nora", ...everybody] as const).map(userData)) };
      yield { path: "channels.json", content: list(conversations.filter((each) => !isDirect(each))) };
      yield { path: "dms.json", content: list(conversations.filter(isDirect)) };
      const random = createRandom("slack reactions");
      const chats = Map.groupBy(slackMessages(), ({ conversation }) => conversation);
      for (const channel of conversations) {
        const folder = isDirect(channel) ? channelId(channel.id) : channel.name.slice(1);
        for (const [day, messages] of Map.groupBy(chats.get(channel.id) ?? [], ({ at }) => isoDay(at)))
          yield {
            path: `${folder}/${day}.json`,
            content: JSON.stringify(messages.map((one) => messageData(random, one))),
          };
      }
    },
  };
}

const userId = (key: PersonKey): string => `U0${key.toUpperCase().padEnd(8, "0")}`;
const channelId = (id: SlackConversation): string =>
  `${id.startsWith("dm-") ? "D" : "C"}0${id.replace(/\W/g, "").toUpperCase().padEnd(8, "0")}`;

/** Hana's account was closed when she left. */
function userData(key: PersonKey): JsonObject {
  const { name, email, title = "" }: Person = people[key];
  return {
    id: userId(key),
    team_id: "T0PIKEACO",
    name: key,
    deleted: key === "hana",
    real_name: name,
    tz: "Europe/Dublin",
    profile: { real_name: name, display_name: name, email: key === "nora" ? WORK_ADDRESS : email, title },
    is_bot: false,
    updated: Math.floor(dublin(key === "hana" ? "2025-06-27 17:00" : "2023-01-02 08:00") / 1000),
  };
}

function channelData({ id, name, topic, members, first = FIRST_DAY, last }: DemoChannel): JsonObject {
  return {
    id: channelId(id),
    ...(name.startsWith("#") ? { name: name.slice(1), topic: { value: topic }, is_archived: last !== undefined } : {}),
    created: Math.floor(dublin(`${first} 08:00`) / 1000),
    members: (["nora", ...members] as const).map(userId),
  };
}

/** Messages in the same second have different `ts` values, as in Slack. */
const slackStamp = ({ at, id }: ChatMessage): string =>
  `${Math.floor(at / 1000)}.${String(createRandom(id).int(0, 999_999)).padStart(6, "0")}`;

const REACTIONS = ["+1", "joy", "tada", "heart", "pray", "clap", "owl", "coffee"];

function messageData(random: Random, message: ChatMessage): JsonObject {
  const by = random.shuffle<PersonKey>(["nora", "oisin", "ewa", "lorcan"]).slice(0, random.int(1, 3)).map(userId);
  const reaction = { name: random.pick(REACTIONS), users: by, count: by.length };
  return {
    type: "message",
    user: userId(message.from),
    text: message.text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    ts: slackStamp(message),
    ...(random.chance(0.12) ? { reactions: [reaction] } : {}),
  };
}

/** Messages from all conversations, in order. */
export function slackMessages(): ChatMessage[] {
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

/** Nobody works from Christmas to the New Year, on St Patrick's Day, or when Nora is away. */
export function isHoliday(date: string): boolean {
  const day = date.slice(5);
  return day >= "12-23" || day <= "01-02" || day === "03-17" || isAway(date);
}
