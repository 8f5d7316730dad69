// An engine with a scheduler behind it: what a server wraps its host in. A new schedule is looked at once.
import type { EngineHost } from "../../engine/host.ts";
import type { MethodName } from "../../engine/methods.ts";
import { Scheduler, type SchedulerOptions } from "./scheduler.ts";

export interface SchedulingHost extends EngineHost {
  /** From now on what is due is run. */
  start(): void;
  /** Resolves when nothing that was due is left to do. */
  scheduled(): Promise<void>;
}

const WAKES: readonly MethodName[] = ["putSchedule", "watchFolder", "runSchedule", "resumeSchedule"];

export function schedulingHost(options: SchedulerOptions): SchedulingHost {
  const { host } = options;
  let scheduler: Scheduler | undefined;
  return {
    ...host,
    async call(method, query, credential, requestId) {
      const body = await host.call(method, query, credential, requestId);
      if (WAKES.includes(method)) scheduler?.wake();
      return body;
    },
    start() {
      scheduler ??= new Scheduler(options);
    },
    async scheduled() {
      await scheduler?.idle();
    },
    async close() {
      await scheduler?.close();
      await host.close();
    },
  };
}
