// Scans and other long jobs on a folder: progress and controls.
import { html, raw } from "hono/html";
import type { FileJob } from "../../../../contract/files.ts";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { countOf, formatNumber, sentence } from "../../format.ts";
import { alert, type Html } from "../../layout.ts";
import { button } from "./pieces.ts";

export const isOpen = (job: FileJob | undefined): job is FileJob =>
  job !== undefined && (job.status === "queued" || job.status === "running" || job.status === "paused");

export const isInProgress = (job: FileJob | undefined): job is FileJob => isOpen(job) && job.status !== "paused";

/** Marks a part of the page that refreshes while a job runs. */
export const live = (jobs: readonly (FileJob | undefined)[], milliseconds = 1000): Html | "" =>
  jobs.some(isInProgress) ? raw(` data-live="${milliseconds}"`) : "";

const DOING: Record<FileJob["kind"], Record<"queued" | "running" | "paused", string>> = {
  index: { queued: "Waiting to scan", running: "Scanning", paused: "The scan is paused" },
  digest: { queued: "Waiting to look for copies", running: "Looking for copies", paused: "The search is paused" },
  records: {
    queued: "The record update is queued",
    running: "Updating the records",
    paused: "The record update is paused",
  },
};

/** Empty for a job that succeeded, because the page itself shows the result. */
export function jobStrip(job: FileJob | undefined, csrf: string, action: string): Html | "" {
  if (job === undefined) return "";
  const { jobId, kind, status, error, progress } = job;
  if (status === "failed") return alert([`${FAILED[kind]}: ${sentence(error ?? "unknown reason")}`]);
  if (!isOpen(job)) return "";
  const { percent } = progress;
  const doing = DOING[kind][status as "queued" | "running" | "paused"];
  const control = (verb: string, label: string): Html => button(csrf, action, { do: verb, id: jobId }, label, "slim");
  return html`<div class="card strip" role="status"><div class="row"><strong>${doing}</strong><span class="note">${counted(job)}</span><span class="end row">${
    status === "paused" ? control("resume", "Resume") : control("pause", "Pause")
  }${control("cancel", "Stop")}</span></div>
<progress aria-label="${doing}"${percent === undefined ? (status === "running" ? "" : raw(' value="0"')) : raw(` value="${percent}"`)} max="100"></progress></div>`;
}

/** Describes the progress in one sentence. */
export function progressSentence(job: FileJob): string {
  const doing = DOING[job.kind][job.status as "queued" | "running" | "paused"];
  const far = counted(job);
  return far === "" ? `${doing}.` : `${doing}: ${far}.`;
}

const FAILED: Record<FileJob["kind"], string> = {
  index: "The last scan stopped early",
  digest: "The search for copies stopped early",
  records: "The records could not be updated",
};

function counted({ kind, status, progress }: FileJob): string {
  const { nodes, files, dirs, bytes, rate, percent, etaSeconds } = progress;
  if (status === "queued") return "";
  const parts =
    kind === "index"
      ? [countOf(files, "file"), countOf(dirs, "folder"), formatBytes(bytes)]
      : kind === "records"
        ? [countOf(nodes, "record")]
        : [`${countOf(nodes, "file")} checked`, formatBytes(bytes)];
  if (percent !== undefined) parts.push(`${percent} %`);
  if (status === "running" && rate > 0) parts.push(`${formatNumber(rate)} a second`);
  if (status === "running" && etaSeconds !== undefined) parts.push(`${duration(etaSeconds)} left`);
  return parts.join(" · ");
}

function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
