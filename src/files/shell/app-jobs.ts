// When a grant ends, ends the jobs that its app started. While there are such jobs, it keeps asking the engine whether
// they may continue (G-08).
import { PdppError } from "../../contract/errors.ts";
import type { EngineHost } from "../../engine/host.ts";
import { isTemporary } from "../../engine/job-loop.ts";
import type { JobHolder } from "../catalogue.ts";
import type { LensAccess } from "./lens-access.ts";

export interface AppJobsOptions {
  host: EngineHost;
  files: Pick<LensAccess["files"], "heldJobs" | "cancelJob">;
  log: (text: string) => void;
}

/**
 * A job must end within 1 s of the revocation. The revocation can go unnoticed for this long, and then the thread
 * finishes its current piece.
 */
const LOOK_MS = 300;

export function watchHolders({ host, files, log }: AppJobsOptions) {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let closed = false;

  async function mayGoOn({ grant, connectionId, may }: JobHolder): Promise<boolean> {
    try {
      for (const power of may) {
        const entry = { action: "job", connection_id: connectionId, may: power };
        await host.call("filesBearer", entry, { grant });
      }
      return true;
    } catch (error) {
      if (error instanceof PdppError && !isTemporary(error)) return false;
      throw error;
    }
  }

  async function look(): Promise<void> {
    const held = await files.heldJobs();
    for (const { jobId, holders } of held) {
      const may = await Promise.all(holders.map(mayGoOn));
      if (!may.includes(true)) await files.cancelJob(jobId).catch(unlessEnded);
    }
    if (held.length > 0) later();
  }

  function later(): void {
    if (closed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      looking = look().catch((error: Error) => {
        log(`cannot check whether app jobs may continue: ${error.message}`);
        later();
      });
    }, LOOK_MS).unref();
  }

  return {
    watch: later,
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** Ignores the error of a job that has just ended. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof PdppError)) throw error;
}
