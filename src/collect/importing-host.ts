// An engine that runs imports as jobs: what a server wraps its host in. All other calls go straight through.
import { existsSync } from "node:fs";
import type { ImportRequest, ImportUpload } from "../contract/import-upload.ts";
import type { EngineHost } from "../engine/host.ts";
import { uploadedBytes, uploadsDirectory } from "../engine/upload-files.ts";
import type { ImportRunner, ImportRunnerOptions } from "./import-runner.ts";

export interface ImportingHost extends EngineHost {
  /** Resolves when no import is left to run. */
  imported(): Promise<void>;
}

export function importingHost(options: ImportRunnerOptions): ImportingHost {
  const { home, host } = options;
  let loaded: Promise<ImportRunner> | undefined;
  /** Loaded when there is something to import: a start does not wait for it. */
  const runner = (): Promise<ImportRunner> => {
    loaded ??= import("./import-runner.ts").then(({ ImportRunner }) => new ImportRunner(options));
    return loaded;
  };
  if (existsSync(uploadsDirectory(home))) void runner();

  /** The engine knows no files: how much of each is here is added on the way out. */
  async function withOffsets(body: string): Promise<string> {
    const answer = JSON.parse(body) as ImportUpload | ImportRequest;
    if (answer.object === "import_upload") answer.offset = await uploadedBytes(home, answer.import_upload_id);
    if (answer.object === "import_request") {
      for (const file of answer.files) file.offset = await uploadedBytes(home, file.import_upload_id);
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
        case "importUpload":
        case "import":
        case "job":
          return withOffsets(body);
      }
      return body;
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
