// /dashboard/activity/{request_id}: one request: every line it left in the log, under which grant, and why it was denied.
import { html } from "hono/html";
import { isDenial, PdppError } from "../../../contract/errors.ts";
import { PAGE } from "../../../contract/limits.ts";
import { countOf, formatBytes } from "../format.ts";
import type { Html } from "../layout.ts";
import { ownerPage, type PageContent, type PageFrame } from "../owner-page.ts";
import { command, curl } from "../snippets.ts";
import { actionWords } from "./action-words.ts";
import { ACTIVITY, activityAddress } from "./activity-address.ts";
import { type ActivityLine, lineOf, lineTable, namesFrom } from "./activity-line.ts";
import { appAddress, grantAddress, grantsOf, whyAddress } from "./app-grants.ts";

interface RequestView {
  requestId: string;
  /** Newest first. */
  lines: readonly ActivityLine[];
  /** There are more than are shown. */
  more: boolean;
}

export const requestPage = ownerPage<RequestView>({
  path: `${ACTIVITY}/{request_id}`,
  under: "activity",
  async load(visit) {
    const requestId = visit.params.request_id!;
    const [list, grants, connections] = await Promise.all([
      visit.look("activity", { request_id: requestId, limit: PAGE.max }),
      grantsOf(visit),
      visit.look("connections", {}),
    ]);
    if (list.data.length === 0) {
      throw new PdppError("not_found", `no line of the log has the request id ${JSON.stringify(requestId)}`, {
        next_step: "Activity lists what there is. A request of nobody known leaves none.",
      });
    }
    const names = namesFrom(grants, connections.data);
    return { requestId, lines: list.data.map((line) => lineOf(line, names)), more: list.has_more };
  },
  show: showRequest,
});

function showRequest({ requestId, lines, more }: RequestView, frame: PageFrame): PageContent {
  const denied = lines.some(({ outcome, byOwner }) => isDenial(outcome) && !byOwner);
  const actions = [...new Set(lines.map(({ action }) => action))];
  return {
    title: `Request ${requestId}`,
    body: html`<nav class="crumbs" aria-label="Where this is"><a href="${ACTIVITY}">Activity</a> <span aria-hidden="true">›</span> <span>Request</span></nav>
<h1>${actions.map(actionWords).join(", ")}</h1>
${denied ? html`<div class="alert warn"><p>It was denied. <a href="${whyAddress(requestId)}">See which line of the grant decided, and what you can do</a></p></div>` : ""}
${facts(requestId, lines, frame)}
<section><h2>${countOf(lines.length, "line")}</h2>${lineTable(lines, frame, "Lines of this request")}
${more ? html`<p class="pager"><a href="${activityAddress({ request_id: requestId })}">All lines</a></p>` : ""}</section>`,
    snippets: [
      curl(frame.origin, `/v1/activity?request_id=${encodeURIComponent(requestId)}`),
      command("activity", "--request", requestId, "--server", frame.origin),
    ],
  };
}

/** Callers choose request ids: every caller that used this one is named. */
function facts(requestId: string, lines: readonly ActivityLine[], { times }: PageFrame): Html {
  const apps = new Map(lines.flatMap(({ app }) => (app === undefined ? [] : [[app.clientId, app.name] as const])));
  const grants = [...new Set(lines.flatMap(({ grantId }) => grantId ?? []))];
  const sum = (of: "records" | "bytes"): number => lines.reduce((total, line) => total + line[of], 0);
  const who =
    apps.size === 0
      ? lines.every(({ byOwner }) => byOwner)
        ? "You"
        : "an unknown app"
      : html`${[...apps].map(([id, name], index) => html`${index === 0 ? "" : ", "}<a href="${appAddress(id)}"><bdi>${name}</bdi></a>`)}`;
  const rows: [string, string | Html][] = [
    ["Request", html`<code>${requestId}</code>`],
    ["When", times.instant(lines.at(-1)!.at)],
    ["Who", who],
    ...(grants.length === 0
      ? []
      : ([["Under", html`${grants.map((id) => html`<a href="${grantAddress(id)}"><code>${id}</code></a> `)}`]] as [
          string,
          Html,
        ][])),
    ["Took", `${countOf(sum("records"), "record")}, ${formatBytes(sum("bytes"))}`],
  ];
  return html`<dl class="facts card">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}
