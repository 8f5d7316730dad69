// Code shared by both chat sources: turns dialogues into messages, and adds the lines from occasions and stories.
import { dublin, minutes } from "../clock.ts";
import { capital, type Slots, settle, write } from "../grammar.ts";
import type { PersonKey } from "../people.ts";
import { createDeck, createRandom, type Random } from "../random.ts";
import { words } from "../text/words.ts";

export interface ChatMessage {
  id: string;
  conversation: string;
  from: PersonKey;
  at: number;
  text: string;
}

const slots: Slots = {
  ...words,
  dish2: words.dish,
  day2: words.day,
  room2: words.room,
  weather2: words.weather,
};

/** Orla's son is born in September 2023, but everyday dialogues mention him only from this date on. */
const FINN_TALKS = dublin("2024-08-01 00:00");

/** The speakers of a dialogue, by the first letter of their lines; "n" is always Nora. */
export type Cast = Readonly<Record<string, PersonKey>>;

/** Deals dialogues from a table into one conversation; ids increase with time. */
export function createDialogues(
  seed: string,
  conversation: string,
  table: readonly string[],
): (startsAt: number, cast: Cast) => ChatMessage[] {
  const random = createRandom(seed);
  const deal = createDeck(random, table);
  let number = 0;
  return (startsAt, cast) => {
    const settled = distinct(random, settle(random, slots));
    let at = startsAt;
    let dialogue = deal();
    while (startsAt < FINN_TALKS && dialogue.includes("Finn")) dialogue = deal();
    return dialogue.split("\n").map((line) => {
      const from = line.startsWith("n") ? "nora" : cast[line.charAt(0)];
      if (from === undefined || line.slice(1, 3) !== "> ") throw new Error(`not a line of dialogue: ${line}`);
      const text = capital(write(random, line.slice(3), settled));
      const message = { id: `${conversation}-${++number}`, conversation, from, at, text };
      at += minutes(1) * random.int(1, 9) + random.int(0, 59) * 1000;
      return message;
    });
  };
}

/** Makes sure that a second dish, day, room or weather differs from the first. */
function distinct(random: Random, settled: Record<string, string>): Record<string, string> {
  for (const [name, list] of [
    ["dish", words.dish],
    ["day", words.day],
    ["room", words.room],
    ["weather", words.weather],
  ] as const)
    while (settled[`${name}2`] === settled[name]) settled[`${name}2`] = random.pick(list);
  return settled;
}

/** Returns a moment on a day between two hours, on a Dublin clock. */
export function moment(random: Random, date: string, firstHour: number, lastHour: number): number {
  const hour = String(random.int(firstHour, lastHour)).padStart(2, "0");
  const minute = String(random.int(0, 59)).padStart(2, "0");
  return dublin(`${date} ${hour}:${minute}`) + random.int(0, 59) * 1000;
}
