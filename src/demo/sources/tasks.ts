// The task list: things to do change, get done, and are given up.
import type { JsonObject } from "../../contract/record.ts";
import { recordSchema } from "../../core/declare.ts";
import { addDays, DAY, days, dublin, hours, iso, isoDay } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import { write } from "../grammar.ts";
import { type DemoConnection, type DemoRecord, type DemoSource, stream } from "../home.ts";
import { createDeck, createRandom } from "../random.ts";
import { storyTasks } from "../story/index.ts";
import { taskTitles } from "../text/task-texts.ts";
import { words } from "../text/words.ts";
import { moment } from "./chat.ts";

const PROJECTS = ["home", "work", "wren-box", "family", "admin"] as const;
const END = dublin("2026-06-30 23:00");

export const tasks: DemoSource = {
  connector_key: "tasks",
  declaration: declareSource("tasks", "Tasks", [
    {
      name: "tasks",
      description: "Things to do, open and done; given-up ones are deleted.",
      display: { label: "Tasks", detail: "Titles, notes, due dates and state" },
      schema: recordSchema("Task", {
        id: field.text("Id", "Stable id of the task."),
        title: field.text("Title", "What to do."),
        notes: field.nullable(field.text("Notes", "How, or why.")),
        project: field.choice("Project", "What it belongs to.", PROJECTS),
        status: field.choice("Status", "How far it is.", ["open", "waiting", "done"]),
        priority: field.count("Priority", "1 is urgent, 3 can wait."),
        due_on: field.nullable(field.date("Due", "Day by which it should be done.")),
        created_at: field.instant("Created", "When it was written down."),
        updated_at: field.instant("Updated", "Last change."),
        completed_at: field.nullable(field.instant("Completed", "When it was done.")),
      }),
      cursor_field: "updated_at",
      consent_time_field: "created_at",
      views: [{ id: "titles", label: "Titles and state", fields: ["id", "title", "project", "status", "due_on"] }],
      ranges: ["created_at", "updated_at", "completed_at", "due_on", "priority"],
      search: ["title", "notes"],
      aggregations: {
        group_by: ["project", "status", "priority"],
        group_by_time: ["created_at", "completed_at", "due_on"],
        min: ["due_on"],
        max: ["due_on"],
      },
    },
  ]),
};

export function tasksConnections(): DemoConnection[] {
  return [{ ...tasks, key: "tasks", display_name: "Tasks", streams: [stream("tasks", taskLines)] }];
}

interface Task {
  id: string;
  title: string;
  notes?: string;
  project: string;
  due?: string;
  created: number;
  waiting?: number;
  done?: number;
  deleted?: number;
}

function taskLines(): DemoRecord[] {
  return [...fromStories(), ...everyday()].flatMap((task) => {
    const versions: DemoRecord[] = [{ id: task.id, at: task.created, data: data(task, "open", task.created) }];
    if (task.waiting !== undefined && task.waiting < END)
      versions.push({ id: task.id, at: task.waiting, data: data(task, "waiting", task.waiting) });
    if (task.done !== undefined && task.done < END)
      versions.push({ id: task.id, at: task.done, data: data(task, "done", task.done) });
    if (task.deleted !== undefined && task.deleted < END) versions.push({ id: task.id, at: task.deleted });
    return versions;
  });
}

function data(task: Task, status: "open" | "waiting" | "done", at: number): JsonObject {
  return {
    id: task.id,
    title: task.title,
    notes: task.notes ?? null,
    project: task.project,
    status,
    priority: task.id.startsWith("k-") ? 1 : (task.title.length % 3) + 1,
    due_on: task.due ?? null,
    created_at: iso(task.created),
    updated_at: iso(at),
    completed_at: status === "done" ? iso(at) : null,
  };
}

function fromStories(): Task[] {
  return storyTasks.map(({ at, done, deleted, ...task }) => ({
    ...task,
    created: dublin(at),
    ...(done === undefined ? {} : { done: dublin(done) }),
    ...(deleted === undefined ? {} : { deleted: dublin(deleted) }),
  }));
}

function everyday(): Task[] {
  const random = createRandom("tasks");
  const decks = new Map(PROJECTS.map((project) => [project, createDeck(random, taskTitles[project])]));
  const found: Task[] = [];
  for (const day of days("2023-01-02", "2026-06-29")) {
    if (!random.chance(0.34)) continue;
    const project = random.pick(day.date < "2024-11-01" ? PROJECTS.filter((name) => name !== "wren-box") : PROJECTS);
    const created = moment(random, day.date, 8, 21);
    const task: Task = {
      id: `task-${String(found.length + 1).padStart(4, "0")}`,
      title: write(random, decks.get(project)!(), words),
      project,
      created,
    };
    if (random.chance(0.6)) task.due = addDays(isoDay(created), random.int(1, 21));
    if (random.chance(0.3)) task.waiting = created + DAY * random.int(1, 4);
    const fate = random.next();
    if (fate < 0.76) task.done = created + DAY * random.int(4, 16) + hours(random.int(0, 8));
    else if (fate < 0.9) task.deleted = created + DAY * random.int(6, 60);
    found.push(task);
  }
  return found;
}
