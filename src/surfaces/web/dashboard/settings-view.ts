// The settings page: one card for each subject, with its current state and what can be changed.
import { html, raw } from "hono/html";
import { formatBytes } from "../../../core/format-bytes.ts";
import { quote } from "../../../core/shell-quote.ts";
import type { KeptBackup } from "../../../engine/backup/kept-backups.ts";
import type { PlannedBackups } from "../../../engine/housekeeping.ts";
import { copyable } from "../copyable.ts";
import { countOf } from "../format.ts";
import { attribute, type Html, hidden, withCode } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { commandAt } from "../snippets.ts";
import { browserWords } from "./browser-words.ts";
import { EVENTS_PAGE } from "./events/subscription-words.ts";
import { LICENCES } from "./licences.ts";
import { SIGN_IN_SETTINGS } from "./second-factor-view.ts";
import type { SettingsView } from "./settings.ts";
import { appearanceCard } from "./settings-appearance.ts";
import { modelCard } from "./settings-model.ts";
import { done as said } from "./words.ts";

export const SETTINGS = "/dashboard/settings";
/** How long a finished backup is announced in its own line. */
const NEWS_MS = 10 * 60_000;

export function showSettings(view: SettingsView, frame: PageFrame): PageContent {
  const { home } = view;
  return {
    title: "Settings",
    body: html`<h1>Settings</h1>
${view.done === undefined ? "" : said(view.done, frame.undo)}
<div class="columns">
<div class="settings">${owner(view, frame)}${appearanceCard(view.preferences, frame.times.zone, SETTINGS, frame)}${sessions(view, frame)}${address(view)}${events()}${about(view)}</div>
<div class="settings">${home === undefined ? "" : html`${backups(view, home, frame)}${health(view, frame)}${modelCard(view.searchModel, SETTINGS, frame)}`}${tokens(view, frame)}</div>
</div>`,
    snippets: [...commandAt(home, "doctor"), ...commandAt(home, "owner", "sessions")],
  };
}

const post = (frame: PageFrame, what: Record<string, string>, button: Html, name = ""): Html =>
  html`<form class="${name}" method="post" action="${SETTINGS}">${hidden({ csrf: frame.csrf, ...what })}${button}</form>`;

function owner({ owner: { name, passwordMin, secondFactor }, home }: SettingsView, { csrf, failed }: PageFrame): Html {
  return html`<section class="card" id="owner" aria-label="Owner"><h2>Owner</h2>
<dl class="facts"><div><dt>Name</dt><dd><bdi>${name}</bdi></dd></div></dl>
<p class="row"><span>${secondFactor ? "Signing in needs a second factor or a passkey." : "Signing in needs only the password."}</span> <a class="button small end" href="${SIGN_IN_SETTINGS}">Passkeys and second factor</a></p>
<details class="fold" id="password"${attribute("open", failed !== undefined)}><summary class="button small">Change password</summary>
<form class="stack fold-body" method="post" action="${SETTINGS}">${hidden({ csrf, do: "password" })}
<input type="text" name="username" value="${name}" autocomplete="username" hidden>
<label>Current password<input type="password" name="present" autocomplete="current-password" required maxlength="1000"></label>
<label>New password<input type="password" name="password" autocomplete="new-password" required minlength="${passwordMin}" maxlength="1000" aria-describedby="password-hint"></label>
<p class="hint" id="password-hint">At least ${passwordMin} characters. Several unrelated words are best.</p>
<label>New password again<input type="password" name="again" autocomplete="new-password" required minlength="${passwordMin}" maxlength="1000"></label>
<p class="note">This signs you out everywhere, including here. Sign in again with the new password. Apps keep their access.</p>
<p><button class="button primary">Change password</button></p></form></details>
<p class="note">Forgot your password? ${home === undefined ? "The operator of this server can send you a link to set a new one." : html`<code>pdpp owner reset</code> in the server’s terminal sets a new name and password.`}</p></section>`;
}

