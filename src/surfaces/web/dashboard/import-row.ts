// One import in a list: its name, its connection, its result and its count.
import { html } from "hono/html";
import type { ImportCounts, ImportJob } from "../../../contract/import.ts";
import { type ImportVerdict, verdictOf } from "../../../core/import-reasons.ts";
import { plainLine } from "../../../core/unsafe-characters.ts";
import { formatNumber } from "../format.ts";
import type { Html } from "../layout.ts";
import type { Times } from "../times.ts";
import { connectionAddress } from "./explore/addresses.ts";
import { importAddress } from "./import-address.ts";

export interface ImportRow {
  importId: string;
  name: string;
  connectionId: string;
  /** Absent if the connection has been deleted since. */
  connection?: string;
  status: ImportVerdict | "undone";
  counts: ImportCounts;
  startedAt: string;
}

/** File names come from other people and can have any length. */
export const fileLine = (name: string): string => plainLine(name, 160);

/** `names` contains connection names by id. */
export function importRow(job: ImportJob, names: ReadonlyMap<string, string>): ImportRow {
  const connection = names.get(job.connection_id);
  return {
    importId: job.import_id,
    name: fileLine(job.name),
    connectionId: job.connection_id,
    ...(connection === undefined ? {} : { connection }),
    status: job.progress.undone === undefined ? verdictOf(job) : "undone",
    counts: job.progress.counts,
    startedAt: job.started_at,
  };
}

const STATUS: Record<ImportRow["status"] | "open", { label: string; kind: string }> = {
  open: { label: "Needs an answer", kind: "warn" },
  queued: { label: "Queued", kind: "" },
  running: { label: "Running", kind: "solid" },
  paused: { label: "Paused", kind: "warn" },
  succeeded: { label: "Done", kind: "good" },
  incomplete: { label: "Incomplete", kind: "warn" },
  failed: { label: "Failed", kind: "warn" },
  cancelled: { label: "Cancelled", kind: "" },
  undone: { label: "Undone", kind: "" },
};

export function statusBadge(status: keyof typeof STATUS): Html {
  const { label, kind } = STATUS[status];
  return html`<span class="badge ${kind}">${label}</span>`;
}

/** `connections` adds a column for the connection. */
export function importTable(rows: readonly ImportRow[], times: Times, { connections }: { connections: boolean }): Html {
  return html`<div class="table-room listing" tabindex="0" role="region" aria-label="Imports"><table>
<thead><tr><th scope="col">What</th>${connections ? html`<th scope="col">Into</th>` : ""}<th scope="col">Status</th><th scope="col" class="number">New</th><th scope="col" class="number">Changed</th><th scope="col" class="number">Unchanged</th><th scope="col" class="number">Failed</th><th scope="col">When</th></tr></thead>
<tbody>${rows.map(
    ({ importId, name, connectionId, connection, status, counts, startedAt }) => html`<tr>
<td><a href="${importAddress(importId)}"><bdi>${name}</bdi></a></td>
${connections ? html`<td>${connection === undefined ? html`<span class="note">deleted since</span>` : html`<a href="${connectionAddress(connectionId)}"><bdi>${connection}</bdi></a>`}</td>` : ""}
<td>${statusBadge(status)}</td>
${[counts.imported, counts.changed, counts.unchanged, counts.failed].map((count) => html`<td class="number">${formatNumber(count)}</td>`)}
<td class="nowrap">${times.ago(startedAt)}</td></tr>`,
  )}</tbody></table></div>`;
}
