// Dinners, films and walks with friends: planned in chat, entered in the calendar, paid through the bank.
import { days, dublin, hours, isAway, minutes } from "./clock.ts";
import { write } from "./grammar.ts";
import type { PersonKey } from "./people.ts";
import { people } from "./people.ts";
import { restaurants, walks } from "./places.ts";
import { createRandom } from "./random.ts";
import { storyEvents } from "./story/index.ts";
import type { WhatsappConversation } from "./story/story.ts";
import { words } from "./text/words.ts";

export interface Occasion {
  id: string;
  kind: "dinner" | "film" | "walk";
  start: number;
  end: number;
  title: string;
  location: string;
  with: PersonKey;
  conversation: WhatsappConversation;
  /** The amount that Nora paid; absent if she did not pay. */
  paid?: { amount: number; counterparty: string; category: string };
  /** The chat messages: plans on the day before, and how it went. */
  lines: { from: PersonKey; at: number; text: string }[];
}

const COMPANY: [PersonKey, WhatsappConversation][] = [
  ["priya", "priya"],
  ["jonas", "jonas"],
  ["sinead", "supper-club"],
  ["leila", "supper-club"],
  ["yuki", "supper-club"],
  ["mateus", "mateus"],
];

const INVITES = {
  dinner: [
    "{place} on {when} at {time}? I'll book.",
    "I am hungry for {place}. {when}, {time}?",
    "Table for two at {place}, {when} at {time}. Say yes.",
    "It has been too long. {place}, {when}, {time}?",
  ],
  film: [
    "{film} at the Lighthouse, {when} at {time}, I have the tickets.",
    "Cinema {when}? {film}, {time}, row G.",
    "They are showing {film} one last time, {when} at {time}. Coming?",
  ],
  walk: [
    "{place} on {when}? Meet you at {time}, flask included.",
    "Legs need air. {place}, {when}, {time}?",
    "Forecast is decent for {when}: {place}, start at {time}?",
  ],
};
const ANSWERS = ["Yes!", "Yes, gladly.", "In. I'll be the one who is late.", "Perfect, see you there.", "Count me in."];
const AFTER = {
  dinner: [
    "That {dish} is still with me. {amount} euro well spent, thank you for coming.",
    "I paid {amount} at {place}, next one is on you.",
    "Home. Full. {place} never lets us down.",
    "Your half is a hug, I got the bill at {place}.",
  ],
  film: [
    "Still thinking about the ending of {film}.",
    "{film} would have been better with half the strings.",
    "I want the coat from {film}.",
  ],
  walk: [
    "{km} kilometres, one {bird}, no regrets.",
    "My knees and {place} are not speaking.",
    "Best hour of the week, {place} in that light.",
  ],
};

export function occasions(): Occasion[] {
  const random = createRandom("occasions");
  const taken = new Set(storyEvents.map((event) => event.start.slice(0, 10)));
  const found: Occasion[] = [];
  for (const day of days("2023-01-06", "2026-06-28")) {
    const likely = day.weekday === 4 ? 0.5 : day.weekday === 5 ? 0.45 : day.weekday === 6 ? 0.4 : 0.06;
    if (!random.chance(likely) || taken.has(day.date) || isAway(day.date)) continue;
    const available = COMPANY.filter(([key]) => key !== "jonas" || day.date < "2025-08-28");
    const [friend, conversation] = random.pick(available);
    const kind = day.weekday === 6 ? "walk" : random.chance(0.7) ? "dinner" : "film";
    const merchant = random.pick(
      restaurants.filter((place) => place.name !== "Zaatar & Rye" || day.date > "2024-04-18"),
    );
    const place = kind === "dinner" ? merchant.name : kind === "film" ? "Lighthouse Pictures" : random.pick(walks);
    const film = random.pick(words.film);
    const time =
      kind === "walk" ? random.pick(["09:30", "10:00", "11:15"]) : random.pick(["18:30", "19:00", "19:30", "20:15"]);
    const start = dublin(`${day.date} ${time}`);
    const end = start + (kind === "walk" ? hours(3) : hours(2) + minutes(15));
    const amount = kind === "dinner" ? merchant.min + random.next() * (merchant.max - merchant.min) : 25;
    const paid =
      kind === "walk"
        ? undefined
        : {
            amount: Math.round(amount * 20) / 20,
            counterparty: place,
            category: kind === "dinner" ? "dining" : "leisure",
          };
    const slots = {
      place,
      film,
      time,
      when: random
        .pick(["tomorrow", "tomorrow evening", "tomorrow then"])
        .replace(" evening", kind === "walk" ? "" : " evening"),
      amount: paid?.amount.toFixed(2) ?? "",
      dish: words.dish,
      bird: words.bird,
      km: String(random.int(6, 19)),
    };
    const planned = start - hours(random.int(20, 27));
    const inviter: PersonKey = random.chance(0.5) ? "nora" : friend;
    const invited: PersonKey = inviter === "nora" ? friend : "nora";
    const lines = [
      { from: inviter, at: planned, text: write(random, random.pick(INVITES[kind]), slots) },
      { from: invited, at: planned + minutes(random.int(1, 35)), text: random.pick(ANSWERS) },
    ];
    if (random.chance(0.7))
      lines.push({
        from: "nora",
        at: end + minutes(random.int(10, 50)),
        text: write(random, random.pick(AFTER[kind]), slots),
      });
    const title = { dinner: "Dinner with", film: "Cinema with", walk: "Walk with" }[kind];
    found.push({
      id: `occ-${day.date}`,
      kind,
      start,
      end,
      title: `${title} ${people[friend].name.split(" ")[0]}: ${kind === "film" ? film : place}`,
      location: place,
      with: friend,
      conversation,
      lines,
      ...(paid ? { paid } : {}),
    });
  }
  return found;
}
