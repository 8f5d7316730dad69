// Looking again after a failure that passes, a store that is away above all: soon at first, then every few seconds.
import { failureText, PdppError } from "../contract/errors.ts";

const PAUSES_MS = [100, 200, 500, 1000, 2000, 5000];

/** It says nothing of the job that met it. */
export const isPassing = (error: unknown): boolean => error instanceof PdppError && error.code === "store_unavailable";

export interface LookAgain {
  /** Whoever looked could not see: said once, until it can again. */
  failed(error: unknown): void;
  worked(): void;
  stop(): void;
}

export function lookAgain(wake: () => void, log: (text: string) => void): LookAgain {
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
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
