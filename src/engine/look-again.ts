// Looking again after a failure that passes, a store that is away above all: soon at first, then every few seconds.
import { failureText, PdppError } from "../contract/errors.ts";

const PAUSES_MS = [100, 200, 500, 1000, 2000, 5000];

/** It says nothing of the job that met it. */
export const isPassing = (error: unknown): boolean => error instanceof PdppError && error.code === "store_unavailable";

/** A job that meets so many of them in a row, in more than a minute, has met something that lasts. */
const IN_A_ROW = 20;

/** Whether what one job met may still pass. */
export function patience(): { lasts(id: string): boolean; renew(): void } {
  let met: { id: string; times: number } | undefined;
  return {
    lasts(id) {
      if (met?.id !== id) met = { id, times: 0 };
      return ++met.times < IN_A_ROW;
    },
    renew() {
      met = undefined;
    },
  };
}

export interface LookAgain {
  /** Whoever is told that there is something to do meanwhile is told too early. */
  readonly isWaiting: boolean;
  /** Whoever looked could not see: said once, until it can again. */
  failed(error: unknown): void;
  worked(): void;
  stop(): void;
}

export function lookAgain(wake: () => void, log: (text: string) => void): LookAgain {
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    get isWaiting() {
      return timer !== undefined;
    },
    failed(error) {
      if (failures === 0 || !isPassing(error)) log(failureText(error));
      if (!isPassing(error) || timer !== undefined) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          wake();
        },
        PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)],
      ).unref();
    },
    worked() {
      failures = 0;
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
