// The updates section of a connection's page: the current run, the last result, open questions, and when the next run
// is due.
import { html } from "hono/html";
import type { ConnectorSetup } from "../../../../contract/collect.ts";
import type { Schedule } from "../../../../contract/schedule.ts";
import type { Html } from "../../layout.ts";
import type { PageFrame } from "../../owner-page.ts";
import { SCHEDULES } from "../schedules-view.ts";
import { connectorAddress } from "./addresses.ts";
import { isBusy, runWords, scheduleWords, statusOf } from "./live-status.ts";
import { collectButton, isOpen, questionForm } from "./words.ts";

/** True if the page refreshes during a run. A form that is being filled in is not replaced. */
export const followsRun = (setup: ConnectorSetup, schedules: readonly Schedule[], frame: PageFrame): boolean =>
  isBusy(statusOf(setup, schedules), frame) && setup.last_run?.question === undefined;

export function connectorSection(setup: ConnectorSetup, schedules: readonly Schedule[], frame: PageFrame): Html {
  const { connection_id, last_run: last } = setup;
  const status = statusOf(setup, schedules);
  return html`${last === undefined ? "" : questionForm(last, frame)}
<section class="card stack" aria-labelledby="connector"><header class="row"><h2 id="connector">Updates</h2><div class="end">${collectButton(connection_id, frame, last !== undefined && isOpen(last))}</div></header>
<p>${runWords(status, frame)}</p>
<p class="note">${scheduleWords(status, frame)}${status.schedule === undefined ? html` <a href="${SCHEDULES}">Schedule it</a>` : ""}</p>
<p><a href="${connectorAddress(connection_id)}">Settings and earlier runs</a></p></section>`;
}
