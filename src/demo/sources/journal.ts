// The journal: diary entries, one note per day.
import { days, dublin, isAway, iso } from "../clock.ts";
import { capital, settle, write } from "../grammar.ts";
import { createDeck, createRandom } from "../random.ts";
import { storyEntries } from "../story/index.ts";
import type { StoryEntry } from "../story/story.ts";
import { journalOpenings, journalSentences, journalTitles } from "../text/journal-texts.ts";
import { words } from "../text/words.ts";
import type { VaultNote } from "./notes.ts";

/** Diary entries from journeys and from home. */
export function journalNotes(): VaultNote[] {
  const random = createRandom("journal");
  const opening = createDeck(random, journalOpenings);
  const sentence = createDeck(random, journalSentences);
  const title = createDeck(random, journalTitles);
  const written = new Set(storyEntries.map((entry) => entry.at.slice(0, 10)));
  const entries: StoryEntry[] = [...storyEntries];
  for (const day of days("2023-01-01", "2026-06-29")) {
    if (written.has(day.date) || isAway(day.date) || !random.chance(day.weekday === 6 ? 0.5 : 0.1)) continue;
    const slots = settle(random, words);
    const parts = [opening(), ...Array.from({ length: random.int(3, 6) }, sentence)];
    entries.push({
      id: `j-${day.date}`,
      at: `${day.date} 22:${random.int(10, 59)}`,
      place: "Dublin",
      title: capital(write(random, title(), slots)),
      text: parts.map((part) => capital(write(random, part, { ...words, ...slots }))).join(" "),
    });
  }
  return entries.map((entry) => ({
    id: entry.id,
    path: `Journal/${entry.at.slice(0, 10)}`,
    properties: {
      created: iso(dublin(entry.at)),
      place: entry.place,
      tags: ["journal", ...(entry.place === "Dublin" ? ["home"] : ["travel", entry.place.toLowerCase()])],
      title: entry.title,
    },
    body: entry.text,
  }));
}
