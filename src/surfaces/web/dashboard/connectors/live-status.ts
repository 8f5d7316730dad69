// The state of a connection with a connector: what it is doing, the result of the last run, and when the next is due.
import { html } from "hono/html";
import type { CollectRun, ConnectorSetup } from "../../../../contract/collect.ts";
import type { Schedule } from "../../../../contract/schedule.ts";
import { sentence } from "../../format.ts";
import type { Html } from "../../layout.ts";
import type { PageFrame, Visit } from "../../owner-page.ts";
import { timingWords } from "../schedule-timing.ts";
import { runAddress } from "./addresses.ts";
import { countWords, isOpen, statusBadge } from "./words.ts";

export interface LiveStatus {
  lastRun?: CollectRun;
  schedule?: Schedule;
}

/** The status of every connection with a connector, by connection id. */
export async function liveStatuses({ look }: Pick<Visit, "look">): Promise<Map<string, LiveStatus>> {
  const [setups, schedules] = await Promise.all([look("connectorSetups", {}), look("schedules", {})]);
  return new Map(setups.data.map((setup) => [setup.connection_id, statusOf(setup, schedules.data)]));
}

export function statusOf({ connection_id, last_run }: ConnectorSetup, schedules: readonly Schedule[]): LiveStatus {
  const schedule = schedules.find(({ schedule_id }) => schedule_id === connection_id);
  return { ...(last_run === undefined ? {} : { lastRun: last_run }), ...(schedule === undefined ? {} : { schedule }) };
}

/** True if the status changes while the page is open. */
export const isBusy = ({ lastRun, schedule }: LiveStatus, { now }: PageFrame): boolean =>
  (lastRun !== undefined && isOpen(lastRun)) ||
  schedule?.status === "running" ||
  (schedule?.next_run_at != null && Date.parse(schedule.next_run_at) <= now);

/** Example: "succeeded 5 minutes ago: 3 new records" */
export function runWords({ lastRun }: LiveStatus, { times }: PageFrame): Html {
  if (lastRun === undefined) return html`<span class="note">It has not run yet.</span>`;
  const { run_id, progress, question, error } = lastRun;
  if (question !== undefined)
    return html`${statusBadge(lastRun)} <a href="${runAddress(run_id)}"><bdi>${question.message}</bdi></a>`;
  if (isOpen(lastRun))
    return html`${statusBadge(lastRun)} <bdi>${progress?.message ?? "starting"}</bdi>, ${countWords(lastRun)} so far`;
  const outcome = error === undefined ? countWords(lastRun) : html`<bdi>${sentence(error.message)}</bdi>`;
  return html`${statusBadge(lastRun)} <a href="${runAddress(run_id)}">${times.ago(lastRun.updated_at)}</a>: ${outcome}`;
}

/** Example: "Updated every hour, next at 14:00" */
export function scheduleWords({ schedule }: LiveStatus, { times }: PageFrame): Html {
  if (schedule === undefined) return html`Not scheduled.`;
  if (schedule.status === "paused") return html`The schedule is paused.`;
  const next = schedule.next_run_at === null ? "" : html`, next ${times.instant(schedule.next_run_at)}`;
  return html`Updated ${timingWords(schedule)}${next}.`;
}
