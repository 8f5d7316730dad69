// The postcards that Nora exchanges with strangers: which cards, when, and in which script.
import { DAY, days, dublin, iso } from "../clock.ts";
import { write } from "../grammar.ts";
import type { DemoFile } from "../home.ts";
import { landscapePng } from "../pictures.ts";
import { createRandom } from "../random.ts";
import { type PostcardLanguage, postcardLanguages, sentTexts } from "../text/postcard-texts.ts";
import { words } from "../text/words.ts";
import type { VaultNote } from "./notes.ts";

export interface Postcard {
  id: string;
  direction: "received" | "sent";
  at: number;
  correspondent: string;
  city: string;
  country: string;
  language: string;
  script: string;
  text: string;
  translation: string;
  daysOnTheWay: number;
}

/** A note for each card, tagged with its script, with the picture from its front. */
export const postcardNotes = (): VaultNote[] =>
  postcards().map((card) => ({
    id: card.id,
    path: `Postcards/${card.id}`,
    properties: {
      created: iso(card.at),
      title: `Postcard ${card.direction === "received" ? "from" : "to"} ${card.correspondent}, ${card.city}`,
      country: card.country,
      language: card.language,
      tags: ["postcard", card.direction, card.script],
    },
    body: [card.text, ...(card.translation === card.text ? [] : [card.translation]), `![[${card.id}.png]]`].join(
      "\n\n",
    ),
  }));

export function postcardPictures(): DemoFile[] {
  const random = createRandom("postcard pictures");
  return postcards().map(({ id }) => ({ path: `Postcards/pictures/${id}.png`, content: landscapePng(random) }));
}

/** Every foreign text is received once; most cards get a reply. */
export function postcards(): Postcard[] {
  const random = createRandom("postcards");
  const texts = random.shuffle(
    postcardLanguages.flatMap((language) => language.texts.map((text) => ({ language, text }))),
  );
  const dates = [...days("2023-01-16", "2026-06-12")].filter((day) => day.weekday < 5);
  const step = Math.floor(dates.length / texts.length);
  return texts.flatMap(({ language, text: [text, translation] }, index) => {
    const day = dates[index * step + random.int(0, step - 1)]!;
    const at = dublin(`${day.date} 18:${random.int(10, 59)}`);
    const correspondent = random.pick(language.writers);
    const received = card(language, correspondent, "received", `IN-${1201 + index * 7}`, at, text, translation);
    const answer = write(random, random.pick(sentTexts), words);
    const sentAt = at + DAY * random.int(2, 12);
    const sent = {
      ...card(language, correspondent, "sent", `IE-${5400 + index * 3}`, sentAt, answer, answer),
      language: "en",
      script: "Latin",
    };
    return [received, sent];
  });

  function card(
    { language, script, city, country }: PostcardLanguage,
    correspondent: string,
    direction: Postcard["direction"],
    id: string,
    at: number,
    text: string,
    translation: string,
  ): Postcard {
    const daysOnTheWay = random.int(5, 41);
    return { id, direction, at, correspondent, city, country, language, script, text, translation, daysOnTheWay };
  }
}
