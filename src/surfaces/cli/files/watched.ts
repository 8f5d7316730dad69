// Waits for a files lens job, and shows its progress.
import type { FileJob } from "../../../contract/files.ts";
import type { FilesLens } from "../../../files/shell/lens.ts";
import { bar, progress } from "../progress.ts";
import { bytes } from "../table.ts";
import { filesJson } from "./json.ts";

/** With --json, prints a line for each change; otherwise redraws one line. */
export async function watched(
  lens: FilesLens,
  job: FileJob,
  out: ((text: string) => void) | undefined,
): Promise<FileJob> {
  const show = progress({ lines: true });
  let shownAt = 0;
  const stop = lens.onJob((now) => {
    if (now.jobId !== job.jobId) return;
    const { nodes, bytes: size, rate, percent, etaSeconds } = now.progress;
    if (out !== undefined) {
      if (Date.now() - shownAt < 500) return;
      shownAt = Date.now();
      out(filesJson({ event: "progress", jobId: now.jobId, status: now.status, ...now.progress }));
      return;
    }
    const left = etaSeconds === undefined ? "" : `, ${Math.ceil(etaSeconds)} s left`;
    show(
      `${percent === undefined ? "" : bar(percent / 100)}${nodes.toLocaleString("en-US")} nodes, ${bytes(size)}, ${Math.round(rate).toLocaleString("en-US")} a second${left}`,
    );
  });
  try {
    return await lens.files.jobEnded(job.jobId);
  } finally {
    stop();
    show(undefined);
  }
}
