// The travel journal, and postcards in many scripts with a picture each.
import type { JsonObject } from "../../contract/record.ts";
import { recordSchema } from "../../core/declare.ts";
import { days, dublin, isAway, iso } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import { capital, settle, write } from "../grammar.ts";
import { type DemoConnection, type DemoRecord, type DemoSource, demoBlob, lazy, refData, stream } from "../home.ts";
import { landscapePng } from "../pictures.ts";
import { createDeck, createRandom } from "../random.ts";
import { storyEntries } from "../story/index.ts";
import type { StoryEntry } from "../story/story.ts";
import { journalOpenings, journalSentences, journalTitles } from "../text/journal-texts.ts";
import { words } from "../text/words.ts";
import { type Postcard, postcards } from "./postcards.ts";

export const journal: DemoSource = {
  connector_key: "journal",
  declaration: declareSource("journal", "Journal", [
    {
      name: "entries",
      description: "Diary entries, on journeys and at home.",
      display: { label: "Entries", detail: "What Nora wrote down for herself" },
      semantics: "append_only",
      schema: recordSchema("Journal entry", {
        id: field.text("Id", "Stable id of the entry."),
        title: field.text("Title", "Headline of the entry."),
        place: field.text("Place", "Where it was written."),
        text: field.text("Text", "The entry."),
        written_at: field.instant("Written", "When it was written."),
        word_count: field.count("Words", "Length of the entry in words."),
        tags: field.texts("Tags", "Keywords."),
      }),
      time: "written_at",
      views: [{ id: "titles", label: "Titles and places", fields: ["id", "title", "place", "written_at"] }],
      ranges: ["written_at", "word_count"],
      search: ["title", "text", "place"],
      aggregations: {
        count_distinct: ["place"],
        group_by: ["place"],
        group_by_time: ["written_at"],
        sum: ["word_count"],
        avg: ["word_count"],
        max: ["word_count"],
      },
    },
    {
      name: "postcards",
      description: "Postcards exchanged with people all over the world, each with the picture on its front.",
      display: { label: "Postcards", detail: "Texts, translations and pictures" },
      semantics: "append_only",
      schema: recordSchema("Postcard", {
        id: field.text("Id", "Number of the card."),
        title: field.text("Title", "Who wrote, and from where."),
        direction: field.choice("Direction", "Received by Nora, or sent by her.", ["received", "sent"]),
        correspondent: field.text("Correspondent", "The other person."),
        city: field.text("City", "Where the other person lives."),
        country: field.text("Country", "Country of the other person."),
        language: field.text("Language", "ISO 639-1 code of the text."),
        script: field.choice("Script", "Writing system of the text.", [
          "Latin",
          "Greek",
          "Cyrillic",
          "Arabic",
          "Hebrew",
          "Devanagari",
          "Thai",
          "Han",
          "Kana",
          "Hangul",
        ]),
        text: field.text("Text", "What the card says."),
        translation: field.text("Translation", "The text in English."),
        written_at: field.instant("Written", "When it was sent or registered."),
        days_on_the_way: field.count("Days on the way", "How long the card travelled."),
        picture: field.blobRef("Picture", "The front of the card."),
      }),
      time: "written_at",
      views: [
        { id: "texts", label: "Texts without pictures", fields: ["id", "title", "text", "translation", "written_at"] },
      ],
      ranges: ["written_at", "days_on_the_way"],
      search: ["title", "text", "translation"],
      aggregations: {
        count_distinct: ["country", "correspondent"],
        group_by: ["country", "language", "script", "direction"],
        group_by_time: ["written_at"],
        avg: ["days_on_the_way"],
        min: ["days_on_the_way"],
        max: ["days_on_the_way"],
      },
    },
  ]),
};

export function journalConnections(): DemoConnection[] {
  const cards = lazy(() => {
    const random = createRandom("postcard pictures");
    return postcards().map((card) => ({ card, blob: demoBlob(card.id, "image/png", landscapePng(random)) }));
  });
  return [
    {
      ...journal,
      key: "journal",
      display_name: "Journal",
      streams: [
        stream("entries", entryLines),
        stream(
          "postcards",
          () => cards().map(({ card, blob }) => postcardLine(card, refData(blob))),
          () => cards().map(({ blob }) => blob),
        ),
      ],
    },
  ];
}

function entryLines(): DemoRecord[] {
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
  return entries.map((entry) => {
    const at = dublin(entry.at);
    const data: JsonObject = {
      id: entry.id,
      title: entry.title,
      place: entry.place,
      text: entry.text,
      written_at: iso(at),
      word_count: entry.text.split(/\s+/).length,
      tags: entry.place === "Dublin" ? ["home"] : ["travel", entry.place.toLowerCase()],
    };
    return { id: entry.id, at, data };
  });
}

function postcardLine(card: Postcard, picture: JsonObject): DemoRecord {
  const preposition = card.direction === "received" ? "from" : "to";
  const data: JsonObject = {
    id: card.id,
    title: `Postcard ${preposition} ${card.correspondent}, ${card.city}`,
    direction: card.direction,
    correspondent: card.correspondent,
    city: card.city,
    country: card.country,
    language: card.language,
    script: card.script,
    text: card.text,
    translation: card.translation,
    written_at: iso(card.at),
    days_on_the_way: card.daysOnTheWay,
    picture,
  };
  return { id: card.id, at: card.at, data };
}
