// /dashboard/activity/{request_id}: one request in words, with the records it returned. Its log entries are collapsed
// (V-06).
import { html } from "hono/html";
import { isDenial, PdppError } from "../../../contract/errors.ts";
import { AUDIT_IDS, PAGE } from "../../../contract/limits.ts";
import { formatBytes } from "../../../core/format-bytes.ts";
import { countOf } from "../format.ts";
import type { Html } from "../layout.ts";
import { ownerPage, type PageContent, type PageFrame } from "../owner-page.ts";
import type { ReadWords } from "../pages/receipt.ts";
import { command, curl } from "../snippets.ts";
import { actionWords } from "./action-words.ts";
import { ACTIVITY, activityAddress } from "./activity-address.ts";
import { type ActivityLine, lineOf, lineTable, namesFrom, ownerWords } from "./activity-line.ts";
import { appAddress, grantAddress, grantsOf, isValid, whyAddress } from "./app-grants.ts";
import { ownNames } from "./explore/stream-kind.ts";
import { maySee, technical } from "./grant-words-view.ts";
import { requestSentence } from "./seen/bursts.ts";
import { type GotRecords, recordsGot } from "./seen/records.ts";
import { type SeenRequest, seenRequests } from "./seen/requests.ts";
import { gotRecords } from "./seen/seen-view.ts";

interface RequestView {
  requestId: string;
  /** Newest first. */
  lines: readonly ActivityLine[];
  /** True if there are more entries than shown. */
  more: boolean;
  /** App requests. Callers choose request ids, so there may be several. */
  requests: readonly SeenRequest[];
  got: Readonly<Record<string, GotRecords>>;
  /** The current grants of the request. */
  reads: readonly ReadWords[];
  me: readonly string[];
}

export const requestPage = ownerPage<RequestView>({
  path: `${ACTIVITY}/{request_id}`,
  under: "activity",
  async load(visit) {
    const requestId = visit.params.request_id!;
    const [list, grants, connections, me] = await Promise.all([
      visit.look("activity", { request_id: requestId, limit: PAGE.max }),
      grantsOf(visit),
      visit.look("connections", {}),
      ownNames(visit),
    ]);
    if (list.data.length === 0) {
      throw new PdppError("not_found", `no log entry has the request id ${JSON.stringify(requestId)}`, {
        next_step: "Activity lists all requests. A request without a known token is not logged.",
      });
    }
    const names = namesFrom(grants, connections.data);
    const ofApps = list.data.filter(({ client_id }) => client_id !== undefined);
    const requests = await seenRequests(visit, ofApps);
    const held = new Set(ofApps.flatMap(({ grant_id, grant_package_id }) => grant_package_id ?? grant_id ?? []));
    const under = grants.filter((one) => held.has(one.grant.grant_id) || held.has(one.grant_package_id ?? ""));
    return {
      requestId,
      lines: list.data.map((line) => lineOf(line, names)),
      more: list.has_more,
      requests,
      got: await recordsGot(visit, requests, AUDIT_IDS),
      reads: under.filter(isValid).flatMap(({ words }) => words.reads),
      me,
    };
  },
  show: showRequest,
});

function showRequest(view: RequestView, frame: PageFrame): PageContent {
  const { requestId, lines, more, requests, reads } = view;
  const denied = lines.some(({ outcome, byOwner }) => isDenial(outcome) && !byOwner);
  const sentences =
    requests.length === 0
      ? [...new Set(lines.map(({ action }) => actionWords(action)))]
      : requests.map(requestSentence);
  return {
    title: sentences[0]!,
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${ACTIVITY}">Activity</a> <span aria-hidden="true">›</span> <span>Request</span></nav>
<h1><bdi>${sentences.join("; ")}</bdi></h1>
${denied ? html`<div class="alert warn"><p>This request was refused. <a href="${whyAddress(requestId)}">See why, and what you can do</a></p></div>` : ""}
${facts(lines, frame)}
${reads.length === 0 ? "" : maySee(reads, frame.times.zone)}
${recordsIn(view, frame)}
${technical(
  [
    ["Request", html`<code>${requestId}</code>`],
    ["Grants", html`${grantsIn(lines).map((id) => html`<a href="${grantAddress(id)}"><code>${id}</code></a> `)}`],
  ],
  html`<h2>${countOf(lines.length, "log line")}</h2>${lineTable(lines, frame, "Log lines for this request")}
${more ? html`<p class="pager"><a href="${activityAddress({ request_id: requestId })}">All lines</a></p>` : ""}`,
)}`,
    snippets: [
      curl(frame.origin, `/v1/activity?request_id=${encodeURIComponent(requestId)}`),
      command("activity", "--request", requestId, "--server", frame.origin),
    ],
  };
}

const grantsIn = (lines: readonly ActivityLine[]): string[] => [
  ...new Set(lines.flatMap(({ grantId }) => grantId ?? [])),
];

function recordsIn({ requests, got, me }: RequestView, { times }: PageFrame): Html | "" {
  const shown = [...new Set(requests.map(({ requestId }) => requestId))].flatMap((id) => got[id] ?? []);
  if (shown.length === 0) return "";
  return html`<section class="got"><h2>Records it received</h2>${shown.map((records) => html`${gotRecords(records, { times, me })}${records.left === 0 ? "" : html`<p class="note">And ${countOf(records.left, "more record")} that the log counted but did not list.</p>`}`)}</section>`;
}

/** Callers choose request ids, so every app that used this one is listed. */
function facts(lines: readonly ActivityLine[], { times }: PageFrame): Html {
  const apps = new Map(lines.flatMap(({ app }) => (app === undefined ? [] : [[app.clientId, app.name] as const])));
  const sum = (of: "records" | "bytes"): number => lines.reduce((total, line) => total + line[of], 0);
  const who =
    apps.size === 0
      ? lines.every(({ byOwner }) => byOwner)
        ? ownerWords(lines[0]!)
        : "an unknown app"
      : html`${[...apps].map(([id, name], index) => html`${index === 0 ? "" : ", "}<a href="${appAddress(id)}"><bdi>${name}</bdi></a>`)}`;
  const rows: [string, string | Html][] = [
    ["When", times.instant(lines.at(-1)!.at)],
    ["Who", who],
    ["Received", `${countOf(sum("records"), "record")}, ${formatBytes(sum("bytes"))}`],
  ];
  return html`<dl class="facts card">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}
