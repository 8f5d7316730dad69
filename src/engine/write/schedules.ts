// Schedules in the store: what is scheduled, which process is running it, and the outcome of the last run.
import { isAbsolute } from "node:path";
import type { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import { FILES_CONNECTOR } from "../../contract/file-access.ts";
import { newId } from "../../contract/ids.ts";
import type { JsonValue } from "../../contract/record.ts";
import type { Schedule, ScheduleDeleted, ScheduleTarget, Timing } from "../../contract/schedule.ts";
import type * as requests from "../../contract/schedule-request.ts";
import type { PlannedCheck } from "../../core/freshness.ts";
import { formatInstant } from "../../core/instant.ts";
import { isTooFar, nextRun, plannedAfter, type RetryState, requireTiming } from "../../core/schedule-times.ts";
import type { ItemRow } from "../../store/rows.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { noteCheck } from "./checks.ts";
import { CONNECTOR, SCHEDULE } from "./connection-items.ts";
import { requireConnection } from "./sources.ts";

/**
 * A process that is running a schedule renews its claim within this time. If it does not, another process may take
 * over.
 */
const LEASE_MS = 120_000;
const SCHEDULES_MAX = 1000;

interface StoredSchedule {
  target: ScheduleTarget;
  timing: Timing;
  paused: boolean;
  /**
   * When the current run started. While a schedule runs, its due time is the time after which the running process is
   * considered gone.
   */
  running?: number;
  /** True if the schedule should run once although it is paused. */
  once?: true;
  last?: { started: number; ended: number; status: "succeeded" | "failed" | "cancelled"; message?: string };
  failures: number;
}

/** A schedule that is due. */
export interface DueSchedule {
  id: string;
  target: ScheduleTarget;
  /** True if its connection is an indexed disk rather than a connector. */
  isDisk: boolean;
}

const keptIn = (item: ItemRow): StoredSchedule => item.body as unknown as StoredSchedule;

export async function listSchedules(view: ReadView, { subjectId }: Caller, now: number): Promise<Schedule[]> {
  return (await view.items(subjectId, SCHEDULE)).map((item) => scheduleRead(item, now));
}

export async function readSchedule(view: ReadView, caller: Caller, id: string, now: number): Promise<Schedule> {
  return scheduleRead(await requireSchedule(view, caller, id), now);
}

export async function plannedCheck(
  view: ReadView,
  subjectId: string,
  connectionId: string,
): Promise<PlannedCheck | undefined> {
  const item = await view.item(subjectId, SCHEDULE, connectionId);
  if (item === undefined) return undefined;
  const { timing, paused, running, failures } = keptIn(item);
  return { timing, isPaused: paused, nextAt: running === undefined ? item.dueAt : null, failures };
}

/** Schedules a connection. An existing schedule gets the new times. */
export async function putSchedule(
  view: WriteView,
  caller: Caller,
  { connection_id, ...timing }: z.infer<typeof requests.schedulePut>,
  now: number,
): Promise<Schedule> {
  requireTiming(timing);
  const { connectorKey } = requireConnection(caller, connection_id);
  const canBeRead =
    connectorKey === FILES_CONNECTOR || (await view.item(caller.subjectId, CONNECTOR, connection_id)) !== undefined;
  if (!canBeRead) {
    throw new PdppError(
      "invalid_request",
      `${connection_id} cannot be scheduled: its records were imported from a file`,
      {
        param: "connection_id",
        next_step:
          "Watch a folder (POST /v1/schedules, pdpp schedules watch DIR), or add a connector (pdpp connectors add).",
      },
    );
  }
  const target: ScheduleTarget = { kind: "connection", connection_id };
  return putNew(view, caller, connection_id, target, timing, now);
}

/** Watching a folder again changes its existing schedule. */
export async function watchFolder(
  view: WriteView,
  caller: Caller,
  { folder, as, answers, ...timing }: z.infer<typeof requests.folderWatch>,
  now: number,
): Promise<Schedule> {
  requireTiming(timing);
  if (!isAbsolute(folder)) {
    throw new PdppError("invalid_path", `${JSON.stringify(folder)} is not the absolute path of a folder`, {
      param: "folder",
      next_step: "Specify the absolute path on the server's machine, such as /home/nora/Exports.",
    });
  }
  const target: ScheduleTarget = {
    kind: "folder",
    path: folder,
    ...(as === undefined ? {} : { as }),
    ...(answers === undefined ? {} : { answers }),
  };
  const known = (await view.items(caller.subjectId, SCHEDULE)).find((item) => {
    const { target: other } = keptIn(item);
    return other.kind === "folder" && other.path === folder;
  });
  return putNew(view, caller, known?.id ?? newId("schedule"), target, timing, now);
}

async function putNew(
  view: WriteView,
  caller: Caller,
  id: string,
  target: ScheduleTarget,
  timing: Timing,
  now: number,
): Promise<Schedule> {
  const before = await view.item(caller.subjectId, SCHEDULE, id);
  if (before === undefined && (await view.items(caller.subjectId, SCHEDULE)).length >= SCHEDULES_MAX) {
    throw new PdppError("resource_limit", `there are ${SCHEDULES_MAX} schedules already`, {
      next_step: "Remove one: DELETE /v1/schedules/{id}.",
    });
  }
  // A schedule with an interval first runs immediately. One with a time of day waits until that time.
  const dueAt = timing.cron === undefined ? now : plannedAfter(timing, now);
  const kept: StoredSchedule =
    before === undefined ? { target, timing, paused: false, failures: 0 } : { ...keptIn(before), target, timing };
  return put(
    view,
    caller,
    { kind: SCHEDULE, id, holder: null, createdAt: before?.createdAt ?? now, dueAt: before?.dueAt ?? null, body: null },
    kept,
    // A running schedule is due when its lease ends.
    isRunning(kept, before, now) ? before!.dueAt : kept.paused ? null : dueAt,
    now,
  );
}

const isRunning = ({ running }: StoredSchedule, item: ItemRow | undefined, now: number): boolean =>
  running !== undefined && item?.dueAt != null && item.dueAt > now;

export async function pauseSchedule(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  paused: boolean,
  now: number,
): Promise<Schedule> {
  const item = await requireSchedule(view, caller, id);
  const kept = { ...keptIn(item), paused };
  const due = isRunning(kept, item, now) ? item.dueAt : paused ? null : resumedAt(kept, now);
  return put(view, caller, item, kept, due, now);
}

/** Missed runs are made up for by a single run. */
function resumedAt({ timing, last }: StoredSchedule, now: number): number {
  const planned = last === undefined ? now : plannedAfter(timing, last.ended);
  return planned <= now ? now : Math.min(planned, plannedAfter(timing, now));
}

export async function runSchedule(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  now: number,
): Promise<Schedule> {
  const item = await requireSchedule(view, caller, id);
  const kept = keptIn(item);
  if (isRunning(kept, item, now))
    throw new PdppError("job_already_running", `the schedule ${id} is already running`, {
      next_step: `GET /v1/schedules/${id} shows its result.`,
    });
  return put(view, caller, item, { ...kept, once: true }, now, now);
}

export async function deleteSchedule(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
): Promise<ScheduleDeleted> {
  await requireSchedule(view, caller, id);
  await view.deleteItem(caller.subjectId, SCHEDULE, id);
  return { object: "schedule", schedule_id: id, deleted: true };
}

/** When the next schedule is due. In the past if one is due now. */
export async function horizon(view: ReadView, { subjectId }: Caller, now: number): Promise<{ next_at: number | null }> {
  const times = (await view.items(subjectId, SCHEDULE)).flatMap((item) => (mayRun(item) ? [dueTime(item, now)] : []));
  return { next_at: times.length === 0 ? null : Math.min(...times) };
}

const mayRun = (item: ItemRow): boolean => {
  const { paused, once, running } = keptIn(item);
  return item.dueAt !== null && (!paused || once === true || running !== undefined);
};

/** Setting the clock back does not postpone a run. */
const dueTime = (item: ItemRow, now: number): number =>
  isTooFar(keptIn(item).timing, item.dueAt!, now) ? now : item.dueAt!;

/** Returns the due schedules, and claims them for this caller. */
export async function takeDueSchedules(
  view: WriteView,
  { subjectId, catalog }: Caller,
  now: number,
): Promise<{ due: DueSchedule[] }> {
  const due: DueSchedule[] = [];
  const disks = new Set(
    catalog.connections.flatMap((row) => (row.connectorKey === FILES_CONNECTOR ? [row.connectionId] : [])),
  );
  for (const item of await view.items(subjectId, SCHEDULE)) {
    if (!mayRun(item) || dueTime(item, now) > now) continue;
    const { once: _once, ...kept } = keptIn(item);
    await view.putItem(subjectId, { ...item, dueAt: now + LEASE_MS, body: bodyOf({ ...kept, running: now }) });
    const { target } = kept;
    due.push({ id: item.id, target, isDisk: target.kind === "connection" && disks.has(target.connection_id) });
  }
  return { due };
}

/** Renews a process's claims on the runs that it is executing. */
export async function keepSchedules(
  view: WriteView,
  { subjectId }: Caller,
  { ids, release }: z.infer<typeof requests.schedulesKept>,
  now: number,
) {
  for (const id of ids) {
    const item = await view.item(subjectId, SCHEDULE, id);
    if (item === undefined) continue;
    const { running, ...kept } = keptIn(item);
    if (running === undefined) continue;
    if (!release) await view.putItem(subjectId, { ...item, dueAt: now + LEASE_MS });
    // A run that has started is finished, even if its schedule was paused in the meantime.
    else await view.putItem(subjectId, { ...item, dueAt: now, body: bodyOf({ ...kept, once: true }) });
  }
  return {};
}

export async function settleSchedule(
  view: WriteView,
  { subjectId, catalog }: Caller,
  { id, started_at, status, message }: z.infer<typeof requests.scheduleSettled>,
  { now, chance }: { now: number; chance: number },
) {
  const item = await view.item(subjectId, SCHEDULE, id);
  // The schedule was removed during the run.
  if (item === undefined) return {};
  const { running: _running, ...kept } = keptIn(item);
  const failures = status === "failed" ? kept.failures + 1 : status === "succeeded" ? 0 : kept.failures;
  const last = { started: started_at, ended: now, status, ...(message === undefined ? {} : { message }) };
  const dueAt = kept.paused ? null : dueAfter(kept, now, { failures: status === "failed" ? failures : 0, chance });
  await view.putItem(subjectId, { ...item, dueAt, body: bodyOf({ ...kept, failures, last }) });
  const { target } = kept;
  if (status === "cancelled" || target.kind !== "connection") return {};
  if (catalog.connections.some((row) => row.connectionId === target.connection_id)) {
    await noteCheck(view, subjectId, target.connection_id, {
      at: now,
      ok: status === "succeeded",
      ...(message === undefined ? {} : { message }),
    });
  }
  return {};
}

/** A file that cannot be imported must not delay the other files. */
function dueAfter({ target, timing }: StoredSchedule, now: number, course: RetryState): number {
  const next = nextRun(timing, now, course);
  return target.kind === "folder" ? Math.min(next, nextRun(timing, now, { ...course, failures: 0 })) : next;
}

async function requireSchedule(view: ReadView, { subjectId }: Caller, id: string): Promise<ItemRow> {
  const item = await view.item(subjectId, SCHEDULE, id);
  if (item !== undefined) return item;
  throw new PdppError("not_found", `there is no schedule ${JSON.stringify(id)}`, {
    param: "id",
    next_step: "`pdpp schedules`, or GET /v1/schedules, lists them; a connection's schedule has the connection's id.",
  });
}

async function put(
  view: WriteView,
  { subjectId }: Caller,
  item: ItemRow,
  kept: StoredSchedule,
  dueAt: number | null,
  now: number,
): Promise<Schedule> {
  const stored = { ...item, dueAt, body: bodyOf(kept) };
  await view.putItem(subjectId, stored);
  return scheduleRead(stored, now);
}

const bodyOf = (kept: StoredSchedule): JsonValue => kept as unknown as JsonValue;

function scheduleRead(item: ItemRow, now: number): Schedule {
  const kept = keptIn(item);
  const { target, timing, paused, last, failures, once } = kept;
  const status = isRunning(kept, item, now) ? "running" : paused && once === undefined ? "paused" : "waiting";
  return {
    object: "schedule",
    schedule_id: item.id,
    target,
    ...timing,
    status,
    next_run_at: status === "waiting" && item.dueAt !== null ? formatInstant(item.dueAt) : null,
    last_run:
      last === undefined
        ? null
        : {
            started_at: formatInstant(last.started),
            ended_at: formatInstant(last.ended),
            status: last.status,
            ...(last.message === undefined ? {} : { message: last.message }),
          },
    failures,
    created_at: formatInstant(item.createdAt),
  };
}
