// Decides whether this process should get requests: its store responds in time, and it is not about to stop.
import { setTimeout as sleep } from "node:timers/promises";
import { failureText, PdppError } from "../../contract/errors.ts";
import type { Readiness } from "../../contract/operations.ts";

export interface ReadinessProbe {
  look(): Promise<Readiness>;
  /** From now on, reports that the server is not ready, even if the store is available. */
  drain(): void;
}

/** If a trivial read takes longer, the store is delaying everyone. */
const BOUND_MS = 2000;
/** Probes within this time get the same result, so a flood of them costs one read per second. */
const KEPT_MS = 1000;

const READY: Readiness = { status: "ready" };
const STOPPING: Readiness = {
  status: "not_ready",
  reason: "this process is stopping; it is only finishing open requests",
  next_step: "Send requests to another process, or try again when a new one is ready.",
};

export function readinessOf(
  isUsable: () => Promise<unknown>,
  {
    now = () => performance.now(),
    boundMs = BOUND_MS,
    log,
  }: { now?: () => number; boundMs?: number; log?: (text: string) => void } = {},
): ReadinessProbe {
  let draining = false;
  let isAway = false;
  let kept: { until: number; answer: Promise<Readiness> } | undefined;
  let asked: Promise<Readiness> | undefined;

  /** Logs each outage only once. */
  const away = (why: string): void => {
    if (!isAway) log?.(`not ready: ${why}`);
    isAway = true;
  };
  /** A store's messages can contain file and host names; its code cannot. The log has the full message. */
  const failed = (error: unknown): Readiness => {
    away(failureText(error));
    return {
      status: "not_ready",
      reason: `the store failed to answer: ${error instanceof PdppError ? error.code : "api_error"}`,
      next_step:
        "GET /readyz again in a second. If it does not recover, the server's log says what failed, and `pdpp doctor` checks further.",
    };
  };
  /**
   * Checks that the store answers and accepts writes. The check is not recorded in the audit log. Only one runs at a
   * time, so a store that hangs is not queried again until it has answered.
   */
  const answered = (): Promise<Readiness> => {
    asked ??= isUsable()
      .then(() => {
        if (isAway) log?.("the store is responding again");
        isAway = false;
        return READY;
      }, failed)
      .finally(() => {
        asked = undefined;
      });
    return asked;
  };
  const inTime = async (): Promise<Readiness> => {
    const over = new AbortController();
    const late = sleep(boundMs, undefined, { ref: false, signal: over.signal }).then(
      () => {
        const answer = tooLate(boundMs);
        away(answer.reason);
        return answer;
      },
      () => READY,
    );
    const answer = await Promise.race([answered(), late]);
    over.abort();
    return answer;
  };
  return {
    async look() {
      if (draining) return STOPPING;
      if (kept === undefined || now() >= kept.until) {
        const looked = { until: Number.POSITIVE_INFINITY, answer: inTime() };
        kept = looked;
        void looked.answer.then(() => {
          looked.until = now() + KEPT_MS;
        });
      }
      const answer = await kept.answer;
      return draining ? STOPPING : answer;
    },
    drain() {
      draining = true;
    },
  };
}

const tooLate = (boundMs: number): Extract<Readiness, { status: "not_ready" }> => ({
  status: "not_ready",
  reason: `the store did not answer within ${boundMs / 1000} s`,
  next_step:
    "GET /readyz again in a second. If it does not recover, check that the disk or the database is available and not overloaded.",
});
