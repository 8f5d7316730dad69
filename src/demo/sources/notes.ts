// The note vault with the journal and the postcards, as Markdown files. Three of the notes are as long as a book.
import { DAY, days, dublin, iso } from "../clock.ts";
import { capital, write } from "../grammar.ts";
import type { DemoExport } from "../home.ts";
import { firstName } from "../people.ts";
import { createDeck, createRandom } from "../random.ts";
import { storyNotes } from "../story/index.ts";
import type { DemoNotebook } from "../story/story.ts";
import { hallSurvey } from "../text/hall-survey.ts";
import { labBook } from "../text/lab-book.ts";
import { noteKinds } from "../text/note-texts.ts";
import { walkDiary } from "../text/walk-diary.ts";
import { words } from "../text/words.ts";
import { moment } from "./chat.ts";
import { journalNotes } from "./journal.ts";
import { postcardNotes, postcardPictures } from "./postcards.ts";

const NOTEBOOKS: Record<DemoNotebook, string> = {
  home: "Home",
  recipes: "Recipes",
  "wren-box": "Wren Box",
  work: "Work",
  reading: "Reading",
  choir: "Choir",
  walks: "Walks",
};

interface DemoNote {
  id: string;
  notebook: DemoNotebook;
  title: string;
  body: string;
  tags: string[];
  created: number;
  updated: number;
  pinned: boolean;
}

export function notesExport(): DemoExport {
  return {
    key: "notes",
    display_name: "Notes",
    *files() {
      yield { path: ".obsidian/app.json", content: "{}" };
      yield* vaultNotes().map(({ path, properties, body }) => ({ path, content: noteText(properties, body) }));
      yield* postcardPictures();
    },
  };
}

/** A note in the vault, and the id that stories use for it. */
export interface VaultNote {
  id: string;
  path: string;
  properties: Record<string, string | string[]>;
  body: string;
}

export function vaultNotes(): VaultNote[] {
  const notes = [...fromStories(), ...longDocuments(), ...everyday()].map((note) => ({
    id: note.id,
    path: `${NOTEBOOKS[note.notebook]}/${fileName(note.title)}`,
    properties: {
      created: iso(note.created),
      updated: iso(note.updated),
      tags: [...note.tags, ...(note.pinned ? ["pinned"] : [])],
      title: note.title,
    },
    body: note.body,
  }));
  const taken = new Map<string, number>();
  return [...notes, ...journalNotes(), ...postcardNotes()].map((note) => {
    const nth = (taken.get(note.path) ?? 0) + 1;
    taken.set(note.path, nth);
    return { ...note, path: `${note.path}${nth === 1 ? "" : ` ${nth}`}.md` };
  });
}

/** Removes characters that file systems refuse. */
const fileName = (title: string): string => title.replace(/[\\/:*?"<>|#^[\]]/g, "").trim();

function noteText(properties: VaultNote["properties"], body: string): string {
  const lines = Object.entries(properties).map(([name, value]) =>
    typeof value === "string" ? `${name}: ${JSON.stringify(value)}` : `${name}: [${value.join(", ")}]`,
  );
  return `---\n${lines.join("\n")}\n---\n${body}`;
}

function fromStories(): DemoNote[] {
  return storyNotes.map(({ at, tags = [], ...note }) => {
    const created = dublin(at);
    return {
      ...note,
      tags,
      created,
      updated: created,
      pinned: note.id === "n-flat-handbook" || note.id === "n-emergency",
    };
  });
}

/** Documents that are too long for one response and are read in windows. */
function longDocuments(): DemoNote[] {
  const document = (
    id: string,
    notebook: DemoNotebook,
    title: string,
    body: string,
    created: string,
    updated: string,
  ) => ({
    id,
    notebook,
    title,
    body,
    tags: ["long"],
    created: dublin(created),
    updated: dublin(updated),
    pinned: true,
  });
  return [
    document("n-wren-lab-book", "wren-box", "Wren Box lab book", labBook(), "2024-11-03 21:00", "2026-06-28 21:40"),
    document(
      "n-harbour-survey",
      "work",
      "Harbour Hall: acoustic survey, complete edition",
      hallSurvey(),
      "2024-04-11 09:00",
      "2024-04-26 18:30",
    ),
    document("n-walk-diary", "walks", "Every walk", walkDiary(), "2023-01-01 18:00", "2026-06-28 22:10"),
  ];
}

function everyday(): DemoNote[] {
  const random = createRandom("notes");
  const kinds = createDeck(random, noteKinds);
  const found: DemoNote[] = [];
  const slots = {
    ...words,
    friend: ["Orla", "Priya", "Yuki", "Dad", "Leila"],
    who: ["Oisín", "the architect", firstName("harbour")],
  };
  for (const day of days("2023-01-07", "2026-06-27")) {
    if (!random.chance(0.24)) continue;
    const kind = kinds();
    if (kind.notebook === "wren-box" && day.date < "2024-11-10") continue;
    const title = capital(write(random, kind.title, slots));
    const chosen = new Set(random.shuffle(kind.parts).slice(0, kind.length));
    const parts = kind.parts.filter((part) => chosen.has(part));
    const created = moment(random, day.date, 8, 22);
    found.push({
      id: `note-${String(found.length + 1).padStart(4, "0")}`,
      notebook: kind.notebook,
      title,
      body: `# ${title}\n\n${parts.map((part) => capital(write(random, part, slots))).join("\n\n")}`,
      tags: kind.tags,
      created,
      updated: random.chance(0.25) ? created + DAY * random.int(1, 2) : created,
      pinned: false,
    });
  }
  return found;
}
