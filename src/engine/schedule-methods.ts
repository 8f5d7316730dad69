// The engine calls of schedules.
import * as schedules from "../contract/schedule-request.ts";
import * as requests from "../contract/write.ts";
import { answer, ownerRead, ownerWrite, systemRead, systemWrite } from "./method.ts";
import { listJson } from "./read/context.ts";
import * as scheduled from "./write/schedules.ts";

export const SCHEDULE_METHODS = {
  schedules: ownerRead(requests.nothing, async ({ view, caller, now }) => {
    const items = (await scheduled.listSchedules(view, caller, now)).map((item) => JSON.stringify(item));
    return { body: listJson({ url: "/v1/schedules", self: "/v1/schedules", items, hasMore: false }), records: 0 };
  }),
  schedule: ownerRead(schedules.scheduleId, async ({ view, caller, now }, { id }) =>
    answer(await scheduled.readSchedule(view, caller, id, now)),
  ),
  putSchedule: ownerWrite(schedules.schedulePut, ({ view, caller, now }, query) =>
    scheduled.putSchedule(view, caller, query, now),
  ),
  watchFolder: ownerWrite(schedules.folderWatch, ({ view, caller, now }, query) =>
    scheduled.watchFolder(view, caller, query, now),
  ),
  runSchedule: ownerWrite(schedules.scheduleId, ({ view, caller, now }, query) =>
    scheduled.runSchedule(view, caller, query, now),
  ),
  pauseSchedule: ownerWrite(schedules.scheduleId, ({ view, caller, now }, query) =>
    scheduled.pauseSchedule(view, caller, query, true, now),
  ),
  resumeSchedule: ownerWrite(schedules.scheduleId, ({ view, caller, now }, query) =>
    scheduled.pauseSchedule(view, caller, query, false, now),
  ),
  deleteSchedule: ownerWrite(schedules.scheduleId, ({ view, caller }, query) =>
    scheduled.deleteSchedule(view, caller, query),
  ),
  /** When something is due next: asked often, so that nothing is written while nothing is. */
  scheduleHorizon: systemRead(requests.nothing, ({ view, caller, now }) => scheduled.horizon(view, caller, now)),
  takeDueSchedules: systemWrite(requests.nothing, ({ view, caller, now }) =>
    scheduled.takeDueSchedules(view, caller, now),
  ),
  keepSchedules: systemWrite(schedules.schedulesKept, ({ view, caller, now }, query) =>
    scheduled.keepSchedules(view, caller, query, now),
  ),
  settleSchedule: systemWrite(schedules.scheduleSettled, ({ view, caller, now }, query) =>
    scheduled.settleSchedule(view, caller, query, { now, chance: Math.random() }),
  ),
} as const;
