// The activity page: a table that updates while it is open, with filters above and the state of the chain below.
import { html, raw } from "hono/html";
import { countOf, formatNumber } from "../format.ts";
import { attribute, type Html, hidden } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { command, curl } from "../snippets.ts";
import { ACTION_CHOICES } from "./action-words.ts";
import type { ActivityFilter, ActivityView } from "./activity.ts";
import { ACTIVITY, activityAddress } from "./activity-address.ts";
import { lineTable } from "./activity-line.ts";

export function showActivity(view: ActivityView, frame: PageFrame): PageContent {
  const { filter, before } = view;
  const live = before === undefined && filter.until === undefined;
  return {
    title: "Activity",
    body: html`<div class="page-head"><div><h1>Activity</h1>
<p class="lead">Every read by every app, and every change you make. Each line is written before the app gets the data.</p></div>
${live ? html`<p class="waiting scripted"><span class="pulse"></span> Live</p>` : html`<a href="${activityAddress({ ...filter, until: undefined })}">Newest</a>`}</div>
${tabs(view.filter)}
${filterForm(view)}
<div id="log"${live ? raw(' data-live="2000"') : ""}>${log(view, frame)}</div>
${chain(view, frame)}`,
    snippets: [
      curl(frame.origin, `/v1/activity?${new URLSearchParams(view.asked as Record<string, string>)}`),
      command("activity", ...Object.entries(view.asked).flatMap(flag), "--server", frame.origin),
    ],
  };
}

/** Filters in command-line notation. */
const flag = ([name, value]: [string, string | number]): string[] => [
  `--${{ actor: "by" }[name] ?? name.replace(/_id$/, "")}`,
  String(value),
];

function log({ lines, filter, before, nextBefore }: ActivityView, frame: PageFrame): Html {
  const filtered = Object.keys(filter).length > 0;
  const next = { ...filter, before: nextBefore === undefined ? undefined : String(nextBefore) };
  const more = (label: string): Html | "" =>
    nextBefore === undefined
      ? ""
      : html`<p class="pager"><a class="button" rel="next" href="${activityAddress(next)}">${label}</a></p>`;
  if (lines.length > 0) return html`${lineTable(lines, frame, "Activity log")}${more("Earlier")}`;
  if (nextBefore !== undefined)
    return html`<p class="note">No matches from line ${formatNumber(nextBefore)} onwards.</p>${more("Search further back")}`;
  if (filtered || before !== undefined)
    return html`<div class="empty"><h2>No matches</h2><p><a href="${ACTIVITY}">Show everything</a></p></div>`;
  return html`<div class="empty"><h2>No activity yet</h2><p>When an app reads your data, you see it here within a second.</p><p><a class="button primary" href="/dashboard/connect">Connect an AI app</a></p></div>`;
}

/** The most common questions, one click away. */
function tabs(filter: ActivityFilter): Html {
  const choices: [string, ActivityFilter][] = [
    ["Everything", {}],
    ["By apps", { who: "app" }],
    ["Denied", { who: "app", outcome: "denied" }],
    ["By you", { who: "owner" }],
  ];
  const here = activityAddress({ ...filter });
  return html`<div class="tabs"><nav class="pick" aria-label="Which lines">${choices.map(([label, of]) => {
    const href = activityAddress({ ...of });
    return html`<a href="${href}"${href === here ? raw(' aria-current="page"') : ""}>${label}</a>`;
  })}</nav></div>`;
}

