// Engine calls for schedules: connections that are refreshed on a schedule, and watched folders.
import * as requested from "../../contract/schedule-request.ts";
import * as requests from "../../contract/write.ts";
import { requireFolder } from "../folder-check.ts";
import { listAnswer } from "../read/context.ts";
import * as scheduled from "../write/schedules.ts";
import { answer, ownerRead, ownerWrite, systemRead, systemWrite } from "./define.ts";

export const SCHEDULE_CALLS = {
  schedules: ownerRead({
    query: requests.nothing,
    answer: "ScheduleList",
    route: {
      method: "GET",
      path: "/v1/schedules",
      summary: "Schedules, when each runs next, and how the last run went",
    },
    words: "Listed schedules",
    run: async ({ view, caller, now }) => listAnswer("/v1/schedules", await scheduled.listSchedules(view, caller, now)),
  }),
  watchFolder: ownerWrite({
    query: requested.folderWatch,
    answer: "Schedule",
    route: {
      method: "POST",
      path: "/v1/schedules",
      summary: "Watch a folder on the server and import new files in it",
      body: "merge",
      status: 201,
    },
    // A folder on this machine becomes readable as records.
    lastingAccess: true,
    notHosted: "folders on its machine are not watched",
    before: (_, { folder }) => requireFolder(folder),
    effects: ["wakesSchedules"],
    words: "Started watching a folder",
    run: ({ view, caller, now }, query) => scheduled.watchFolder(view, caller, query, now),
  }),
  putSchedule: ownerWrite({
    query: requested.schedulePut,
    answer: "Schedule",
    route: {
      method: "PUT",
      path: "/v1/connections/{connection_id}/schedule",
      summary: "Refresh a connection on a schedule by running its connector or scanning its disk",
      body: "merge",
    },
    effects: ["wakesSchedules"],
    words: "Changed a schedule",
    run: ({ view, caller, now }, query) => scheduled.putSchedule(view, caller, query, now),
  }),
  schedule: ownerRead({
    query: requested.scheduleId,
    answer: "Schedule",
    route: { method: "GET", path: "/v1/schedules/{id}", summary: "One schedule" },
    words: "Looked at a schedule",
    run: async ({ view, caller, now }, { id }) => answer(await scheduled.readSchedule(view, caller, id, now)),
  }),
  deleteSchedule: ownerWrite({
    query: requested.scheduleId,
    answer: "ScheduleDeleted",
    route: {
      method: "DELETE",
      path: "/v1/schedules/{id}",
      summary: "Delete a schedule; imported records stay",
    },
    words: "Deleted a schedule",
    run: ({ view, caller }, query) => scheduled.deleteSchedule(view, caller, query),
  }),
  runSchedule: ownerWrite({
    query: requested.scheduleId,
    answer: "Schedule",
    route: {
      method: "POST",
      path: "/v1/schedules/{id}/run",
      summary: "Run it now, even if it is paused",
      status: 202,
    },
    effects: ["wakesSchedules"],
    words: "Ran a schedule",
    run: ({ view, caller, now }, query) => scheduled.runSchedule(view, caller, query, now),
  }),
  pauseSchedule: ownerWrite({
    query: requested.scheduleId,
    answer: "Schedule",
    route: { method: "POST", path: "/v1/schedules/{id}/pause", summary: "Pause a schedule" },
    words: "Paused a schedule",
    run: ({ view, caller, now }, query) => scheduled.pauseSchedule(view, caller, query, true, now),
  }),
  resumeSchedule: ownerWrite({
    query: requested.scheduleId,
    answer: "Schedule",
    route: {
      method: "POST",
      path: "/v1/schedules/{id}/resume",
      summary: "Resume a schedule; one run makes up for missed ones",
    },
    effects: ["wakesSchedules"],
    words: "Resumed a schedule",
    run: ({ view, caller, now }, query) => scheduled.pauseSchedule(view, caller, query, false, now),
  }),
  /** When the next run is due. This is polled, so it is a read: nothing is written while nothing is due. */
  scheduleHorizon: systemRead({
    query: requests.nothing,
    run: ({ view, caller, now }) => scheduled.horizon(view, caller, now),
  }),
  takeDueSchedules: systemWrite({
    query: requests.nothing,
    run: ({ view, caller, now }) => scheduled.takeDueSchedules(view, caller, now),
  }),
  keepSchedules: systemWrite({
    query: requested.schedulesKept,
    run: ({ view, caller, now }, query) => scheduled.keepSchedules(view, caller, query, now),
  }),
  settleSchedule: systemWrite({
    query: requested.scheduleSettled,
    run: ({ view, caller, now }, query) =>
      scheduled.settleSchedule(view, caller, query, { now, chance: Math.random() }),
  }),
};
