// Work that a click starts and that may take longer than a click: begun once, looked at by its page until it is done.
import { PdppError } from "../../contract/errors.ts";
import { sentence } from "./format.ts";

export interface Errand<T> {
  startedAt: string;
  /** Of one that is under way. */
  progress?: string;
  endedAt?: string;
  result?: T;
  /** What went wrong, in words. */
  failed?: string;
}

export interface Errands {
  /** The last one of this name since the server started. */
  last<T>(name: string): Errand<T> | undefined;
  /** Starts it unless it is under way; resolves when it is done, or when it turns out to take longer. */
  start<T>(name: string, work: (onProgress: (text: string) => void) => Promise<T>): Promise<void>;
}

/** Most are done by then, and their page needs no second look. */
const MOMENT_MS = 900;

export function errandsOf(log: (text: string) => void): Errands {
  const held = new Map<string, Errand<unknown>>();
  return {
    last: <T>(name: string) => held.get(name) as Errand<T> | undefined,
    async start(name, work) {
      const before = held.get(name);
      if (before !== undefined && before.endedAt === undefined) return;
      const errand: Errand<unknown> = { startedAt: new Date().toISOString() };
      held.set(name, errand);
      const done = work((text) => {
        errand.progress = text;
      })
        .then(
          (result) => {
            errand.result = result;
          },
          (error: unknown) => {
            errand.failed = inWords(error, log);
          },
        )
        .finally(() => {
          errand.endedAt = new Date().toISOString();
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
    return "Something went wrong here; the server's log says more.";
  }
  const { next_step } = error.details;
  return [sentence(error.message), ...(next_step === undefined ? [] : [next_step])].join(" ");
}
