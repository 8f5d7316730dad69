// /dashboard/connections/{id}/connector: collect now, its settings (secrets go in and never out), what it may do, its last runs.
import { html } from "hono/html";
import type { CollectRun, ConnectorSetup } from "../../../../contract/collect.ts";
import type { BindingName, SettingValue } from "../../../../contract/connector.ts";
import { BINDING_WORDS } from "../../../../core/binding-words.ts";
import { settingFrom } from "../../../../core/connector-check.ts";
import { type Html, hidden } from "../../layout.ts";
import { ownerPage, type PageContent, type PageFrame, type Visit } from "../../owner-page.ts";
import { command, curl } from "../../snippets.ts";
import { CONNECTIONS } from "../connections.ts";
import { connectionAddress } from "../explore/addresses.ts";
import { done } from "../words.ts";
import { connectorAddress, runAddress } from "./addresses.ts";
import { collectButton, countWords, isOpen, questionForm, statusBadge } from "./words.ts";

interface ConnectorView {
  setup: ConnectorSetup;
  runs: readonly CollectRun[];
  done?: string;
}

const DONE = {
  saved: "Saved. The next run uses it.",
  discarded: "Saved. The server changed, so the stored password and other secrets were discarded. Enter them again.",
};
const SET = "set:";
const SECRET = "secret:";
const FORGET = "forget:";

export const connectorPage = ownerPage<ConnectorView>({
  path: `${CONNECTIONS}/{id}/connector`,
  under: "connections",
  async load(visit) {
    const connection_id = visit.params.id!;
    const [setup, runs] = await Promise.all([
      visit.look("connectorSetup", { connection_id }),
      visit.look("collectRuns", { connection_id }),
    ]);
    const said = visit.search.get("done") ?? "";
    return { setup, runs: runs.data, ...(Object.hasOwn(DONE, said) ? { done: DONE[said as keyof typeof DONE] } : {}) };
  },
  show: showConnector,
  async post(visit, form) {
    const connection_id = visit.params.id!;
    if (form.get("do") === "settings") {
      const changes = { connection_id, ...(await changesIn(visit, connection_id, form)) };
      const { discarded_secrets } = await visit.act("putSettings", changes);
      return `${connectorAddress(connection_id)}?done=${discarded_secrets === undefined ? "saved" : "discarded"}`;
    }
    const full = form.get("full") === "yes" ? { mode: "full_refresh" as const } : {};
    const { run_id } = await visit.act("startCollect", { connection_id, ...full });
    return runAddress(run_id);
  },
});

/** An empty field takes a setting away; an empty secret stays as it is, for nobody can see it to send it again. */
async function changesIn({ look }: Visit, connection_id: string, form: URLSearchParams) {
  const { settings: defined } = await look("connectorSetup", { connection_id });
  const settings: Record<string, SettingValue | null> = {};
  const secrets: Record<string, string | null> = {};
  for (const setting of defined) {
    const { name, secret, type } = setting;
    if (secret) {
      const given = form.get(SECRET + name) ?? "";
      if (given !== "") secrets[name] = given;
      else if (form.get(FORGET + name) === "yes") secrets[name] = null;
    } else if (type === "boolean") settings[name] = form.get(SET + name) === "yes";
    else {
      const given = (form.get(SET + name) ?? "").trim();
      settings[name] = given === "" ? null : settingFrom(setting, given);
    }
  }
  return { settings, secrets };
}

