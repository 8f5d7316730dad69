// What a connection's page says of its connector: how the last run went, what it asks, and "Collect now".
import { html } from "hono/html";
import type { ConnectorSetup } from "../../../../contract/collect.ts";
import type { Html } from "../../layout.ts";
import type { PageFrame } from "../../owner-page.ts";
import { connectorAddress, runAddress } from "./addresses.ts";
import { collectButton, countWords, isOpen, questionForm, statusBadge } from "./words.ts";

export function connectorSection({ connection_id, last_run: last }: ConnectorSetup, frame: PageFrame): Html {
  const words =
    last === undefined
      ? html`<p class="note">It was not collected yet.</p>`
      : html`<p>${statusBadge(last)} <a href="${runAddress(last.run_id)}">${frame.times.ago(last.updated_at)}</a>: ${countWords(last)}${last.error === undefined ? "" : html`. <bdi>${last.error.message}</bdi>`}</p>`;
  return html`${last === undefined ? "" : questionForm(last, frame)}
<section class="card stack" aria-labelledby="connector"><header class="row"><h2 id="connector">Connector</h2><div class="end">${collectButton(connection_id, frame, last !== undefined && isOpen(last))}</div></header>
${words}
<p><a href="${connectorAddress(connection_id)}">Settings, runs, and what it may do</a></p></section>`;
}
