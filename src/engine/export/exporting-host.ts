// An engine that runs exports as jobs: what a server wraps its host in. All other calls go straight through.
import type { ExportJob, List } from "../../contract/answers.ts";
import { EXPORT } from "../../contract/limits.ts";
import type { EngineHost, JobHost } from "../host.ts";
import { homeObjects, openObjects } from "../objects-place.ts";
import { bytesUsed, makeExportsDirectory, tooMuch } from "./files.ts";
import { ExportRunner, type RunnerOptions } from "./runner.ts";

export interface ExportingHost extends EngineHost, JobHost {
  /** Resolves when no export is left to make. */
  exported(): Promise<void>;
}

export function exportingHost(options: RunnerOptions): ExportingHost {
  const { home, host, diskBytes = EXPORT.diskBytes } = options;
  const objects = openObjects(options.objects ?? homeObjects(home));
  let runner = new ExportRunner(options);
  const current = (job: ExportJob): ExportJob => {
    const progress = job.status === "running" ? runner.progress(job.export_id) : undefined;
    if (progress === undefined) return job;
    const { records, total } = progress;
    return { ...job, progress: { records, ...(total === undefined ? {} : { total }) } };
  };
  return {
    ...host,
    async call(method, query, credential, requestId) {
      if (method === "createExport") {
        await makeExportsDirectory(objects);
        if ((await bytesUsed(objects)) >= diskBytes) throw tooMuch(diskBytes);
      }
      const body = await host.call(method, query, credential, requestId);
      switch (method) {
        case "createExport":
          runner.wake();
          return body;
        case "revokeGrant":
        case "deleteConnection":
          runner.review();
          return body;
        case "deleteExport":
          await runner.forget((query as { id: string }).id);
          return body;
        case "exportJob":
          return JSON.stringify(current(JSON.parse(body) as ExportJob));
        case "exports": {
          const list = JSON.parse(body) as List<ExportJob>;
          return JSON.stringify({ ...list, data: list.data.map(current) });
        }
      }
      return body;
    },
    begin: (as) => runner.begin(as),
    news: () => runner.news(),
    async rest() {
      const before = runner;
      runner = new ExportRunner(options);
      await before.close();
    },
    exported: () => runner.idle(),
    async close() {
      await runner.close();
      await host.close();
    },
  };
}
