// A kind of long work in the serving process, from the view of the rest of the process.

import type { Credential } from "./caller.ts";
import type { EffectHandlers } from "./calls/services.ts";

/** Only one of an owner's processes runs the jobs at a time. */
export interface JobHost {
  /** From now on jobs run here, under this credential; jobs that another process left are resumed. */
  begin(as: Credential): void;
  /** Another process wrote something: a job to run, or to stop. */
  news(): Promise<void>;
  /** Stops running jobs here; everything else continues. */
  rest(): Promise<void>;
}

export interface JobService extends JobHost {
  /** Its handlers for effects of successful calls. */
  effects: EffectHandlers;
  /** Resolves when no work is left. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
