// A kind of long-running work, as the rest of the serving process sees it.

import type { Credential } from "./caller.ts";
import type { EffectHandlers } from "./calls/services.ts";

/** Only one of an owner's processes runs the jobs at a time. */
export interface JobHost {
  /** From now on, jobs run here under this credential. Jobs that another process left behind are resumed. */
  begin(as: Credential): void;
  /** Another process wrote something, such as a job to run or to stop. */
  news(): Promise<void>;
  /** Stops running jobs here. Everything else continues. */
  rest(): Promise<void>;
}

export interface JobService extends JobHost {
  /** Handlers for the effects of successful calls. */
  effects: EffectHandlers;
  /** Resolves when no work is left. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
