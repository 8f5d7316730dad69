// The page of one connection: streams, imports, apps that read it, its name, and deletion.

import { html, raw } from "hono/html";
import type { ConnectorSetup } from "../../../contract/collect.ts";
import type { Schedule } from "../../../contract/schedule.ts";
import { countOf, formatNumber } from "../format.ts";
import { type Html, hidden } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { clientBadge, clientWords, type NamedClient } from "../pages/client-identity.ts";
import { command, curl, tool } from "../snippets.ts";
import { APPS, appAddress } from "./app-grants.ts";
import { connectorSection, followsRun } from "./connectors/section.ts";
import { connectionAddress, streamAddress } from "./explore/addresses.ts";
import type { Holding } from "./holdings.ts";
import { IMPORT } from "./import-address.ts";
import { type ImportRow, importTable } from "./import-row.ts";
import { done, spanWords } from "./words.ts";

export interface ConnectionReader {
  clientId: string;
  client: NamedClient;
}

export interface ConnectionView extends Holding {
  /** Apps with an active grant on the connection. */
  apps: readonly ConnectionReader[];
  /** Newest first. */
  imports: readonly ImportRow[];
  /** The connection's connector, if it has one. */
  setup?: ConnectorSetup;
  schedules: readonly Schedule[];
  done?: string;
}

/** The refresh interval while the connector runs. */
const LIVE_MS = 1500;

export function showConnection(view: ConnectionView, frame: PageFrame): PageContent {
  const { connectionId, name, source, records, streams, updatedAt, imports } = view;
  const { origin, times, failed } = frame;
  const tiles: [string, string | Html][] = [
    ["Records", formatNumber(records)],
    ["Streams", formatNumber(streams.length)],
    ["Last update", updatedAt === null ? "never" : times.ago(updatedAt)],
  ];
  const isLive = view.setup !== undefined && followsRun(view.setup, view.schedules, frame);
  const [first] = streams.toSorted((one, other) => other.records - one.records);
  const query = `/v1/streams?connection_id=${encodeURIComponent(connectionId)}`;
  return {
    title: name,
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/dashboard/connections">Connections</a></nav>
<h1><bdi>${name}</bdi></h1>
<div class="live" id="live"${isLive ? raw(` data-live="${LIVE_MS}"`) : ""}><p class="lead">${source === name ? "" : html`<bdi>${source}</bdi> · `}${spanWords(view, times) ?? (records === 0 ? "empty" : "without dates")}</p>
${view.done === undefined ? "" : done(view.done, frame.undo)}
${view.setup === undefined ? "" : connectorSection(view.setup, view.schedules, frame)}
<dl class="tiles">${tiles.map(([label, value]) => html`<div class="card tile"><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
<section><h2>Streams</h2>${streamTable(view, frame)}</section></div>
${
  imports.length === 0 && view.setup !== undefined
    ? ""
    : html`<section><h2>Imports</h2>${
        imports.length === 0
          ? html`<p class="note">No imports from files. <a href="${IMPORT}">Import files</a></p>`
          : importTable(imports, times, { connections: false })
      }</section>`
}
<div class="columns">
<section class="card" aria-labelledby="readers"><h2 id="readers">Apps with access</h2>${readers(view)}</section>
<section class="card" aria-labelledby="rename"><h2 id="rename">Name</h2>
<form class="stack" method="post" action="${connectionAddress(connectionId)}">${hidden({ csrf: frame.csrf })}
<label>Name of the connection<input type="text" name="name" value="${name}" required maxlength="200" autocomplete="off"${failed === undefined ? "" : html` autofocus`}></label>
<div><button class="button">Rename</button></div></form></section>
<section class="card" aria-labelledby="facts"><h2 id="facts">For apps and scripts</h2>
<dl class="facts"><div><dt>connection_id</dt><dd><code>${connectionId}</code></dd></div>
<div><dt>connector_key</dt><dd><code>${view.connectorKey}</code></dd></div>
<div><dt>Connected</dt><dd>${times.instant(view.createdAt)}</dd></div></dl></section>
<section class="card" aria-labelledby="delete"><h2 id="delete">Delete</h2>
<p class="note">Removes ${countOf(records, "record")} from this server, with everything attached. You will first see what will be deleted.</p>
<p><a class="button danger" href="${connectionAddress(connectionId)}/delete">Delete…</a></p></section>
</div>`,
    snippets: [
      curl(origin, query),
      ...(first === undefined
        ? []
        : [
            command("query", first.name, "--connection", connectionId, "--server", origin),
            tool("query_records", { stream: first.name, connection_id: connectionId }),
          ]),
    ],
  };
}

function streamTable({ connectionId, streams }: ConnectionView, { times }: PageFrame): Html {
  return html`<div class="table-room listing" tabindex="0" role="region" aria-label="Streams"><table>
<thead><tr><th scope="col">Stream</th><th scope="col" class="number">Records</th><th scope="col">From</th><th scope="col">To</th><th scope="col">Last update</th></tr></thead>
<tbody>${streams.map(
    ({ name, label, records, since, until, updatedAt }) => html`<tr>
<td><a href="${streamAddress({ connection_id: connectionId, stream: name })}"><bdi>${label}</bdi></a>${label === name ? "" : html` <code>${name}</code>`}</td>
<td class="number">${formatNumber(records)}</td>
${[since, until].map((at) => html`<td class="nowrap">${at === undefined ? "–" : times.day(at)}</td>`)}
<td class="nowrap">${updatedAt === null ? "never" : times.ago(updatedAt)}</td></tr>`,
  )}</tbody></table></div>`;
}

function readers({ apps }: ConnectionView): Html {
  if (apps.length === 0)
    return html`<p class="note">No app can read this. <a href="/dashboard/connect">Connect an AI app</a></p>`;
  return html`<ul class="list">${apps.map(({ clientId, client }) => html`<li class="row"><a href="${appAddress(clientId)}"><bdi>${clientWords(client)}</bdi></a> ${clientBadge(client)}</li>`)}</ul>
<p><a href="${APPS}">What each app may read, and how to revoke its access</a></p>`;
}
