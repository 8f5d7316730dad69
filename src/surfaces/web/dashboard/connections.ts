// /dashboard/connections: each account, archive or disk that is connected, with what is in it.
import { html } from "hono/html";
import { countOf, formatNumber } from "../format.ts";
import type { Html } from "../layout.ts";
import { ownerPage, type PageContent, type PageFrame } from "../owner-page.ts";
import { command, curl, tool } from "../snippets.ts";
import { connectionAddress, streamAddress } from "./explore/addresses.ts";
import { type Holding, holdings, spanOfAll } from "./holdings.ts";
import { overviewOf } from "./overview.ts";
import { figures, type Overview, readsCard } from "./overview-view.ts";
import { SCHEDULES } from "./schedules-view.ts";
import { done, spanWords, wholeNumber } from "./words.ts";

/** Where the list is; one of it is below. */
export const CONNECTIONS = "/dashboard/connections";

interface ConnectionsView {
  connections: readonly Holding[];
  overview: Overview;
  /** How many records went with a connection that was just deleted. */
  deletedRecords?: number;
}

export const connectionsPage = ownerPage<ConnectionsView>({
  path: CONNECTIONS,
  under: "connections",
  async load(visit) {
    const deleted = visit.search.get("done") === "deleted" ? wholeNumber(visit.search.get("records")) : undefined;
    const connections = await holdings(visit);
    return {
      connections,
      overview: await overviewOf(visit, connections),
      ...(deleted === undefined ? {} : { deletedRecords: deleted }),
    };
  },
  show: showConnections,
});

function showConnections({ connections, overview, deletedRecords }: ConnectionsView, frame: PageFrame): PageContent {
  const { origin } = frame;
  return {
    title: "Connections",
    body: html`<div class="page-head"><div><h1>Connections</h1>
${connections.length === 0 ? "" : summary(connections, frame)}</div>
${connections.length === 0 ? "" : html`<div class="row"><a class="button" href="${SCHEDULES}">Staying current</a><a class="button primary" href="/dashboard/import">Import data</a></div>`}</div>
${deletedRecords === undefined ? "" : done(`Deleted. ${countOf(deletedRecords, "record")} went with the connection.`)}
${
  connections.length === 0
    ? nothingYet()
    : html`${figures(overview, connections.length, frame)}<ul class="holdings">${connections.map((one) => holding(one, frame))}</ul><div class="columns">${readsCard(overview, frame)}</div>`
}`,
    snippets: [curl(origin, "/v1/connections"), command("schema", "--server", origin), tool("schema", {})],
  };
}

function summary(connections: readonly Holding[], { times }: PageFrame): Html {
  const records = connections.reduce((sum, one) => sum + one.records, 0);
  const span = spanWords(spanOfAll(connections), times);
  return html`<p class="lead">${countOf(records, "record")} in ${countOf(connections.length, "connection")}${span === undefined ? "" : `, ${span}`}.</p>`;
}

const nothingYet = (): Html => html`<div class="empty"><h2>Nothing is connected yet</h2>
<p>Bring in an export of your mail, chats, notes, calendar or bank. Each account becomes a connection, and shows here what is in it.</p>
<p><a class="button primary" href="/dashboard/import">Import data</a></p></div>`;

function holding(one: Holding, { times }: PageFrame): Html {
  const { connectionId, name, source, records, streams, updatedAt } = one;
  const span = spanWords(one, times);
  return html`<li class="card">
<header class="row"><h2><a href="${connectionAddress(connectionId)}"><bdi>${name}</bdi></a></h2>${source === name ? "" : html`<span class="note"><bdi>${source}</bdi></span>`}<span class="end number">${countOf(records, "record")}</span></header>
<div class="row"><ul class="pills">${streams.map(
    (stream) =>
      html`<li><a href="${streamAddress({ connection_id: connectionId, stream: stream.name })}"><bdi>${stream.label}</bdi> <span class="number">${formatNumber(stream.records)}</span></a></li>`,
  )}</ul><p class="note end">${span === undefined ? "" : `${span} · `}${updatedAt === null ? "empty" : html`updated ${times.ago(updatedAt)}`}</p></div></li>`;
}
