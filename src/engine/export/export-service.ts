// Export jobs in a serving process. Wakes the runner, and adds its progress to results.
import { EXPORT } from "../../contract/limits.ts";
import type { Services } from "../calls/services.ts";
import type { JobService } from "../jobs.ts";
import { homeObjects, openObjects } from "../objects-place.ts";
import { bytesUsed, makeExportsDirectory, tooMuch } from "./files.ts";
import { ExportRunner, type ExportRunnerOptions } from "./runner.ts";

export type ExportService = JobService & Services["exports"];

export function exportService(options: ExportRunnerOptions): ExportService {
  const { home, diskBytes = EXPORT.diskBytes } = options;
  const objects = openObjects(options.objects ?? homeObjects(home));
  let runner = new ExportRunner(options);
  return {
    effects: {
      wakesExports: () => runner.wake(),
      endsExports: () => runner.review(),
      removesExport: ({ id }) => runner.forget(id),
    },
    async requireRoom() {
      await makeExportsDirectory(objects);
      if ((await bytesUsed(objects)) >= diskBytes) throw tooMuch(diskBytes);
    },
    withProgress(job) {
      const progress = job.status === "running" ? runner.progress(job.export_id) : undefined;
      if (progress === undefined) return job;
      const { records, total } = progress;
      return { ...job, progress: { records, ...(total === undefined ? {} : { total }) } };
    },
    begin: (as) => runner.begin(as),
    news: () => runner.news(),
    async rest() {
      const before = runner;
      runner = new ExportRunner(options);
      await before.close();
    },
    idle: () => runner.idle(),
    close: () => runner.close(),
  };
}
