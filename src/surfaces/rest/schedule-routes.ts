// The routes of schedules: connections that are read again by themselves, and folders that are watched.
import * as schedules from "../../contract/schedule-request.ts";
import * as requests from "../../contract/write.ts";
import type { Route } from "./route.ts";

const one = { access: "owner", schema: schedules.scheduleId, parameters: {} } as const;

export const scheduleRoutes = [
  {
    method: "GET",
    path: "/v1/schedules",
    summary: "What is looked at again by itself, when next, and how the last time went",
    access: "owner",
    call: "schedules",
    schema: requests.nothing,
    parameters: {},
  },
  {
    method: "POST",
    path: "/v1/schedules",
    summary: "Watch a folder of the server: what is new in it is imported",
    access: "owner",
    call: "watchFolder",
    schema: schedules.folderWatch,
    parameters: {},
    body: "merge",
    status: 201,
  },
  {
    method: "PUT",
    path: "/v1/connections/{connection_id}/schedule",
    summary: "Read a connection again by itself: its connector is run, or its disk scanned",
    access: "owner",
    call: "putSchedule",
    schema: schedules.schedulePut,
    parameters: {},
    body: "merge",
  },
  { ...one, method: "GET", path: "/v1/schedules/{id}", summary: "One schedule", call: "schedule" },
  {
    ...one,
    method: "DELETE",
    path: "/v1/schedules/{id}",
    summary: "Forget a schedule; what it brought in stays",
    call: "deleteSchedule",
  },
  {
    ...one,
    method: "POST",
    path: "/v1/schedules/{id}/run",
    summary: "Run it now, also when it is paused",
    call: "runSchedule",
    status: 202,
  },
  { ...one, method: "POST", path: "/v1/schedules/{id}/pause", summary: "Pause a schedule", call: "pauseSchedule" },
  {
    ...one,
    method: "POST",
    path: "/v1/schedules/{id}/resume",
    summary: "Go on with a schedule; what was missed is caught up once",
    call: "resumeSchedule",
  },
] as const satisfies readonly Route[];
