// An engine that runs imports as jobs: what a server wraps its host in. All other calls go straight through.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ImportRequest, ImportUpload } from "../contract/import-upload.ts";
import type { Credential } from "../engine/caller.ts";
import type { EngineHost, JobHost } from "../engine/host.ts";
import { uploadsAt } from "../engine/uploads.ts";
import { programFile } from "../program-file.ts";
import type { ImportRunner, ImportRunnerOptions } from "./import-runner.ts";

export interface ImportingHost extends EngineHost, JobHost {
  /** Resolves when no import is left to run. */
  imported(): Promise<void>;
}

const ENDED: readonly string[] = ["succeeded", "failed", "cancelled"] satisfies ImportRequest["status"][];

export function importingHost(options: ImportRunnerOptions): ImportingHost {
  const { home, host } = options;
  const uploads = uploadsAt(home, options.objects);
  /** As whom imports are run here, if they are. */
  let as: Credential | undefined;
  let loaded: Promise<ImportRunner> | undefined;
  /** Loaded when there is something to import: a start does not wait for it. */
  const runner = (): Promise<ImportRunner> => {
    loaded ??= import("./import-runner.ts").then(({ ImportRunner }) => new ImportRunner({ ...options, as: () => as }));
    return loaded;
  };
  let known: Promise<string> | undefined;
  /** Asked once: they do not change while a server runs. */
  const formats = (): Promise<string> => {
    known ??= askFormats();
    known.catch(() => {
      known = undefined;
    });
    return known;
  };

  /** The engine knows no files: how much of each is here is added on the way out. */
  async function withOffsets(body: string): Promise<string> {
    const answer = JSON.parse(body) as ImportUpload | ImportRequest | ImportRequest[];
    for (const one of [answer].flat()) {
      if (one.object === "import_upload") one.offset = await uploads.bytes(one.import_upload_id);
      // Of one that ended the files are gone; how much was here once says nothing.
      if (one.object === "import_request" && !ENDED.includes(one.status)) {
        for (const file of one.files) file.offset = await uploads.bytes(file.import_upload_id);
      }
    }
    return JSON.stringify(answer);
  }

  return {
    ...host,
    async call(method, query, credential, requestId) {
      if (method === "startImport") {
        await host.call("admit", { owner: true }, credential, requestId);
        await (await runner()).requireFiles((query as { id: string }).id);
      }
      const body = await host.call(method, query, credential, requestId);
      const { id = "", answers = {} } = query as { id?: string; answers?: Record<string, string> };
      switch (method) {
        case "planImport":
          return JSON.stringify(await (await runner()).plan(id, answers));
        case "startImport":
        case "resumeImport":
          (await runner()).wake();
          return withOffsets(body);
        case "pauseImport":
        case "cancelImport":
          (await runner()).stop(id);
          return withOffsets(body);
        case "importers":
          return formats();
        case "importRequests":
        case "importUpload":
        case "import":
        case "job":
          return withOffsets(body);
      }
      return body;
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
    async imported() {
      await (await loaded)?.idle();
    },
    async close() {
      await (await loaded)?.close();
      await host.close();
    },
  };
}

async function askFormats(): Promise<string> {
  const [formats] = await once(new Worker(programFile(import.meta.url, "./formats-thread")), "message");
  return JSON.stringify(formats);
}