function sessions({ sessions: open }: SettingsView, frame: PageFrame): Html {
  const { times } = frame;
  const others = open.filter(({ own }) => !own).length;
  return html`<section class="card" id="sessions" aria-label="Sessions"><header class="row"><h2>Where you are signed in</h2>${
    others < 2 ? "" : post(frame, { do: "others" }, html`<button class="button danger">End all others</button>`, "end")
  }</header>
<ul class="list">${open.map(
    ({
      sessionId,
      openedWith,
      openedAt,
      expiresAt,
      own,
    }) => html`<li class="row"><div><span title="${openedWith}">${browserWords(openedWith)}</span>${own ? html` <span class="badge good">This browser</span>` : ""}
<p class="note">since ${times.instant(openedAt)}${expiresAt === undefined ? "" : html`, until ${times.day(expiresAt)}`}</p></div>
${own ? "" : post(frame, { do: "session", id: sessionId }, html`<button class="button danger">End<span class="visually-hidden"> session ${sessionId}</span></button>`, "end")}</li>`,
  )}</ul></section>`;
}

function address({ address: { publicUrl, origin }, home }: SettingsView): Html {
  const local = publicUrl === undefined;
  return html`<section class="card" id="address" aria-label="Address"><h2>Address</h2>
<dl class="facts"><div><dt>Public URL</dt><dd>${local ? "none: only this machine can reach this server" : html`<code>${publicUrl}</code>`}</dd></div>
<div><dt>You reach it at</dt><dd><code>${origin}</code></dd></div></dl>
<p class="note">${local ? "Apps on this machine can connect. Apps that run elsewhere, like ChatGPT or Claude.ai, need a public https address in front of this server." : "Apps connect to this address."}${home === undefined ? "" : " The public URL is set when the server starts:"}</p>
${home === undefined ? "" : copyable(`pdpp serve --public-url ${quote(publicUrl ?? "https://data.example.org")}`, "public-url")}</section>`;
}

function backups(
  { backups: { lastAt, kept, plan, errand }, ownerInDatabase }: SettingsView,
  home: string,
  frame: PageFrame,
): Html {
  const { times } = frame;
  const running = errand !== undefined && errand.endedAt === undefined;
  const button = html`<button class="button primary"${attribute("disabled", running)}>Back up now</button>`;
  return html`<section class="card" id="backups"${running ? raw(' data-live="1000"') : ""} aria-label="Backups"><header class="row"><h2>Backup and restore</h2>${post(frame, { do: "backup" }, button, "end")}</header>
<p>${lastAt === undefined ? "No backups yet." : html`Last backup ${times.ago(lastAt)}.`} A backup contains everything: records, files, grants, tokens, the activity log and the key.</p>
${plan === undefined ? "" : planned(plan, frame)}
${running ? html`<p role="status">Backing up${errand.progress === undefined ? "" : html`: ${errand.progress}`} … <a href="${SETTINGS}#backups">Refresh</a></p><progress aria-label="Backing up"></progress>` : errand === undefined ? "" : backupDone(errand, frame)}
${
  kept.length === 0
    ? ""
    : html`<ul class="list">${kept.map(
        ({ directory, snapshot, created_at, bytes, records }, index) =>
          html`<li><div class="row"><span>${times.instant(created_at)}</span><span class="end number note">${countOf(records, "record")} · ${formatBytes(bytes)}</span></div>${snapshot === undefined ? html`<p class="note"><code>${directory}</code></p>` : download(frame, snapshot, index)}</li>`,
      )}</ul><p class="note">The backups are in <code>${kept[0]!.directory}</code>. Download one, or copy the folder to another disk.</p>`
}
<p class="note">From a terminal, you can make encrypted, scheduled backups to any folder:</p>
${copyable(`pdpp backup ~/postern-backup --home ${quote(home)}`, "backup-command")}
${restoreForm(frame, kept[0], ownerInDatabase === undefined)}</section>`;
}

