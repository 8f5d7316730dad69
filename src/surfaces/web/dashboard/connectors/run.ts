// /dashboard/runs/{id}: one connector run, with its progress, its question, its report and the end of its log.
import { html, raw } from "hono/html";
import type { CollectLog, CollectRun } from "../../../../contract/collect.ts";
import { formatNumber } from "../../format.ts";
import { type Html, hidden } from "../../layout.ts";
import { ownerPage, type PageContent, type PageFrame } from "../../owner-page.ts";
import { command, curl } from "../../snippets.ts";
import { CONNECTIONS, connectionAddress } from "../explore/addresses.ts";
import { holdings } from "../holdings.ts";
import { connectorAddress, runAddress } from "./addresses.ts";
import { ANSWER, countWords, isOpen, questionForm, statusBadge } from "./words.ts";

interface RunView {
  run: CollectRun;
  name: string;
  log: Pick<CollectLog, "text" | "truncated">;
}

export const runPage = ownerPage<RunView>({
  path: "/dashboard/runs/{id}",
  under: "connections",
  async load(visit) {
    const id = visit.params.id!;
    const [run, { text, truncated }] = await Promise.all([
      visit.look("collectRun", { id }),
      visit.look("collectLog", { id }),
    ]);
    const [holding] = await holdings(visit, run.connection_id);
    return { run, name: holding?.name ?? run.connection_id, log: { text, truncated } };
  },
  show: showRun,
  async post({ params, act }, form) {
    const id = params.id!;
    if (form.get("do") === "cancel") await act("cancelCollect", { id });
    else {
      const request_id = form.get("request_id") ?? "";
      const given = [...form].filter(([name]) => name.startsWith(ANSWER));
      const values = Object.fromEntries(given.map(([name, value]) => [name.slice(ANSWER.length), value]));
      const refuse = form.get("refuse") === "yes" ? { refuse: true as const } : { values };
      const remember = form.get("remember") === "yes" ? { remember: true } : {};
      await act("answerCollect", { id, request_id, ...refuse, ...remember });
    }
    return runAddress(id);
  },
});

function showRun({ run, name, log }: RunView, frame: PageFrame): PageContent {
  const { run_id, connection_id, started_at, ended_at, mode, reason, connector, progress, error } = run;
  const { times, origin } = frame;
  const facts: [string, string | Html][] = [
    ["Started", times.instant(started_at)],
    ["Ended", ended_at === undefined ? "not yet" : times.instant(ended_at)],
    ["Connector", html`<code>${connector}</code>`],
    [
      "Trigger",
      `${reason === "schedule" ? "on schedule" : "by hand"}${mode === "full_refresh" ? ", full refresh" : ""}`,
    ],
    ["Records", countWords(run)],
    ["Cursors stored", run.states.length === 0 ? "none" : run.states.join(", ")],
  ];
  const live = isOpen(run) && run.question === undefined;
  return {
    title: `Run of ${name}`,
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${CONNECTIONS}">Connections</a> <span aria-hidden="true">›</span> <a href="${connectionAddress(connection_id)}"><bdi>${name}</bdi></a> <span aria-hidden="true">›</span> <a href="${connectorAddress(connection_id)}">Connector</a></nav>
<h1>Run of <bdi>${name}</bdi></h1>
${questionForm(run, frame)}
<section id="run"${live ? raw(' data-live="1000"') : ""} aria-label="Result"><p class="row">${statusBadge(run)} ${isOpen(run) ? html`<form class="end" method="post" action="${runAddress(run_id)}">${hidden({ csrf: frame.csrf, do: "cancel" })}<button class="button danger">Stop it</button></form>` : ""}</p>
${error === undefined ? "" : html`<div class="alert" role="alert"><p>${error.message}</p></div>`}
${progress === undefined || !isOpen(run) ? "" : html`<p role="status"><bdi>${progress.message}</bdi>${progress.total === undefined || progress.count === undefined ? "" : html` (${formatNumber(progress.count)} of ${formatNumber(progress.total)})`}</p>`}
${live ? html`<p class="note"><a href="${runAddress(run_id)}">Refresh</a></p>` : ""}
<dl class="facts card">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl></section>
${streamTable(run)}
${noteList("Skipped", run.report.skipped)}
${noteList("Gaps", run.report.gaps)}
${noteList("Covered", run.report.coverage)}
${noteList(
  "Remarks",
  run.report.remarks.map((text) => ({ text })),
)}
${noteList(
  "Rejected records",
  run.rejections.map(({ line, stream, message }) => ({ stream, text: `line ${line}: ${message}` })),
)}
<section><h2>Log</h2>${logText(log)}</section>`,
    snippets: [
      curl(origin, `/v1/runs/${encodeURIComponent(run_id)}`),
      command("connectors", "logs", run_id, "--server", origin),
    ],
  };
}

function streamTable({ streams }: CollectRun): Html | "" {
  const rows = Object.entries(streams);
  if (rows.length === 0) return "";
  const columns = ["received", "created", "changed", "unchanged", "deleted", "rejected"] as const;
  const titles = ["Received", "New", "Changed", "Unchanged", "Deleted", "Rejected"];
  return html`<section><h2>Streams</h2><div class="table-room" tabindex="0" role="region" aria-label="Streams"><table>
<thead><tr><th scope="col">Stream</th>${titles.map((title) => html`<th scope="col" class="number">${title}</th>`)}</tr></thead>
<tbody>${rows.map(([name, counts]) => html`<tr><th scope="row"><bdi>${name}</bdi></th>${columns.map((column) => html`<td class="number">${formatNumber(counts[column])}</td>`)}</tr>`)}</tbody></table></div></section>`;
}

function noteList(title: string, list: readonly { stream?: string; text: string }[]): Html | "" {
  if (list.length === 0) return "";
  return html`<section><h2>${title}</h2><ul class="list">${list.map(({ stream, text }) => html`<li>${stream === undefined ? "" : html`<code>${stream}</code> `}<bdi>${text}</bdi></li>`)}</ul></section>`;
}

function logText({ text, truncated }: RunView["log"]): Html {
  if (text === "") return html`<p class="note">The log is empty.</p>`;
  return html`${truncated ? html`<p class="note">Only the end of the log was kept.</p>` : ""}<pre class="log" tabindex="0" aria-label="Log">${text}</pre>`;
}