function showConnector({ setup, runs, done: said }: ConnectorView, frame: PageFrame): PageContent {
  const { connection_id, display_name, connector_key, version, place } = setup;
  const [last] = runs;
  const { origin } = frame;
  return {
    title: `Connector of ${display_name}`,
    body: html`<nav class="crumbs" aria-label="Where this is"><a href="${CONNECTIONS}">Connections</a> <span aria-hidden="true">›</span> <a href="${connectionAddress(connection_id)}"><bdi>${display_name}</bdi></a></nav>
<h1>Connector of <bdi>${display_name}</bdi></h1>
<p class="lead"><code>${connector_key} ${version}</code> · ${last === undefined ? "never run" : html`${statusBadge(last)} ${frame.times.ago(last.updated_at)}`}</p>
${said === undefined ? "" : done(said)}
${last === undefined ? "" : questionForm(last, frame)}
<div class="row">${collectButton(connection_id, frame, last !== undefined && isOpen(last))}
<form method="post" action="${connectorAddress(connection_id)}">${hidden({ csrf: frame.csrf, do: "collect", full: "yes" })}<button class="button"${last !== undefined && isOpen(last) ? html` disabled` : ""}>Collect everything again</button></form></div>
<section><h2>Last runs</h2>${runTable(runs, frame)}</section>
<div class="columns"><section class="card" aria-labelledby="settings"><h2 id="settings">Settings</h2>${settingsForm(setup, frame)}</section>
<section class="card" aria-labelledby="may"><h2 id="may">What it may do</h2>${bindings(setup)}
<p class="note">From <code>${place}</code>. Connectors are added and approved on the machine itself: <code>pdpp connectors add</code>.</p></section></div>`,
    snippets: [
      curl(origin, `/v1/connector-setups/${encodeURIComponent(connection_id)}`),
      command("connectors", "show", connection_id, "--server", origin),
    ],
  };
}

function runTable(runs: readonly CollectRun[], { times }: PageFrame): Html {
  if (runs.length === 0) return html`<p class="note">None yet.</p>`;
  return html`<div class="table-room listing" tabindex="0" role="region" aria-label="Runs"><table>
<thead><tr><th scope="col">When</th><th scope="col">How it went</th><th scope="col">Brought</th><th scope="col">Why</th></tr></thead>
<tbody>${runs.map(
    (run) =>
      html`<tr><td class="nowrap"><a href="${runAddress(run.run_id)}">${times.instant(run.started_at)}</a></td><td>${statusBadge(run)}</td><td>${countWords(run)}</td><td><bdi>${run.error?.message ?? ""}</bdi></td></tr>`,
  )}</tbody></table></div>`;
}

function settingsForm({ connection_id, settings }: ConnectorSetup, frame: PageFrame): Html {
  if (settings.length === 0) return html`<p class="note">It has none.</p>`;
  return html`<form class="stack" method="post" action="${connectorAddress(connection_id)}">${hidden({ csrf: frame.csrf, do: "settings" })}
${settings.map(settingField)}
<div><button class="button primary">Save</button></div></form>`;
}

function settingField({
  name,
  title,
  description,
  type,
  required,
  secret,
  set,
  value,
}: ConnectorSetup["settings"][number]): Html {
  const help = description === undefined ? "" : html`<span class="note">${description}</span>`;
  const needed = required ? html` required` : "";
  if (secret) {
    return html`<label>${title}<input type="password" name="${SECRET}${name}" autocomplete="off" placeholder="${set ? "kept; leave empty to keep it" : "not set"}"${required && !set ? needed : ""}>${help}</label>
${set ? html`<label class="choice"><input type="checkbox" name="${FORGET}${name}" value="yes"><span>Forget ${title}</span></label>` : ""}`;
  }
  if (type === "boolean")
    return html`<label class="choice"><input type="checkbox" name="${SET}${name}" value="yes"${value === true ? html` checked` : ""}><span>${title} ${help}</span></label>`;
  return html`<label>${title}<input type="text" name="${SET}${name}" value="${value === undefined ? "" : String(value)}" autocomplete="off"${type === "integer" ? html` inputmode="numeric"` : ""}${needed}>${help}</label>`;
}

function bindings({ bindings: wanted }: ConnectorSetup): Html {
  const names = Object.keys(wanted) as BindingName[];
  if (names.length === 0) return html`<p>Nothing besides writing records.</p>`;
  return html`<ul class="list">${names.map((name) => {
    const { required, reason } = wanted[name]!;
    return html`<li>${required ? "It will" : "It may"} ${BINDING_WORDS[name]}.${reason === undefined ? "" : html` <span class="note"><bdi>${reason}</bdi></span>`}</li>`;
  })}</ul>`;
}