function planned({ directory, every_hours, failed }: PlannedBackups, { times }: PageFrame): Html {
  const every = every_hours % 24 === 0 ? countOf(every_hours / 24, "day") : countOf(every_hours, "hour");
  return html`<p>Every ${every} to <code>${directory}</code>.</p>${failed === undefined ? "" : html`<p class="alert" role="alert">The last scheduled backup failed ${times.ago(failed.at)}: ${failed.message}.</p>`}`;
}

/** Collapsed, because it is one of many in a list. */
const download = ({ csrf }: PageFrame, snapshot: string, index: number): Html =>
  html`<details class="fold" id="download-${index}"><summary class="button small">Download</summary><form class="stack fold-body" method="post" action="${SETTINGS}">${hidden({ csrf, do: "download", snapshot })}
<label>Passphrase, to encrypt the file (optional)<input type="password" name="passphrase" autocomplete="new-password" minlength="10" maxlength="1000"></label>
<p class="note">Without a passphrase, anyone who has the file can read everything. If you set a passphrase, the file cannot be restored without it.</p>
<p><button class="button">Download</button></p></form></details>`;

function restoreForm({ csrf }: PageFrame, newest: KeptBackup | undefined, isHome: boolean): Html {
  const form = html`<form class="stack fold-body" method="post" action="${SETTINGS}" enctype="multipart/form-data">${hidden({ csrf, do: "restore" })}
<p>Everything here is replaced by the backup, and the server restarts. The current data is kept in a separate folder next to the restored data.</p>
<label>Current password<input type="password" name="present" autocomplete="current-password" required maxlength="1000"></label>
<label>Passphrase of the file, if it has one<input type="password" name="passphrase" autocomplete="off" maxlength="1000"></label>
<label>Backup<input type="file" name="file" required accept=".tar,.age"></label>
<p><button class="button danger">Restore</button></p>
<p class="note">Grants and tokens will be as they were in the backup: any grants that you have revoked since then will be valid again. Check Apps afterwards.</p></form>`;
  return html`<details class="fold" id="restore"><summary class="button small">Restore</summary>${isHome ? form : ""}<div class="fold-body">
<p class="note">In a terminal, with the server stopped:</p>
${copyable(`pdpp restore ${quote(newest?.directory ?? "~/postern-backup")} --home ~/restored`, "restore-command")}
${copyable("pdpp serve --home ~/restored", "restored-command")}</div></details>`;
}

/** Shown for a while; the list still shows the backup afterwards. */
function backupDone(
  { result, failed, endedAt }: NonNullable<SettingsView["backups"]["errand"]>,
  frame: PageFrame,
): Html | "" {
  if (result === undefined) return html`<p class="alert" role="alert">${failed}</p>`;
  if (frame.now - Date.parse(endedAt!) > NEWS_MS) return "";
  const lost = result.missing_blobs.length;
  return html`<p class="alert good" role="status">Backed up ${frame.times.ago(endedAt!)}: ${countOf(result.counts.records, "record")}, ${countOf(result.counts.blobs, "file")}, ${formatBytes(result.bytes)}.</p>
${lost === 0 ? "" : html`<p class="alert warn">${countOf(lost, "file")} in this home ${lost === 1 ? "is" : "are"} lost; everything else is saved. See Health below.</p>`}`;
}

const MARK = { ok: "good", warn: "warn", fail: "bad" };

function health({ health: job }: SettingsView, frame: PageFrame): Html {
  const running = job !== undefined && job.endedAt === undefined;
  const button = html`<button class="button"${attribute("disabled", running)}>${job === undefined ? "Check" : "Check again"}</button>`;
  return html`<section class="card" id="health"${running ? raw(' data-live="1000"') : ""} aria-label="Health"><header class="row"><h2>Health</h2>${post(frame, { do: "health" }, button, "end")}</header>
<p class="note">The report from <code>pdpp doctor</code>: files, disk space, the log. It changes nothing.</p>
${running ? html`<p role="status">Checking … <a href="${SETTINGS}#health">Refresh</a></p><progress aria-label="Checking"></progress>` : job === undefined ? "" : report(job, frame)}</section>`;
}