function filterForm({ filter, choices }: ActivityView): Html {
  const { grant_id, ...visible } = filter;
  const apps = choices.apps.map(({ clientId, name }): [string, string] => [clientId, name]);
  return html`<details class="fold filters"${attribute(
    "open",
    Object.keys(filter).some((name) => name !== "who" && name !== "outcome"),
  )}><summary class="button small">Filter${Object.keys(filter).length === 0 ? "" : ` (${Object.keys(filter).length})`}</summary>
<form class="fold-body" method="get" action="${ACTIVITY}">${grant_id === undefined ? "" : hidden({ grant_id })}
<div class="filter-grid">
${select("who", "Who", visible.who, "Everyone", [["app", "Any app"], ["owner", "You"], ...apps])}
${select(
  "connection_id",
  "Connection",
  visible.connection_id,
  "Any",
  choices.connections.map(({ connectionId, name }) => [connectionId, name]),
)}
${select(
  "stream",
  "Stream",
  visible.stream,
  "Any",
  choices.streams.map((name) => [name, name]),
)}
${select("action", "Action", visible.action, "Any", ACTION_CHOICES)}
${select("outcome", "Result", visible.outcome, "Any", [
  ["ok", "Answered"],
  ["denied", "Denied"],
])}
<label>From<input type="date" name="since" value="${visible.since ?? ""}"></label>
<label>To<input type="date" name="until" value="${visible.until ?? ""}"></label>
<label>Request id<input type="text" name="request_id" value="${visible.request_id ?? ""}" autocomplete="off" spellcheck="false"></label>
</div>
<p class="row"><button class="button primary">Show</button>${Object.keys(filter).length === 0 ? "" : html`<a href="${ACTIVITY}">Clear</a>`}${grant_id === undefined ? "" : html`<span class="note">under <code>${grant_id}</code> only</span>`}</p>
</form></details>`;
}

/** A value in the address that is not in the list is kept as an option, because the page applies it. */
function select(
  name: keyof ActivityFilter,
  label: string,
  value: string | undefined,
  any: string,
  choices: readonly (readonly [value: string, label: string])[],
): Html {
  const known = value === undefined || choices.some(([choice]) => choice === value);
  const all = known ? choices : [...choices, [value, value] as const];
  return html`<label>${label}<select name="${name}"><option value="">${any}</option>${all.map(
    ([choice, words]) => html`<option value="${choice}"${choice === value ? raw(" selected") : ""}>${words}</option>`,
  )}</select></label>`;
}

function chain({ check, filter, before }: ActivityView, { csrf, times }: PageFrame): Html {
  const running = check !== undefined && check.endedAt === undefined;
  const here = activityAddress({ ...filter, before: before === undefined ? undefined : String(before) });
  return html`<section id="chain" class="card"${running ? raw(' data-live="1000"') : ""} aria-label="Is the log intact?"><header class="row"><h2>Is the log intact?</h2>
<form class="end" method="post" action="${here}">${hidden({ csrf })}<button class="button"${attribute("disabled", running)}>${check === undefined ? "Check" : "Check again"}</button></form></header>
<p class="note">Each line is chained to the one before it with this server’s secret key. A changed or missing line is detected.</p>
${running ? html`<p role="status">Checking since ${times.instant(check.startedAt)}. <a href="${here}#chain">Refresh</a></p><progress aria-label="Checking the log"></progress>` : check === undefined ? "" : verdict(check, times.ago(check.endedAt!))}
</section>`;
}

function verdict({ result, failed }: NonNullable<ActivityView["check"]>, when: Html): Html {
  if (result === undefined) return html`<p class="alert" role="alert">${failed}</p>`;
  const { intact, entries, gaps, broken_at, reason } = result;
  return intact
    ? html`<p class="alert good" role="status">Intact: ${countOf(entries, "line")}, each chained to the one before.${gaps === undefined ? "" : html` <a href="${activityAddress({ action: "uncleanStop" })}">${countOf(gaps, "line")}</a> ${gaps === 1 ? "says" : "say"} that calls may be missing because a server ended unexpectedly.`} Checked ${when}.</p>`
    : html`<p class="alert" role="alert">Broken at line ${formatNumber(broken_at!)}: ${reason}. The ${countOf(entries, "line")} before it ${entries === 1 ? "is" : "are"} intact. Either someone changed the file or the disk is failing. Keep a copy of the data folder, and compare it with a backup. Checked ${when}.</p>`;
}
