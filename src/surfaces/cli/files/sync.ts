// pdpp files sync: updates the records of indexed disks to match their last scan, and waits until this is done.
import type { FileJob } from "../../../contract/files.ts";
import type { ConnectedRoot } from "../../../files/shell/connected-roots.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { count } from "../table.ts";
import { filesJson } from "./json.ts";
import { withLens } from "./lens.ts";
import { rootNamed } from "./roots.ts";
import { watched } from "./watched.ts";

export async function sync(context: CommandContext, [named, ...rest]: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError("specify one root, or omit it to update all: pdpp files sync [ROOT]");
  const { json, out } = context;
  const done = await withLens(
    context,
    async (lens) => {
      const roots = named === undefined ? await lens.roots() : [await rootNamed(lens, named)];
      const jobs: { root: ConnectedRoot; job: FileJob | undefined }[] = [];
      for (const root of roots) {
        const job = await lens.syncRecords(root.rootId);
        jobs.push({ root, job: job === undefined ? undefined : await watched(lens, job, json ? out : undefined) });
      }
      return jobs;
    },
    { records: "at once" },
  );
  for (const { root, job } of done) {
    if (json) {
      const { rootId, connectionId, path } = root;
      const ended = job && { jobId: job.jobId, status: job.status, records: job.progress.nodes, error: job.error };
      out(filesJson({ rootId, connectionId, path, ...ended }));
    } else if (job === undefined) out(`${root.path} has not been indexed yet. Next: pdpp files index ${root.path}`);
    else if (job.status === "succeeded") out(`${root.path}: ${count(job.progress.nodes, "record")} changed.`);
    else out(`${root.path}: ${job.status}${job.error === undefined ? "" : `, ${job.error}`}`);
  }
  if (done.length === 0 && !json) out("No directory is approved yet. `pdpp files roots add PATH` approves one.");
  return done.every(({ job }) => job === undefined || job.status === "succeeded") ? 0 : 1;
}

/** Updates the records of one root silently. The next sync reports any errors. */
export async function syncNow(context: CommandContext, rootId: string): Promise<void> {
  await withLens(
    context,
    async (lens) => {
      const job = await lens.syncRecords(rootId);
      if (job !== undefined) await lens.files.jobEnded(job.jobId);
    },
    { records: "at once" },
  );
}
