// Runs imports as jobs in a serving process: wakes the runner, lists the formats, and adds upload offsets.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ImportFormat, ImportRequest, ImportUpload } from "../contract/import-upload.ts";
import type { Credential } from "../engine/caller.ts";
import type { Services } from "../engine/calls/services.ts";
import type { JobService } from "../engine/jobs.ts";
import { uploadsAt } from "../engine/uploads.ts";
import { programFile } from "../program-file.ts";
import type { ImportRunner, ImportRunnerOptions } from "./import-runner.ts";

export type ImportService = JobService & Services["imports"];

const ENDED: readonly string[] = ["succeeded", "failed", "cancelled"] satisfies ImportRequest["status"][];

export function importService(options: ImportRunnerOptions): ImportService {
  const uploads = uploadsAt(options.home, options.objects);
  /** The credential that imports run with; undefined while this process runs no imports. */
  let as: Credential | undefined;
  let loaded: Promise<ImportRunner> | undefined;
  /** Loaded on the first import, to keep startup fast. */
  const runner = (): Promise<ImportRunner> => {
    loaded ??= import("./import-runner.ts").then(({ ImportRunner }) => new ImportRunner({ ...options, as: () => as }));
    return loaded;
  };
  let known: Promise<ImportFormat[]> | undefined;

  async function addOffsets(one: ImportUpload | ImportRequest): Promise<void> {
    if (one.object === "import_upload") one.offset = await uploads.bytes(one.import_upload_id);
    // When an import has ended, its files are deleted, so their offsets no longer matter.
    if (one.object === "import_request" && !ENDED.includes(one.status)) {
      for (const file of one.files) file.offset = await uploads.bytes(file.import_upload_id);
    }
  }

  return {
    effects: {
      wakesImports: async () => (await runner()).wake(),
      stopsImport: async ({ id }) => (await runner()).stop(id),
    },
    /** Read once, because the formats do not change while a server runs. */
    formats() {
      known ??= askFormats();
      known.catch(() => {
        known = undefined;
      });
      return known;
    },
    plan: async (id, answers) => (await runner()).plan(id, answers),
    requireFiles: async (id) => (await runner()).requireFiles(id),
    /** The engine has no access to the files, so the number of bytes that have arrived is added to its results here. */
    async withOffsets(answer) {
      for (const one of [answer].flat()) await addOffsets(one as ImportUpload | ImportRequest);
      return answer;
    },
    begin(credential) {
      as = credential;
      if (uploads.any()) void runner().then((running) => running.wake());
    },
    async news() {
      await (await runner()).review();
    },
    async rest() {
      as = undefined;
      const running = await loaded;
      loaded = undefined;
      await running?.close();
    },
    async idle() {
      await (await loaded)?.idle();
    },
    async close() {
      await (await loaded)?.close();
    },
  };
}

async function askFormats(): Promise<ImportFormat[]> {
  const [formats] = await once(new Worker(programFile(import.meta.url, "./formats-thread")), "message");
  return formats as ImportFormat[];
}
