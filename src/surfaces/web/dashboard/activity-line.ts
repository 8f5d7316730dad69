// One audit log entry with names instead of ids, as a table row.

import { html, raw } from "hono/html";
import type { Activity } from "../../../contract/activity.ts";
import type { ConnectionRead } from "../../../contract/connection.ts";
import { isDenial } from "../../../contract/errors.ts";
import type { GrantSummary } from "../../../contract/grant.ts";
import { ID_PREFIX } from "../../../contract/ids.ts";
import { cleanDisplayName } from "../../../core/display-name.ts";
import { formatBytes } from "../../../core/format-bytes.ts";
import { formatNumber } from "../format.ts";
import type { Html } from "../layout.ts";
import type { PageFrame } from "../owner-page.ts";
import { actionWords } from "./action-words.ts";
import { requestAddress } from "./activity-address.ts";
import { appAddress, appNames, whyAddress } from "./app-grants.ts";

export interface ActivityLine {
  n: number;
  at: string;
  requestId: string;
  /** True for actions without an app. */
  byOwner: boolean;
  /** True if the server filled the demo home. */
  byDemo: boolean;
  /** Also absent for an app whose grants no longer exist here. */
  app?: { clientId: string; name: string };
  grantId?: string;
  action: string;
  connectionId?: string;
  connection?: string;
  stream?: string;
  /** True if the data was only requested, so the names are the app's own. */
  asked: boolean;
  records: number;
  bytes: number;
  /** `ok`, or the code of the error. */
  outcome: string;
  /** Set for an entry about the log itself: entries from this period may be missing. */
  mayBeMissing?: { since: string; until: string };
}

export interface LineNames {
  apps: ReadonlyMap<string, string>;
  connections: ReadonlyMap<string, string>;
}

export const namesFrom = (grants: readonly GrantSummary[], connections: readonly ConnectionRead[]): LineNames => ({
  apps: appNames(grants),
  connections: new Map(connections.map(({ connection_id, display_name }) => [connection_id, display_name])),
});

export function lineOf(line: Activity, names: LineNames): ActivityLine {
  const { n, at, request_id, client_id, grant_id, grant_package_id, action, asked, records, bytes, outcome } = line;
  const connectionId = line.connection_id ?? asked?.connection_id;
  const stream = line.stream ?? asked?.stream;
  const connection = connectionId === undefined ? undefined : names.connections.get(connectionId);
  const holder = grant_id ?? grant_package_id;
  return {
    n,
    at,
    requestId: request_id,
    byOwner: line.actor === "owner",
    byDemo: line.actor === "owner" && request_id.startsWith(ID_PREFIX.demo),
    ...(client_id === undefined
      ? {}
      : { app: { clientId: client_id, name: names.apps.get(client_id) ?? cleanDisplayName(client_id) } }),
    ...(holder === undefined ? {} : { grantId: holder }),
    action,
    ...(connectionId === undefined ? {} : { connectionId }),
    ...(connection === undefined ? {} : { connection }),
    ...(stream === undefined ? {} : { stream }),
    asked: line.stream === undefined && asked?.stream !== undefined,
    records,
    bytes,
    outcome,
    ...(line.may_be_missing === undefined ? {} : { mayBeMissing: line.may_be_missing }),
  };
}

export function lineTable(lines: readonly ActivityLine[], frame: PageFrame, label: string): Html {
  return html`<div class="table-room log" tabindex="0" role="region" aria-label="${label}"><table><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">From</th><th scope="col" class="number">Records</th><th scope="col" class="number">Data</th><th scope="col">Result</th></tr></thead>
<tbody>${lines.map((line, index) => lineRow(line, frame, goesOn(line, lines[index - 1])))}</tbody></table></div>`;
}

/** A request that read several streams has an entry for each. Shared facts are shown only once. */
const goesOn = (line: ActivityLine, above: ActivityLine | undefined): boolean =>
  above !== undefined &&
  line.requestId === above.requestId &&
  line.action === above.action &&
  line.app?.clientId === above.app?.clientId;

function lineRow(line: ActivityLine, { times }: PageFrame, again: boolean): Html {
  const { n, at, requestId, byOwner, app, action, records, bytes } = line;
  const when = html`<a id="line-${n}" class="plain" href="${requestAddress(requestId)}" title="Request ${requestId}">${times.instant(at)}</a>`;
  const who =
    app === undefined
      ? byOwner
        ? ownerWords(line)
        : line.mayBeMissing === undefined
          ? "an unknown app"
          : "Postern"
      : html`<a class="plain" href="${appAddress(app.clientId)}"><bdi>${app.name}</bdi></a>`;
  const shared = (content: Html | string): Html | string =>
    again ? html`<span class="visually-hidden">${content}</span>` : content;
  return html`<tr${again ? raw(' class="again"') : ""}><td class="when">${again ? html`<span class="visually-hidden">${times.instant(at)}</span>` : when}</td>
<td class="who-cell">${shared(app === undefined || !again ? who : app.name)}</td>
<td class="what" title="${action}">${shared(actionWords(action))}</td>
<td class="of">${line.mayBeMissing === undefined ? placeOf(line) : missing(line.mayBeMissing, times)}</td>
<td class="number">${records === 0 ? "" : html`${formatNumber(records)}<span class="unit"> ${records === 1 ? "record" : "records"}</span>`}</td>
<td class="number">${bytes === 0 ? "" : formatBytes(bytes)}</td>
<td class="result">${resultOf(line)}</td></tr>`;
}

export const ownerWords = ({ byDemo }: Pick<ActivityLine, "byDemo">): string => (byDemo ? "Demo" : "You");

/** Afterwards, there is no way to tell whether there was a power cut. A killed process loses nothing. */
const missing = ({ since, until }: { since: string; until: string }, times: PageFrame["times"]): Html =>
  html`If the machine lost power between ${times.instant(since)} and ${times.instant(until)}, up to one second of activity may be missing.`;

function placeOf({ stream, asked, connection, connectionId }: ActivityLine): Html | "" {
  const named =
    stream === undefined ? "" : asked ? html`<bdi>“${cleanDisplayName(stream)}”</bdi>` : html`<bdi>${stream}</bdi>`;
  const place = connection ?? (connectionId === undefined ? undefined : cleanDisplayName(connectionId));
  if (place === undefined) return named;
  return html`${named} <span class="note">${stream === undefined ? "" : "of "}<bdi>${place}</bdi></span>`;
}

function resultOf({ outcome, byOwner, requestId }: ActivityLine): Html {
  if (outcome === "ok") return html`<span class="note">ok</span>`;
  if (byOwner) return html`<span class="badge">${outcome}</span>`;
  if (!isDenial(outcome))
    return html`<a class="badge" href="${whyAddress(requestId)}" title="Why: ${outcome}">failed: why?</a>`;
  return html`<a class="badge warn" href="${whyAddress(requestId)}" title="Why: ${outcome}">denied: why?</a>`;
}