function report({ result, failed, endedAt }: NonNullable<SettingsView["health"]>, { times }: PageFrame): Html {
  if (result === undefined) return html`<p class="alert" role="alert">${failed}</p>`;
  const worst = result.ok ? (result.checks.some(({ status }) => status === "warn") ? "warn" : "good") : "bad";
  const words = {
    good: "All is well.",
    warn: "The server works, but something needs attention.",
    bad: "Something needs attention.",
  }[worst];
  return html`<p class="alert ${worst}" role="status">${words} Checked ${times.ago(endedAt!)}.</p>
<details class="fold" id="checks"${attribute("open", worst !== "good")}><summary>${countOf(result.checks.length, "check")}</summary><ul class="list checks">${result.checks.map(
    ({ name, status, message, next }) =>
      html`<li class="row"><span class="badge ${MARK[status]}">${status}</span><strong>${name}</strong><span class="check-text"><bdi>${message}</bdi>${next === undefined ? "" : html`<br><span class="note">${withCode(next)}</span>`}</span></li>`,
  )}</ul></details>`;
}

/** Less prominent on purpose, because apps should use grants. */
function tokens({ tokens: held, home }: SettingsView, frame: PageFrame): Html {
  const { times } = frame;
  return html`<section class="card" id="tokens" aria-label="Owner tokens"><details class="fold" id="owner-tokens"${attribute("open", held.length > 0 && frame.url.searchParams.get("done") === "token")}><summary><h2>Owner tokens</h2> <span class="note">${held.length === 0 ? "none" : countOf(held.length, "token")}</span></summary>
<div class="fold-body"><p class="note">For your own scripts: a token can do everything that you can. Apps never need one; they ask for a grant. ${home === undefined ? "The operator of this server can create one." : html`You create one in a terminal, with <code>pdpp owner token</code>.`}</p>
${
  held.length === 0
    ? ""
    : html`<ul class="list">${held.map(
        ({
          token_id,
          status,
          created_at,
          expires_at,
        }) => html`<li class="row"><div><code>${token_id}</code>${status === "active" ? "" : html` <span class="badge">Expired</span>`}
<p class="note">created ${times.instant(created_at)}${expires_at === undefined ? "" : html`, until ${times.instant(expires_at)}`}</p></div>
${post(frame, { do: "token", id: token_id }, html`<button class="button danger">Revoke<span class="visually-hidden"> ${token_id}</span></button>`, "end")}</li>`,
      )}</ul>`
}
${home === undefined ? "" : copyable(`pdpp owner token --expires 1h --home ${quote(home)}`, "owner-token")}</div></details></section>`;
}

const events =
  (): Html => html`<section class="card" id="events" aria-label="Events"><header class="row"><h2>Events</h2><a class="button end" href="${EVENTS_PAGE}">Change notifications</a></header>
<p class="note">Apps can ask to be notified of changes to the data that they may read. They learn which stream changed, never the content.</p></section>`;

function about({ home, ownerInDatabase, version }: SettingsView): Html {
  const kept =
    ownerInDatabase === undefined
      ? "All data is in that directory. "
      : html`Your data is in PostgreSQL; that directory contains only files that belong to this machine. Commands need the server’s <code>DATABASE_URL</code>, and <code>PDPP_OWNER=${ownerInDatabase}</code>. `;
  return html`<section class="card" id="about" aria-label="About"><h2>This server</h2>
<dl class="facts"><div><dt>Version</dt><dd>${version}</dd></div>${home === undefined ? "" : html`<div><dt>Home</dt><dd><code>${home}</code></dd></div>`}</dl>
<p class="note">${home === undefined ? "" : kept}<a href="/llms.txt">llms.txt</a> · <a href="/openapi.json">openapi.json</a> · <a href="${LICENCES}">Licences</a></p></section>`;
}
