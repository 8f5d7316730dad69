// /dashboard/schedules: what is updated and when, the last result, and what needs the owner's attention.
import { z } from "zod";
import { PdppError } from "../../../contract/errors.ts";
import { type Schedule, scheduleRead, type Timing } from "../../../contract/schedule.ts";
import { ownerPage, type Visit } from "../owner-page.ts";
import type { Undoable } from "../undo.ts";
import { timingIn } from "./schedule-timing.ts";
import { SCHEDULES, type ScheduleRow, type SchedulesView, showSchedules } from "./schedules-view.ts";

/** Messages shown after a redirect. */
const DONE = {
  set: "Scheduled. The first run starts now, unless you chose a time of day.",
  run: "Started.",
  paused: "Paused. Nothing is updated until you resume the schedule.",
  resumed: "Resumed. One run will make up for those that were missed.",
  removed: "Removed the schedule. The records are kept.",
  restored: "Undone. It runs as before.",
} as const;

/** The removed schedule, included in the form that undoes the removal. */
const { target, every_seconds, cron, time_zone } = scheduleRead.shape;
const removedSchedule = z.strictObject({
  target,
  timing: z.strictObject({ every_seconds, cron, time_zone }),
  isPaused: z.boolean(),
});

export const schedulesPage = ownerPage<SchedulesView>({
  path: SCHEDULES,
  under: "connections",
  async load({ look, search, house }) {
    const [schedules, connections, setups] = await Promise.all([
      look("schedules", {}),
      look("connections", {}),
      look("connectorSetups", {}),
    ]);
    const questions = new Map(
      setups.data.map(({ connection_id, last_run }) => [connection_id, last_run?.question?.message]),
    );
    const names = new Map(connections.data.map((row) => [row.connection_id, row.display_name]));
    const done = search.get("done") ?? "";
    return {
      hasMachine: house.home !== undefined,
      schedules: schedules.data.map((schedule) => rowOf(schedule, names, questions)),
      connections: connections.data.map(({ connection_id, display_name, freshness, health }) => ({
        connectionId: connection_id,
        name: display_name,
        freshness: freshness!,
        health: health!,
      })),
      ...(Object.hasOwn(DONE, done) ? { done: DONE[done as keyof typeof DONE] } : {}),
    };
  },
  show: showSchedules,
  async post(visit, form) {
    const what = form.get("do") ?? "";
    if (!Object.hasOwn(FORMS, what)) throw new PdppError("invalid_request", "the form has no action", { param: "do" });
    const undo = await reverseOf(visit, what, form.get("id") ?? "");
    const location = `${SCHEDULES}?done=${await FORMS[what as keyof typeof FORMS](visit, form)}`;
    return undo === undefined ? location : { location, undo };
  },
});

/**
 * Returns the form that undoes a change, created from the state before the change. Returns undefined if the change
 * cannot be undone.
 */
async function reverseOf({ look }: Visit, what: string, id: string): Promise<Undoable["undo"] | undefined> {
  if (what === "pause" || what === "resume")
    return [
      ["do", what === "pause" ? "resume" : "pause"],
      ["id", id],
    ];
  if (what !== "remove") return undefined;
  const { status, ...kept } = await look("schedule", { id });
  const timing = { every_seconds: kept.every_seconds, cron: kept.cron, time_zone: kept.time_zone };
  const removed: z.infer<typeof removedSchedule> = { target: kept.target, timing, isPaused: status === "paused" };
  return [
    ["do", "restore"],
    ["schedule", JSON.stringify(removed)],
  ];
}

function removedIn(form: URLSearchParams): z.infer<typeof removedSchedule> {
  try {
    return removedSchedule.parse(JSON.parse(form.get("schedule") ?? ""));
  } catch {
    throw new PdppError("invalid_request", "the form does not say which schedule to restore", { param: "schedule" });
  }
}

function rowOf(
  schedule: Schedule,
  names: ReadonlyMap<string, string>,
  questions: ReadonlyMap<string, string | undefined>,
): ScheduleRow {
  const { schedule_id, target, every_seconds, cron, time_zone, status, next_run_at, last_run, failures } = schedule;
  const question = questions.get(schedule_id);
  return {
    scheduleId: schedule_id,
    ...(question === undefined ? {} : { question }),
    ...(target.kind === "folder"
      ? { folder: target.path, name: target.path }
      : { connectionId: target.connection_id, name: names.get(target.connection_id) ?? target.connection_id }),
    ...(every_seconds === undefined ? {} : { everySeconds: every_seconds }),
    ...(cron === undefined ? {} : { cron }),
    ...(time_zone === undefined ? {} : { timeZone: time_zone }),
    status,
    nextRunAt: next_run_at,
    lastRun:
      last_run === null
        ? null
        : {
            endedAt: last_run.ended_at,
            status: last_run.status,
            ...(last_run.message === undefined ? {} : { message: last_run.message }),
          },
    failures,
  };
}

const timingOf = ({ zone }: Visit, form: URLSearchParams): Timing => timingIn(form, zone) ?? {};

const FORMS = {
  async connection(visit: Visit, form: URLSearchParams): Promise<keyof typeof DONE> {
    await visit.act("putSchedule", { connection_id: form.get("connection_id") ?? "", ...timingOf(visit, form) });
    return "set";
  },
  async folder(visit: Visit, form: URLSearchParams): Promise<keyof typeof DONE> {
    await visit.act("watchFolder", { folder: (form.get("folder") ?? "").trim(), ...timingOf(visit, form) });
    return "set";
  },
  async run({ act }: Visit, form: URLSearchParams): Promise<keyof typeof DONE> {
    await act("runSchedule", { id: form.get("id") ?? "" });
    return "run";
  },
  async pause({ act }: Visit, form: URLSearchParams): Promise<keyof typeof DONE> {
    await act("pauseSchedule", { id: form.get("id") ?? "" });
    return "paused";
  },
  async resume({ act }: Visit, form: URLSearchParams): Promise<keyof typeof DONE> {
    await act("resumeSchedule", { id: form.get("id") ?? "" });
    return "resumed";
  },
  async remove({ act }: Visit, form: URLSearchParams): Promise<keyof typeof DONE> {
    await act("deleteSchedule", { id: form.get("id") ?? "" });
    return "removed";
  },
  async restore({ act }: Visit, form: URLSearchParams): Promise<keyof typeof DONE> {
    const { target: of, timing, isPaused } = removedIn(form);
    const { schedule_id } =
      of.kind === "connection"
        ? await act("putSchedule", { connection_id: of.connection_id, ...timing })
        : await act("watchFolder", { folder: of.path, as: of.as, answers: of.answers, ...timing });
    if (isPaused) await act("pauseSchedule", { id: schedule_id });
    return "restored";
  },
};
