// /dashboard/connections/{id}/connector: update now, settings (secrets are never shown), permissions, and latest runs.
import { html } from "hono/html";
import type { CollectRun, ConnectorSetup } from "../../../../contract/collect.ts";
import { type Html, hidden } from "../../layout.ts";
import { ownerPage, type PageContent, type PageFrame } from "../../owner-page.ts";
import { command, curl } from "../../snippets.ts";
import { CONNECTIONS, connectionAddress } from "../explore/addresses.ts";
import { done } from "../words.ts";
import { connectorAddress, runAddress } from "./addresses.ts";
import { bindingList } from "./binding-list.ts";
import { enteredIn, settingField } from "./setting-fields.ts";
import { collectButton, countWords, isOpen, questionForm, statusBadge } from "./words.ts";

interface ConnectorView {
  setup: ConnectorSetup;
  runs: readonly CollectRun[];
  done?: string;
}

const DONE = {
  saved: "Saved. The next run uses the new settings.",
  discarded: "Saved. The server changed, so the stored password and other secrets were discarded. Enter them again.",
};

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
      const { settings: defined } = await visit.look("connectorSetup", { connection_id });
      const changes = { connection_id, ...enteredIn(form, defined) };
      const { discarded_secrets } = await visit.act("putSettings", changes);
      return `${connectorAddress(connection_id)}?done=${discarded_secrets === undefined ? "saved" : "discarded"}`;
    }
    const full = form.get("full") === "yes" ? { mode: "full_refresh" as const } : {};
    const { run_id } = await visit.act("startCollect", { connection_id, ...full });
    return runAddress(run_id);
  },
});

function showConnector({ setup, runs, done: said }: ConnectorView, frame: PageFrame): PageContent {
  const { connection_id, display_name, connector_key, version, place } = setup;
  const [last] = runs;
  const { origin } = frame;
  return {
    title: `Connector for ${display_name}`,
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${CONNECTIONS}">Connections</a> <span aria-hidden="true">›</span> <a href="${connectionAddress(connection_id)}"><bdi>${display_name}</bdi></a></nav>
<h1>Connector for <bdi>${display_name}</bdi></h1>
<p class="lead"><code>${connector_key} ${version}</code> · ${last === undefined ? "never run" : html`${statusBadge(last)} ${frame.times.ago(last.updated_at)}`}</p>
${said === undefined ? "" : done(said)}
${last === undefined ? "" : questionForm(last, frame)}
<div class="row">${collectButton(connection_id, frame, last !== undefined && isOpen(last))}
<form method="post" action="${connectorAddress(connection_id)}">${hidden({ csrf: frame.csrf, do: "collect", full: "yes" })}<button class="button"${last !== undefined && isOpen(last) ? html` disabled` : ""}>Fetch everything again</button></form></div>
<section><h2>Recent runs</h2>${runTable(runs, frame)}</section>
<div class="columns"><section class="card" aria-labelledby="settings"><h2 id="settings">Settings</h2>${settingsForm(setup, frame)}</section>
<section class="card" aria-labelledby="may"><h2 id="may">What it may do</h2>${bindingList(setup.bindings)}
<p class="note">From <code>${place}</code>.</p></section></div>`,
    snippets: [
      curl(origin, `/v1/connector-setups/${encodeURIComponent(connection_id)}`),
      command("connectors", "show", connection_id, "--server", origin),
    ],
  };
}

function runTable(runs: readonly CollectRun[], { times }: PageFrame): Html {
  if (runs.length === 0) return html`<p class="note">None yet.</p>`;
  return html`<div class="table-room listing" tabindex="0" role="region" aria-label="Runs"><table>
<thead><tr><th scope="col">When</th><th scope="col">Result</th><th scope="col">Records</th><th scope="col">Reason</th></tr></thead>
<tbody>${runs.map(
    (run) =>
      html`<tr><td class="nowrap"><a href="${runAddress(run.run_id)}">${times.instant(run.started_at)}</a></td><td>${statusBadge(run)}</td><td>${countWords(run)}</td><td><bdi>${run.error?.message ?? ""}</bdi></td></tr>`,
  )}</tbody></table></div>`;
}

function settingsForm({ connection_id, settings }: ConnectorSetup, frame: PageFrame): Html {
  if (settings.length === 0) return html`<p class="note">This connector has no settings.</p>`;
  return html`<form class="stack" method="post" action="${connectorAddress(connection_id)}">${hidden({ csrf: frame.csrf, do: "settings" })}
${settings.map((setting) => settingField(setting, { canForget: true }))}
<div><button class="button primary">Save</button></div></form>`;
}
