// The Explore page before a search: activity, days, sources by size, and every stream to browse.
import { html } from "hono/html";
import { rankBars, timeBars } from "../../charts.ts";
import { countOf, formatNumber } from "../../format.ts";
import type { Html } from "../../layout.ts";
import { connectionAddress, EXPLORE, streamAddress } from "./addresses.ts";
import type { ExploreHome } from "./home.ts";
import { heatSection } from "./stream-charts-view.ts";
import { barsOf } from "./timeline.ts";

export function homeBody(
  { records, connections, activity, heat, files, left }: ExploreHome,
  year: string | undefined,
): Html {
  if (connections.length === 0) return nothingHere();
  return html`${
    activity === undefined || activity.buckets.length === 0
      ? ""
      : html`<section class="card"><h2>By date</h2>${timeBars(
          `Records by ${activity.step}`,
          barsOf(activity, ({ since, until }) => `${EXPLORE}?since=${since}&until=${until}`),
        )}</section>`
  }
<section aria-label="Streams by connection" class="browse">${connections.map(connectionCard)}</section>
${heat === undefined ? "" : heatSection("Records by day", heat, year, (one) => `${EXPLORE}?year=${one}`)}
${files === undefined ? "" : html`<p class="note">Totals and charts do not include ${countOf(files, "file")} on your disks. <a href="${EXPLORE}?files=1">Include files</a></p>`}
${left === 0 ? "" : html`<p class="note">The charts do not include the ${countOf(left, "smallest stream")}.</p>`}
<section class="card"><h2>${countOf(records, "record")} by source</h2>${rankBars("Records by source", bySource(connections))}</section>`;
}

export const nothingHere = (): Html =>
  html`<div class="empty"><h2>There is nothing to search yet</h2><p>Import an export of your mail, chats, notes, calendar or bank statements, and search every word in it here.</p><p><a class="button primary" href="/dashboard/import">Import files</a></p></div>`;

function connectionCard({ id, label, source, records, streams }: ExploreHome["connections"][number]): Html {
  return html`<div class="card"><header class="row"><h2><a class="calm" href="${connectionAddress(id)}"><bdi>${label}</bdi></a></h2>${source === label ? "" : html`<span class="end note"><bdi>${source}</bdi></span>`}</header>
${
  records === 0
    ? html`<p class="note">Empty.</p>`
    : html`<ul class="list">${streams.filter((stream) => stream.records > 0).map(({ name, label: words, records: count }) => html`<li class="row"><a href="${streamAddress({ connection_id: id, stream: name })}"><bdi>${words}</bdi></a><span class="end number">${formatNumber(count)}</span></li>`)}</ul>`
}</div>`;
}

function bySource(connections: ExploreHome["connections"]): { label: string; value: number }[] {
  const counted = connections.filter(({ isCounted }) => isCounted);
  const sources = Map.groupBy(counted, ({ source }) => source);
  return [...sources]
    .map(([label, own]) => ({ label, value: own.reduce((total, { records }) => total + records, 0) }))
    .sort((one, other) => other.value - one.value);
}
