// Schedules, for people: what is planned, how the last time went, and two forms to plan more.
import { html, raw } from "hono/html";
import type { Freshness, Health, Schedule } from "../../../contract/schedule.ts";
import { countOf } from "../format.ts";
import { type Html, hidden, withCode } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { command, curl } from "../snippets.ts";
import { connectionAddress } from "./explore/addresses.ts";
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
  /** In a row. */
  failures: number;
}

export interface SchedulesView {
  /** Folders and disks of the server's machine may be read. */
  hasMachine: boolean;
  schedules: readonly ScheduleRow[];
  connections: readonly { connectionId: string; name: string; freshness: Freshness; health: Health }[];
  done?: string;
}

const INTERVALS = [
  [600, "every 10 minutes"],
  [3600, "every hour"],
  [21_600, "every 6 hours"],
  [86_400, "every day"],
  [604_800, "every week"],
] as const;
const USUAL = 3600;

export function showSchedules(view: SchedulesView, frame: PageFrame): PageContent {
  const { hasMachine, schedules, connections, done } = view;
  const live = schedules.some(({ status, nextRunAt }) => status === "running" || isDue(nextRunAt, frame));
  return {
    title: "Staying current",
    body: html`<nav class="crumbs" aria-label="Where this is"><a href="/dashboard/connections">Connections</a></nav>
<h1>Staying current</h1>
<p class="lead">What is read again by itself, and how fresh each connection is.</p>
${done === undefined ? "" : said(done)}
<section id="planned"${live ? raw(` data-live="${LIVE_MS}"`) : ""}><h2>Planned</h2>${
      schedules.length === 0
        ? html`<div class="empty"><h3>Nothing is read by itself yet</h3><p>${hasMachine ? "Have a folder watched, and every export you put there comes in. Disks and connectors" : "Connectors"} can be read on a schedule.</p></div>`
        : html`<ul class="holdings">${schedules.map((row) => schedule(row, frame))}</ul>`
    }</section>
<div class="columns">${hasMachine ? watchForm(frame) : ""}${readForm(view, frame)}</div>
${connections.length === 0 ? "" : html`<section><h2>How fresh it is</h2>${freshTable(view, frame)}</section>`}`,
    snippets: [curl(frame.origin, "/v1/schedules"), command("schedules", "--server", frame.origin)],
  };
}

const isDue = (nextRunAt: string | null, { now }: PageFrame): boolean =>
  nextRunAt !== null && Date.parse(nextRunAt) <= now;

const STATUS = { waiting: "", running: "good", paused: "warn" } as const;
const ENDED = {
  succeeded: "",
  failed: html`<span class="badge bad">Failed</span> `,
  cancelled: html`<span class="badge">Stopped</span> `,
};

function schedule(row: ScheduleRow, frame: PageFrame): Html {
  const { scheduleId, name, connectionId, status, nextRunAt, lastRun, failures } = row;
  const { times, csrf } = frame;
  const title =
    connectionId === undefined
      ? html`<bdi>${name}</bdi>`
      : html`<a href="${connectionAddress(connectionId)}"><bdi>${name}</bdi></a>`;
  const act = (what: string, label: string, kind = ""): Html =>
    html`<form method="post" action="${SCHEDULES}">${hidden({ csrf, do: what, id: scheduleId })}<button class="button small ${kind}">${label}<span class="visually-hidden"> ${name}</span></button></form>`;
  return html`<li class="card"><header class="row"><h3>${title}</h3><span class="badge ${STATUS[status]}">${status === "running" ? "Running" : status === "paused" ? "Paused" : "Planned"}</span><span class="end note">${whenWords(row)}</span></header>
${lastRun === null ? html`<p class="note">It has not run yet.</p>` : html`<p class="${lastRun.status === "failed" ? "" : "note"}">${ENDED[lastRun.status]}${times.ago(lastRun.endedAt)}${lastRun.message === undefined ? "" : html`: <bdi>${lastRun.message}</bdi>`}${failures > 1 ? ` · ${countOf(failures, "failure")} in a row, so it waits longer` : ""}</p>`}
<div class="row">${status === "running" ? html`<span class="waiting"><span class="pulse"></span>Reading…</span>` : act("run", "Run now")}${status === "paused" ? act("resume", "Resume") : act("pause", "Pause")}${act("remove", "Remove", "danger")}<span class="end note">${nextRunAt === null ? "" : html`next ${times.instant(nextRunAt)}`}</span></div></li>`;
}

