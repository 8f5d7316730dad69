// The task list: tasks change, are completed, and are given up.
import { addDays, DAY, days, dublin, hours, isoDay } from "../clock.ts";
import { component, line, textLine, utcStamp } from "../formats/content-lines.ts";
import { write } from "../grammar.ts";
import { createDeck, createRandom } from "../random.ts";
import { storyTasks } from "../story/index.ts";
import { taskTitles } from "../text/task-texts.ts";
import { words } from "../text/words.ts";
import { moment } from "./chat.ts";

const PROJECTS = ["home", "work", "wren-box", "family", "admin"] as const;
const END = dublin("2026-06-30 23:00");

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

/** Tasks as VTODOs in a calendar file, without those that were given up. */
export const taskLines = (): string[] =>
  [...fromStories(), ...everyday()].filter(({ deleted = END }) => deleted >= END).flatMap(linesOf);

function linesOf(task: Task): string[] {
  const passed = (at: number | undefined): number | undefined => (at !== undefined && at < END ? at : undefined);
  const [done, waiting] = [passed(task.done), passed(task.waiting)];
  const status = done !== undefined ? "COMPLETED" : waiting !== undefined ? "IN-PROCESS" : "NEEDS-ACTION";
  const changed = done ?? waiting ?? task.created;
  return component("VTODO", [
    ...line("UID", `${task.id}@tasks.example`),
    ...line("DTSTAMP", utcStamp(changed)),
    ...line("CREATED", utcStamp(task.created)),
    ...line("LAST-MODIFIED", utcStamp(changed)),
    ...textLine("SUMMARY", task.title),
    ...textLine("DESCRIPTION", task.notes),
    ...line("DUE;VALUE=DATE", task.due?.replaceAll("-", "")),
    ...line("PRIORITY", String(task.id.startsWith("k-") ? 1 : ((task.title.length % 3) + 1) * 3 - 2)),
    ...textLine("CATEGORIES", task.project),
    ...line("STATUS", status),
    ...(done === undefined ? [] : line("COMPLETED", utcStamp(done))),
  ]);
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
