// How the overview looks: four numbers, what wants attention, sources beside the latest reads. Empty, it leads on.
import { html } from "hono/html";
import { cleanDisplayName } from "../../../core/display-name.ts";
import { copyable } from "../copyable.ts";
import { countOf, formatNumber } from "../format.ts";
import type { Html } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { command, curl, tool } from "../snippets.ts";
import { actionWords } from "./action-words.ts";

export interface Attention {
  text: string;
  action: string;
  href: string;
}

export interface OverviewView {
  records: number;
  updatedAt: string | null;
  since?: string;
  until?: string;
  connections: readonly {
    connectionId: string;
    connectorKey: string;
    source: string;
    name: string;
    records: number;
    updatedAt: string | null;
    since?: string;
    until?: string;
  }[];
  /** That may read now. */
  apps: number;
  /** The latest by apps, newest first. */
  reads: readonly {
    requestId: string;
    at: string;
    app: string;
    action: string;
    /** "messages of Personal mail" */
    from: readonly string[];
    records: number;
    denied: boolean;
  }[];
  running: readonly {
    importId: string;
    name: string;
    status: string;
    bytes: number;
    totalBytes: number;
    records: number;
  }[];
  attention: readonly Attention[];
}

/** Streams named of one read. */
const FROM_SHOWN = 2;

export function showOverview(view: OverviewView, frame: PageFrame): PageContent {
  if (view.connections.length === 0 && view.running.length === 0) return { title: "Overview", body: nothingYet() };
  const { origin, times } = frame;
  return {
    title: "Overview",
    body: html`<h1>What is here</h1>
${figures(view, frame)}
${view.attention.length === 0 ? "" : attention(view.attention)}
${running(view)}
<div class="columns">
<section class="card"><header class="row"><h2>Sources</h2><a class="end" href="/dashboard/connections">All connections</a></header>
<ul class="list">${view.connections.map(
      ({
        connectionId,
        source,
        name,
        records,
        updatedAt,
        since,
        until,
      }) => html`<li class="row"><div><a href="/dashboard/connections/${encodeURIComponent(connectionId)}"><bdi>${name}</bdi></a>
<p class="note">${source === name ? "" : html`<bdi>${source}</bdi>`}${source === name || since === undefined ? "" : " · "}${since === undefined || until === undefined ? "" : times.span(since, until)}</p></div>
<div class="end number"><p>${formatNumber(records)}</p><p class="note">${updatedAt === null ? "empty" : times.ago(updatedAt)}</p></div></li>`,
    )}</ul></section>
<section class="card" aria-label="Read by apps"><header class="row"><h2>Read by apps</h2><a class="end" href="/dashboard/activity">All activity</a></header>
<div id="reads" data-live="5000">${reads(view, frame)}</div></section>
</div>`,
    snippets: [curl(origin, "/v1/streams"), command("schema", "--server", origin), tool("schema", {})],
  };
}

function figures({ records, connections, apps, since, until, updatedAt }: OverviewView, { times }: PageFrame): Html {
  const tiles: [string, string | Html][] = [
    ["Records", formatNumber(records)],
    ["Connections", formatNumber(connections.length)],
    ["Apps that may read", formatNumber(apps)],
    ["Last update", updatedAt === null ? "never" : times.ago(updatedAt)],
  ];
  return html`${since === undefined || until === undefined ? "" : html`<p class="lead">${times.span(since, until)}</p>`}
<dl class="tiles">${tiles.map(([label, value]) => html`<div class="card tile"><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function attention(found: readonly Attention[]): Html {
  return html`<section class="card" aria-label="Wants attention"><h2>Wants attention</h2>
<ul class="list">${found.map(({ text, action, href }) => html`<li class="row"><span><bdi>${text}</bdi></span><a class="end" href="${href}">${action}</a></li>`)}</ul></section>`;
}

function running({ running: jobs }: OverviewView): Html | "" {
  if (jobs.length === 0) return "";
  return html`<section id="running" class="card" data-live="1500" aria-label="Running"><h2>Running</h2>
<ul class="list">${jobs.map(
    ({
      importId,
      name,
      bytes,
      totalBytes,
      records,
    }) => html`<li><div class="row"><a href="/dashboard/import/${encodeURIComponent(importId)}"><bdi>${name}</bdi></a><span class="end number">${countOf(records, "record")}</span></div>
<progress value="${bytes}" max="${Math.max(1, totalBytes)}" aria-label="How far ${name} is"></progress></li>`,
  )}</ul></section>`;
}

function reads({ reads: calls, apps }: OverviewView, { times }: PageFrame): Html {
  if (calls.length === 0)
    return html`<p class="note">${apps === 0 ? html`No app may read anything yet. <a href="/dashboard/connect">Connect one</a>.` : "No app has read anything yet."}</p>`;
  return html`<ul class="list">${calls.map(
    ({
      requestId,
      at,
      app,
      action,
      from,
      records,
      denied,
    }) => html`<li class="row"><div><a href="/dashboard/activity/${encodeURIComponent(requestId)}"><bdi>${cleanDisplayName(app)}</bdi></a>
<p class="note"><bdi>${actionWords(action)}${from.length === 0 ? "" : ` · ${from.slice(0, FROM_SHOWN).join(", ")}`}${from.length > FROM_SHOWN ? ` and ${from.length - FROM_SHOWN} more` : ""}</bdi></p></div>
<div class="end number note"><p>${denied ? html`<span class="badge warn">denied</span>` : records === 0 ? "" : countOf(records, "record")}</p><p>${times.ago(at)}</p></div></li>`,
  )}</ul>`;
}

function nothingYet(): Html {
  return html`<h1>Your data, behind one small gate</h1>
<p class="lead">Bring in what is yours. Then let an AI app read exactly what you choose, see what it read, and take it back at any time.</p>
<div class="columns even">
<section class="card stack"><h2>1. Bring data in</h2><p>Mail, chats, notes, calendars, bank statements, photos: drop the export you downloaded, and see what is in it before anything happens.</p><p><a class="button primary" href="/dashboard/import">Import files</a></p></section>
<section class="card stack"><h2>2. Connect an AI app</h2><p>Claude, ChatGPT, Codex or any other. You choose what it may read on a page of this server.</p><p><a class="button" href="/dashboard/connect">Connect an AI app</a></p></section>
<section class="card stack"><h2>Only looking?</h2><p>Start a server with the made-up life of Nora Keane, in a home of its own:</p>${copyable("pdpp serve --demo --home ./demo", "demo")}</section>
</div>`;
}
