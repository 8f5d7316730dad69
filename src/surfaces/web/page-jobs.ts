// Work that a click starts and that may take longer than the click. It is started once, and its page shows it until it
// is done. If several processes serve the owner, each of them shows it.
import { PdppError } from "../../contract/errors.ts";
import type { EngineHost } from "../../engine/host.ts";
import { sentence } from "./format.ts";

export interface PageJob<T> {
  startedAt: string;
  /** Set while the job runs. */
  progress?: string;
  endedAt?: string;
  result?: T;
  /** The problem in words. */
  failed?: string;
}

export interface PageJobs {
  /** Returns the last job with this name. With a single process, only jobs since the process started. */
  last<T>(name: string): Promise<PageJob<T> | undefined>;
  /** Starts the job unless it is running. Resolves when it is done, or when it turns out to take longer. */
  start<T>(name: string, work: (onProgress: (text: string) => void) => Promise<T>): Promise<void>;
}

/** Most jobs are done within this time, so their page does not have to be loaded again. */
const MOMENT_MS = 900;
/** The interval at which a process reports that a job is still running, and how long it may be silent. */
const BEAT_MS = 2000;
const SILENT_MS = 30_000;

const HOME = { home: true } as const;
const isUnderWay = (job: PageJob<unknown> | undefined): boolean => job !== undefined && job.endedAt === undefined;

/** `shared` is set if several processes serve the owner. */
export function pageJobsOf(log: (text: string) => void, shared?: EngineHost): PageJobs {
  const held = new Map<string, PageJob<unknown>>();

  async function last<T>(name: string): Promise<PageJob<T> | undefined> {
    const own = held.get(name) as PageJob<T> | undefined;
    return shared === undefined || isUnderWay(own) ? own : kept(shared, name);
  }

  async function kept<T>(host: EngineHost, name: string): Promise<PageJob<T> | undefined> {
    const found = await host.call("pageJob", { name }, HOME);
    if (found === null) return undefined;
    const { at } = found;
    const job = found.job as unknown as PageJob<T>;
    if (!isUnderWay(job) || Date.now() - at < SILENT_MS) return job;
    const { progress: _, ...rest } = job;
    return {
      ...rest,
      endedAt: new Date(at).toISOString(),
      failed: "The server stopped before this was finished. Try again.",
    };
  }

  const keep = async (name: string, job: PageJob<unknown>): Promise<void> => {
    await shared?.call("keepPageJob", { name, job: job as never }, HOME);
  };
  /** If this fails, the page shows less or is late, but the work continues. */
  const tell = (name: string, job: PageJob<unknown>): Promise<void> =>
    keep(name, job).catch((error: unknown) => log(inWords(error, log)));

  return {
    last,
    async start(name, work) {
      if (isUnderWay(held.get(name))) return;
      const job: PageJob<unknown> = { startedAt: new Date().toISOString() };
      held.set(name, job);
      try {
        if (shared !== undefined && isUnderWay(await kept(shared, name))) {
          held.delete(name);
          return;
        }
      } catch (error) {
        held.delete(name);
        throw error;
      }
      await tell(name, job);
      const beat = shared && setInterval(() => void tell(name, job), BEAT_MS).unref();
      const done = work((text) => {
        job.progress = text;
      })
        .then(
          (result) => {
            job.result = result;
          },
          (error: unknown) => {
            job.failed = inWords(error, log);
          },
        )
        .finally(() => {
          job.endedAt = new Date().toISOString();
          clearInterval(beat);
          return tell(name, job);
        });
      let timer: NodeJS.Timeout | undefined;
      const moment = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, MOMENT_MS);
      });
      await Promise.race([done, moment]);
      clearTimeout(timer);
    },
  };
}

function inWords(error: unknown, log: (text: string) => void): string {
  if (!(error instanceof PdppError)) {
    log(String((error as Error).stack ?? error));
    return "Something went wrong. The server's log has details.";
  }
  const { next_step } = error.details;
  return [sentence(error.message), ...(next_step === undefined ? [] : [next_step])].join(" ");
}
