// The schedules page: what is updated and when, the last result, and forms to schedule more.
import { html, raw } from "hono/html";
import type { Freshness, Health, Schedule } from "../../../contract/schedule.ts";
import { countOf } from "../format.ts";
import { type Html, hidden } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { command, curl } from "../snippets.ts";
import { ADD } from "./add/choices.ts";
import { CONNECTIONS, connectionAddress } from "./explore/addresses.ts";
import { IMPORT } from "./import-address.ts";
import { timingFields, timingWords } from "./schedule-timing.ts";
import { done as said } from "./words.ts";

export const SCHEDULES = "/dashboard/schedules";
const LIVE_MS = 2000;

export interface ScheduleRow {
  scheduleId: string;
  name: string;
  connectionId?: string;
  folder?: string;
  everySeconds?: number;
  cron?: string;
  timeZone?: string;
  status: Schedule["status"];
  nextRunAt: string | null;
  lastRun: { endedAt: string; status: "succeeded" | "failed" | "cancelled"; message?: string } | null;
  /** The number of consecutive failures. */
  failures: number;
  /** The connector's open question. */
  question?: string;
}

export interface SchedulesView {
  /** True if folders and disks on the server's machine may be read. */
  hasMachine: boolean;
  schedules: readonly ScheduleRow[];
  connections: readonly { connectionId: string; name: string; freshness: Freshness; health: Health }[];
  done?: string;
}

