// Four figures, running imports and the latest reads by apps, or next steps for an empty home.
import { html } from "hono/html";
import { cleanDisplayName } from "../../../core/display-name.ts";
import { copyable } from "../copyable.ts";
import { countOf, formatNumber } from "../format.ts";
import type { Html } from "../layout.ts";
import type { PageFrame } from "../owner-page.ts";
import { actionWords } from "./action-words.ts";

export interface Attention {
  text: string;
  action: string;
  href: string;
}

export interface RunningImport {
  importId: string;
  name: string;
  status: string;
  bytes: number;
  totalBytes: number;
  records: number;
}

export interface Notices {
  attention: readonly Attention[];
  running: readonly RunningImport[];
}

export interface Overview {
  records: number;
  /** Files on indexed disks, which `records` does not count. */
  files?: number;
  updatedAt: string | null;
  since?: string;
  until?: string;
  /** The number of apps that can currently read. */
  apps: number;
  /** The latest reads by apps, newest first. */
  reads: readonly {
    requestId: string;
    at: string;
    app: string;
    action: string;
    /** Such as "messages of Personal mail". */
    from: readonly string[];
    records: number;
    denied: boolean;
  }[];
}

/** The number of streams listed for one read. */
const FROM_SHOWN = 2;

export function figures({ records, apps, updatedAt }: Overview, connections: number, { times }: PageFrame): Html {
  const tiles: [string, string | Html][] = [
    ["Records", formatNumber(records)],
    ["Connections", formatNumber(connections)],
    ["Apps with access", formatNumber(apps)],
    ["Last update", updatedAt === null ? "never" : times.ago(updatedAt)],
  ];
  return html`<dl class="tiles">${tiles.map(([label, value]) => html`<div class="card tile"><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export const readsCard = (overview: Overview, frame: PageFrame): Html =>
  html`<section class="card" aria-label="Read by apps"><header class="row"><h2>Read by apps</h2><a class="end" href="/dashboard/activity">All activity</a></header>
<div id="reads" data-live="5000">${reads(overview, frame)}</div></section>`;

export function runningList(jobs: readonly RunningImport[]): Html | "" {
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
<progress value="${bytes}" max="${Math.max(1, totalBytes)}" aria-label="Progress of ${name}"></progress></li>`,
  )}</ul></section>`;
}

function reads({ reads: calls, apps }: Overview, { times }: PageFrame): Html {
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

export function nothingYet(): Html {
  return html`<h1>Your data, behind one small gate</h1>
<p class="lead">Import your data. Then let an AI app read exactly what you choose, see what it read, and revoke its access at any time.</p>
<div class="columns even">
<section class="card stack"><h2>1. Import your data</h2><p>Mail, chats, notes, calendars, bank statements, photos: drop the export you downloaded, and see what is in it before anything happens.</p><p><a class="button primary" href="/dashboard/import">Import files</a></p></section>
<section class="card stack"><h2>2. Connect an AI app</h2><p>Claude, ChatGPT, Codex or any other. You choose what it may read, on a page that this server shows you.</p><p><a class="button" href="/dashboard/connect">Connect an AI app</a></p></section>
<section class="card stack"><h2>Just looking?</h2><p>Start a server with made-up data about a person called Nora Keane, in a separate folder:</p>${copyable("pdpp serve --demo --home ./demo", "demo")}</section>
</div>`;
}
