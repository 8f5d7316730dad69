// Notes in notebooks, three of them as long as a book.
import type { JsonObject } from "../../contract/record.ts";
import { hasMany, hasOne, recordSchema } from "../../core/declare.ts";
import { DAY, days, dublin, iso } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import { capital, write } from "../grammar.ts";
import { type DemoConnection, type DemoRecord, type DemoSource, lazy, stream } from "../home.ts";
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

const NOTEBOOKS: Record<DemoNotebook, string> = {
  home: "Home",
  recipes: "Recipes",
  "wren-box": "Wren Box",
  work: "Work",
  reading: "Reading",
  choir: "Choir",
  walks: "Walks",
};

export const notes: DemoSource = {
  connector_key: "notes",
  declaration: declareSource("notes", "Notes", [
    {
      name: "notes",
      description: "Notes in Markdown, from a shopping list to a survey of 200 pages.",
      display: { label: "Notes", detail: "Titles and full text" },
      schema: recordSchema("Note", {
        id: field.text("Id", "Stable id of the note."),
        notebook_id: field.text("Notebook id", "The notebook it lies in."),
        title: field.text("Title", "Title of the note."),
        body: { ...field.text("Body", "The note, as Markdown."), contentMediaType: "text/markdown" },
        tags: field.texts("Tags", "Keywords."),
        pinned: field.flag("Pinned", "Kept at the top."),
        word_count: field.count("Words", "Length in words."),
        created_at: field.instant("Created", "When it was begun."),
        updated_at: field.instant("Updated", "Last change."),
      }),
      cursor_field: "updated_at",
      consent_time_field: "created_at",
      views: [
        { id: "titles", label: "Titles only", fields: ["id", "notebook_id", "title", "tags", "updated_at"] },
        { id: "full", label: "Everything" },
      ],
      related: { notebook: hasOne("notebooks", "notebook_id") },
      ranges: ["created_at", "updated_at", "word_count"],
      search: ["title", "body"],
      aggregations: {
        group_by: ["notebook_id", "pinned"],
        group_by_time: ["created_at", "updated_at"],
        sum: ["word_count"],
        avg: ["word_count"],
        max: ["word_count"],
      },
    },
    {
      name: "notebooks",
      description: "Notebooks that hold the notes.",
      display: { label: "Notebooks", detail: "Names and sizes" },
      schema: recordSchema("Notebook", {
        id: field.text("Id", "Stable id of the notebook."),
        name: field.text("Name", "Name of the notebook."),
        kind: field.choice("Kind", "Private, or shared with somebody.", ["private", "shared"]),
        note_count: field.count("Notes", "How many notes it holds."),
        updated_at: field.instant("Updated", "Last change of a note in it."),
      }),
      cursor_field: "updated_at",
      related: { notes: hasMany("notes", "notebook_id") },
      ranges: ["note_count", "updated_at"],
      search: ["name"],
      aggregations: { group_by: ["kind"], sum: ["note_count"] },
    },
  ]),
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

export function notesConnections(): DemoConnection[] {
  const all = lazy(() => [...fromStories(), ...longDocuments(), ...everyday()]);
  return [
    {
      ...notes,
      key: "notes",
      display_name: "Notes",
      streams: [stream("notebooks", () => notebookLines(all())), stream("notes", () => all().flatMap(noteLines))],
    },
  ];
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

/** Documents that no answer can hold whole: they are read by windows. */
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

function noteLines(note: DemoNote): DemoRecord[] {
  const data = (body: string, at: number): JsonObject => ({
    id: note.id,
    notebook_id: note.notebook,
    title: note.title,
    body,
    tags: note.tags,
    pinned: note.pinned,
    word_count: body.split(/\s+/).length,
    created_at: iso(note.created),
    updated_at: iso(at),
  });
  const last = { id: note.id, at: note.updated, data: data(note.body, note.updated) };
  if (note.updated === note.created) return [last];
  // The first version had only its first paragraphs.
  const begun = note.body.slice(0, note.body.indexOf("\n\n", note.body.indexOf("\n\n") + 2));
  return [{ id: note.id, at: note.created, data: data(begun, note.created) }, last];
}

function notebookLines(all: DemoNote[]): DemoRecord[] {
  return Object.entries(NOTEBOOKS).map(([id, name]) => {
    const own = all.filter((note) => note.notebook === id);
    const updated = Math.max(...own.map((note) => note.updated));
    const data: JsonObject = {
      id,
      name,
      kind: id === "home" || id === "recipes" ? "shared" : "private",
      note_count: own.length,
      updated_at: iso(updated),
    };
    return { id, at: updated, data };
  });
}