function whenWords({ everySeconds, cron, timeZone }: ScheduleRow): string {
  if (everySeconds === undefined) return `cron ${cron}${timeZone === undefined ? "" : `, ${timeZone}`}`;
  const known = INTERVALS.find(([seconds]) => seconds === everySeconds);
  if (known !== undefined) return known[1];
  const minutes = Math.round(everySeconds / 60);
  return minutes % 60 === 0 ? `every ${minutes / 60} hours` : `every ${minutes} minutes`;
}

/** The same in both forms; `of` keeps their ids apart. */
const timing = (of: string): Html => html`<label>How often<select name="every">${INTERVALS.map(
  ([seconds, label]) => html`<option value="${seconds}"${seconds === USUAL ? raw(" selected") : ""}>${label}</option>`,
)}</select></label>
<details class="fold" id="cron-${of}"><summary class="button small">At a time of day</summary><div class="fold-body"><label>Cron expression, in your time zone<input type="text" name="cron" placeholder="0 6 * * *" maxlength="200" autocomplete="off" spellcheck="false"></label><p class="hint">Minute, hour, day, month, weekday. Filled in, it counts instead of the interval.</p></div></details>`;

function watchForm({ csrf }: PageFrame): Html {
  return html`<section class="card" aria-labelledby="watch"><h2 id="watch">Watch a folder</h2>
<p class="note">Whatever export is put there is imported, once. The folder is on the server’s machine.</p>
<form class="stack" method="post" action="${SCHEDULES}">${hidden({ csrf, do: "folder" })}
<label>Folder<input type="text" name="folder" placeholder="/home/nora/Exports" required maxlength="4096" autocomplete="off" spellcheck="false"></label>
${timing("folder")}<div><button class="button primary">Watch it</button></div></form></section>`;
}

function readForm({ hasMachine, connections, schedules }: SchedulesView, { csrf }: PageFrame): Html {
  const planned = new Set(schedules.map(({ connectionId }) => connectionId));
  const able = connections.filter(
    ({ connectionId, health }) => !planned.has(connectionId) && health.read_by !== "hand",
  );
  return html`<section class="card" aria-labelledby="read"><h2 id="read">Read a connection again</h2>
${
  able.length === 0
    ? html`<p class="note">${hasMachine ? "Disks and connectors" : "Connectors"} can be read on a schedule; there is none that is not planned.${hasMachine ? html` <a href="/dashboard/files">Add a disk</a>` : ""}</p>`
    : html`<p class="note">A disk is scanned again, a connector is run.</p>
<form class="stack" method="post" action="${SCHEDULES}">${hidden({ csrf, do: "connection" })}
<label>Connection<select name="connection_id">${able.map(({ connectionId, name }) => html`<option value="${connectionId}">${name}</option>`)}</select></label>
${timing("connection")}<div><button class="button primary">Read it by itself</button></div></form>`
}</section>`;
}

const FRESH = { current: ["Current", "good"], stale: ["Stale", "warn"], unknown: ["By hand", ""] } as const;

function freshTable({ connections }: SchedulesView, { times }: PageFrame): Html {
  return html`<div class="table-room listing" tabindex="0" role="region" aria-label="How fresh it is"><table>
<thead><tr><th scope="col">Connection</th><th scope="col">Fresh</th><th scope="col">Last compared</th><th scope="col">How it is</th></tr></thead>
<tbody>${connections.map(({ connectionId, name, freshness: { status, checked_at }, health: { words, next_step } }) => {
    const [label, kind] = FRESH[status];
    return html`<tr><td><a href="${connectionAddress(connectionId)}"><bdi>${name}</bdi></a></td><td><span class="badge ${kind}">${label}</span></td>
<td class="nowrap">${checked_at === null ? "–" : times.ago(checked_at)}</td><td>${words}${next_step === undefined ? "" : html`<p class="note">${withCode(next_step)}</p>`}</td></tr>`;
  })}</tbody></table></div>`;
}
