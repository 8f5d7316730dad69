// /dashboard/connections: each connected account, archive or disk, with its content.
import { html, raw } from "hono/html";
import { countOf, formatNumber } from "../format.ts";
import type { Html } from "../layout.ts";
import { ownerPage, type PageContent, type PageFrame } from "../owner-page.ts";
import { command, curl, tool } from "../snippets.ts";
import { ADD } from "./add/choices.ts";
import { isBusy, type LiveStatus, liveStatuses, runWords, scheduleWords } from "./connectors/live-status.ts";
import { CONNECTIONS, connectionAddress, streamAddress } from "./explore/addresses.ts";
import { type Holding, holdings } from "./holdings.ts";
import { overviewOf } from "./overview.ts";
import { figures, type Overview, readsCard } from "./overview-view.ts";
import { SCHEDULES } from "./schedules-view.ts";
import { done, spanWords, wholeNumber } from "./words.ts";

interface ConnectionsView {
  connections: readonly Holding[];
  /** Statuses of connections that have a connector. */
  statuses: Readonly<Record<string, LiveStatus>>;
  overview: Overview;
  /** The number of records just deleted with a connection. */
  deletedRecords?: number;
}

export const connectionsPage = ownerPage<ConnectionsView>({
  path: CONNECTIONS,
  under: "connections",
  async load(visit) {
    const deleted = visit.search.get("done") === "deleted" ? wholeNumber(visit.search.get("records")) : undefined;
    const [connections, statuses] = await Promise.all([holdings(visit), liveStatuses(visit)]);
    return {
      connections,
      statuses: Object.fromEntries(statuses),
      overview: await overviewOf(visit, connections),
      ...(deleted === undefined ? {} : { deletedRecords: deleted }),
    };
  },
  show: showConnections,
});

const LIVE_MS = 2000;

function showConnections(view: ConnectionsView, frame: PageFrame): PageContent {
  const { connections, statuses, overview, deletedRecords } = view;
  const live = Object.values(statuses).some((status) => isBusy(status, frame));
  const { origin } = frame;
  return {
    title: "Connections",
    body: html`<div class="page-head"><div><h1>Connections</h1>
${connections.length === 0 ? "" : summary(overview, connections.length, frame)}</div>
${connections.length === 0 ? "" : html`<div class="row"><a class="button" href="${SCHEDULES}">Schedules</a><a class="button primary" href="${ADD}">Add a source</a></div>`}</div>
${deletedRecords === undefined ? "" : done(`Deleted the connection with ${countOf(deletedRecords, "record")}.`)}
${
  connections.length === 0
    ? nothingYet()
    : html`${figures(overview, connections.length, frame)}<ul class="holdings" id="connections"${live ? raw(` data-live="${LIVE_MS}"`) : ""}>${connections.map((one) => holding(one, statuses[one.connectionId], frame))}</ul><div class="columns">${readsCard(overview, frame)}</div>`
}`,
    snippets: [curl(origin, "/v1/connections"), command("schema", "--server", origin), tool("schema", {})],
  };
}

/** An indexed disk has more files than all other connections have records, so files have a separate total. */
function summary(overview: Overview, connections: number, { times }: PageFrame): Html {
  const { records, files } = overview;
  const span = spanWords(overview, times);
  const beside = files === undefined ? "" : ` Not counted: ${countOf(files, "file")} on your disks.`;
  return html`<p class="lead">${countOf(records, "record")} in ${countOf(connections, "connection")}${span === undefined ? "" : `, ${span}`}.${beside}</p>`;
}

const nothingYet = (): Html => html`<div class="empty"><h2>Nothing is connected yet</h2>
<p>Import an export of your mail, chats, notes, calendar or bank statements, or connect an account and keep it up to date. Each one becomes a connection, which is listed here with its contents.</p>
<p><a class="button primary" href="${ADD}">Add a source</a></p></div>`;

function holding(one: Holding, status: LiveStatus | undefined, frame: PageFrame): Html {
  const { times } = frame;
  const { connectionId, name, source, records, streams, updatedAt } = one;
  const span = spanWords(one, times);
  return html`<li class="card">
<header class="row"><h2><a href="${connectionAddress(connectionId)}"><bdi>${name}</bdi></a></h2>${source === name ? "" : html`<span class="note"><bdi>${source}</bdi></span>`}<span class="end number">${countOf(records, "record")}</span></header>
<div class="row"><ul class="pills">${streams.map(
    (stream) =>
      html`<li><a href="${streamAddress({ connection_id: connectionId, stream: stream.name })}"><bdi>${stream.label}</bdi> <span class="number">${formatNumber(stream.records)}</span></a></li>`,
  )}</ul><p class="note end">${span === undefined ? "" : `${span} · `}${updatedAt === null ? "empty" : html`updated ${times.ago(updatedAt)}`}</p></div>
${status === undefined ? "" : html`<p class="note">${runWords(status, frame)} · ${scheduleWords(status, frame)}</p>`}</li>`;
}
