// Activity per day and stream, added up from entries in the audit log.
import type { z } from "zod";
import type { ActivityDays } from "../../contract/activity.ts";
import { ACTIVITY_DAYS } from "../../contract/limits.ts";
import type { activityDaysQuery } from "../../contract/write.ts";
import { type AuditCount, countOfLine } from "../../core/audit-count.ts";
import { formatDay, formatInstant } from "../../core/instant.ts";
import { timeBuckets } from "../../core/time-buckets.ts";
import type { AuditRow } from "../../store/store.ts";
import type { MethodContext } from "../calls/define.ts";
import { wantedBy } from "./activity.ts";
import { requireZone } from "./aggregate.ts";
import type { Answer } from "./context.ts";

const DAY_MS = 86_400_000;
const LINES_AT_ONCE = 1000;

type ActivityDay = ActivityDays["data"][number];

/** Adds up entries, newest first. If there are too many, stops and reports where it stopped. */
export async function readActivityDays(
  { audit, now }: MethodContext,
  query: z.infer<typeof activityDaysQuery>,
): Promise<Answer> {
  const { time_zone: zone = "UTC", ...filter } = query;
  requireZone(zone);
  const dayOf = timeBuckets("day", zone);
  const wanted = wantedBy(filter);
  const since = wanted.since ?? dayOf((wanted.until ?? now) - (ACTIVITY_DAYS.default - 1) * DAY_MS).from;
  const days = new Map<string, ActivityDay>();
  let countedFrom = now;
  let next: number | undefined;
  for (let turn = 0; turn < ACTIVITY_DAYS.lines / LINES_AT_ONCE; turn++) {
    const page = await audit.list({ ...wanted, since, before: next, limit: LINES_AT_ONCE });
    for (const row of page.rows) {
      addLine(dayNamed(days, formatDay(dayOf(row.at).key)), row);
      countedFrom = row.at;
    }
    next = page.next;
    if (next === undefined) break;
  }
  const body: ActivityDays = {
    object: "activity_days",
    time_zone: zone,
    since: formatInstant(since),
    ...(next === undefined ? {} : { counted_from: formatInstant(countedFrom) }),
    data: [...days.values()].sort((one, other) => (one.day < other.day ? 1 : -1)),
  };
  for (const { streams } of body.data) streams.sort((one, other) => other.records - one.records);
  return { body: JSON.stringify(body), records: 0 };
}

function dayNamed(days: Map<string, ActivityDay>, day: string): ActivityDay {
  let found = days.get(day);
  if (found === undefined) {
    found = { day, calls: 0, denied: 0, records: 0, bytes: 0, streams: [] };
    days.set(day, found);
  }
  return found;
}

function addLine(day: ActivityDay, row: AuditRow): void {
  const count = countOfLine(row);
  addCount(day, count);
  const { connection_id, stream } = row;
  if (connection_id === undefined || stream === undefined) return;
  let of = day.streams.find((one) => one.stream === stream && one.connection_id === connection_id);
  if (of === undefined) {
    of = { connection_id, stream, calls: 0, denied: 0, records: 0, bytes: 0 };
    day.streams.push(of);
  }
  addCount(of, count);
}

function addCount(sum: AuditCount, { calls, denied, records, bytes }: AuditCount): void {
  sum.calls += calls;
  sum.denied += denied;
  sum.records += records;
  sum.bytes += bytes;
}
