// The files lens behind /api. It is loaded and opened with the first call, so that startup does not wait for it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Credential } from "../engine/caller.ts";
import type { FilesLens } from "../files/shell/lens.ts";
import type { Exchange } from "../surfaces/http/respond.ts";
import type { FileJobReader } from "../surfaces/rest/job-events.ts";

export interface FilesApi {
  handle(exchange: Exchange, session?: Credential): Promise<Response>;
  fileJob: FileJobReader;
}

/** Import, export and scan jobs are all read at one address. */
export const isJobRead = (pathname: string): boolean => /^\/api\/jobs\/[^/]*$/.test(pathname);

export function filesApi(home: string, files: () => Promise<FilesLens>): FilesApi {
  let handler: Promise<FilesApi["handle"]> | undefined;
  return {
    async handle(exchange, session) {
      handler ??= Promise.all([files(), import("../surfaces/files/http.ts")]).then(([lens, { filesHttpHandler }]) =>
        filesHttpHandler({ lens }),
      );
      // After a failed load, the next call tries again.
      handler.catch(() => {
        handler = undefined;
      });
      return (await handler)(exchange, session);
    },
    async fileJob(exchange, credential, id) {
      // A home that never had a root has no scan jobs, and reading them must not create a catalogue.
      if (!existsSync(join(home, "files", "catalogue.db"))) return undefined;
      const [lens, { fileJobReader }] = await Promise.all([files(), import("../surfaces/files/job-read.ts")]);
      return fileJobReader(lens, exchange, credential, id);
    },
  };
}