export function showSchedules(view: SchedulesView, frame: PageFrame): PageContent {
  const { hasMachine, schedules, done } = view;
  const live = schedules.some(({ status, nextRunAt }) => status === "running" || isDue(nextRunAt, frame));
  return {
    title: "Schedules",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${CONNECTIONS}">Connections</a></nav>
<div class="page-head"><div><h1>Schedules</h1>
<p class="lead">${lead(schedules)}</p></div><div class="row"><a class="button primary" href="${ADD}">Add a source</a></div></div>
${done === undefined ? "" : said(done, frame.undo)}
<section id="planned"${live ? raw(` data-live="${LIVE_MS}"`) : ""}><h2>Scheduled</h2>${
      schedules.length === 0
        ? html`<div class="empty"><h3>No schedules yet</h3><p>${hasMachine ? "A mailbox, a calendar, a disk or a watched folder" : "A connector"} can be updated on a schedule.</p></div>`
        : html`<ul class="holdings">${schedules.map((row) => schedule(row, frame))}</ul>`
    }</section>
<div class="columns">${readForm(view, frame)}${hasMachine ? watchForm(frame) : ""}</div>
${imported(view)}`,
    snippets: [curl(frame.origin, "/v1/schedules"), command("schedules", "--server", frame.origin)],
  };
}

function lead(schedules: readonly ScheduleRow[]): string {
  if (schedules.length === 0) return "Which connections are updated on a schedule, and when.";
  const failing = schedules.filter(({ lastRun }) => lastRun?.status === "failed").length;
  const count = countOf(schedules.length, "schedule");
  return failing === 0 ? `${count}, all working.` : `${count}, ${failing} failing.`;
}

const isDue = (nextRunAt: string | null, { now }: PageFrame): boolean =>
  nextRunAt !== null && Date.parse(nextRunAt) <= now;

function stateBadge({ status, lastRun, question }: ScheduleRow): Html {
  if (question !== undefined) return html`<span class="badge warn">Needs an answer</span>`;
  if (status === "running") return html`<span class="badge good">Running</span>`;
  if (status === "paused") return html`<span class="badge warn">Paused</span>`;
  if (lastRun?.status === "failed") return html`<span class="badge bad">Failed</span>`;
  if (lastRun?.status === "cancelled") return html`<span class="badge">Stopped</span>`;
  return html`<span class="badge">Scheduled</span>`;
}

function schedule(row: ScheduleRow, frame: PageFrame): Html {
  const { scheduleId, name, connectionId, status, nextRunAt, lastRun, failures, question } = row;
  const { times, csrf } = frame;
  const title =
    connectionId === undefined
      ? html`<bdi>${name}</bdi>`
      : html`<a href="${connectionAddress(connectionId)}"><bdi>${name}</bdi></a>`;
  const act = (what: string, label: string, kind = ""): Html =>
    html`<form method="post" action="${SCHEDULES}">${hidden({ csrf, do: what, id: scheduleId })}<button class="button small ${kind}">${label}<span class="visually-hidden"> ${name}</span></button></form>`;
  return html`<li class="card"><header class="row"><h3>${title}</h3>${stateBadge(row)}<span class="end note">${whenWords(row)}</span></header>
${question === undefined ? "" : html`<p>The connector asks: <a href="${connectionId === undefined ? SCHEDULES : connectionAddress(connectionId)}"><bdi>${question}</bdi></a></p>`}
${lastRun === null ? html`<p class="note">It has not run yet.</p>` : html`<p class="${lastRun.status === "failed" ? "" : "note"}">${times.ago(lastRun.endedAt)}${lastRun.message === undefined ? "" : html`: <bdi>${lastRun.message}</bdi>`}${failures > 1 ? ` · failed ${failures} times in a row, so the next attempt is delayed` : ""}</p>`}
<div class="row">${status === "running" ? html`<span class="waiting"><span class="pulse"></span>Running…</span>` : act("run", "Run now")}${status === "paused" ? act("resume", "Resume") : act("pause", "Pause")}${act("remove", "Remove", "danger")}<span class="end note">${nextRunAt === null ? "" : html`next ${times.instant(nextRunAt)}`}</span></div></li>`;
}

const whenWords = ({ everySeconds, cron, timeZone }: ScheduleRow): string =>
  timingWords({
    ...(everySeconds === undefined ? {} : { every_seconds: everySeconds }),
    ...(cron === undefined ? {} : { cron }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
  });

const watchForm = ({
  csrf,
}: PageFrame): Html => html`<section class="card" aria-labelledby="watch"><h2 id="watch">Watch a folder</h2>
<p class="note">Every export that you put there is imported once. The folder is on the server’s machine.</p>
<form class="stack" method="post" action="${SCHEDULES}">${hidden({ csrf, do: "folder" })}
<label>Folder<input type="text" name="folder" placeholder="/home/nora/Exports" required maxlength="4096" autocomplete="off" spellcheck="false"></label>
${timingFields("folder")}<div><button class="button primary">Watch it</button></div></form></section>`;

/** Lists connections that can be updated and have no schedule. */
function readForm({ connections, schedules }: SchedulesView, { csrf }: PageFrame): Html | "" {
  const scheduled = new Set(schedules.map(({ connectionId }) => connectionId));
  const able = connections.filter(
    ({ connectionId, health }) => !scheduled.has(connectionId) && health.read_by !== "hand",
  );
  if (able.length === 0) return "";
  return html`<section class="card" aria-labelledby="read"><h2 id="read">Schedule a connection</h2>
<p class="note">${countOf(able.length, "connection")} can be updated and ${able.length === 1 ? "is" : "are"} not scheduled.</p>
<form class="stack" method="post" action="${SCHEDULES}">${hidden({ csrf, do: "connection" })}
<label>Connection<select name="connection_id">${able.map(({ connectionId, name }) => html`<option value="${connectionId}">${name}</option>`)}</select></label>
${timingFields("connection")}<div><button class="button primary">Schedule it</button></div></form></section>`;
}

/** One line for all imported connections, instead of a row for each. */
function imported({ connections }: SchedulesView): Html | "" {
  const count = connections.filter(({ health }) => health.read_by === "hand").length;
  if (count === 0) return "";
  return html`<section><h2>Imported from files</h2><p>${countOf(count, "connection")} ${count === 1 ? "was" : "were"} last updated by an import. To update one, <a href="${IMPORT}">import a newer export</a>: only what is new is added.</p></section>`;
}
