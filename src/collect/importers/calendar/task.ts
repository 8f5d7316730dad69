// Parses one VTODO: a task, its due date and whether it is done.
import type { JsonObject } from "../../../contract/json.ts";
import type { TextComponent } from "../components.ts";
import { contentUid, optional, rankOf, readProperties, type ZoneOf } from "./event.ts";
import { dayOf, written } from "./when.ts";

export interface CalendarTask {
  hasUid: boolean;
  uid: string;
  /** Greater for a newer version of the same task. */
  rank: string;
  fields: JsonObject;
}

const STATUSES = ["needs-action", "in-process", "completed", "cancelled"];

export function parseTask(component: TextComponent, zoneOf: ZoneOf): CalendarTask {
  const { say, whens, stamp, categories } = readProperties(component, zoneOf);
  const completedAt = stamp("COMPLETED");
  const modifiedAt = stamp("LAST-MODIFIED") ?? stamp("CREATED");
  const stated = STATUSES.find((one) => one === say("STATUS").toLowerCase());
  const status = stated ?? (completedAt === undefined ? "needs-action" : "completed");
  const [due] = whens("DUE");
  const priority = Number.parseInt(say("PRIORITY"), 10);
  return {
    hasUid: say("UID") !== "",
    uid: say("UID").slice(0, 500) || contentUid(component.lines),
    rank: rankOf(say("SEQUENCE"), modifiedAt),
    fields: {
      title: say("SUMMARY"),
      ...optional("description", say("DESCRIPTION")),
      ...(due === undefined ? {} : { due_on: dayOf(due), ...(due.isDay ? {} : { due_at: written(due) }) }),
      status,
      done: status === "completed" || status === "cancelled",
      ...optional("completed_at", completedAt ?? ""),
      // Zero means no priority (RFC 5545, 3.8.1.9).
      ...(priority >= 1 && priority <= 9 ? { priority } : {}),
      categories,
      ...optional("created_at", stamp("CREATED") ?? ""),
      ...optional("updated_at", modifiedAt ?? ""),
    },
  };
}
