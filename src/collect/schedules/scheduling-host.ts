// An engine with a scheduler behind it: what a server wraps its host in. A new schedule is looked at once.
import type { EngineHost, JobHost } from "../../engine/host.ts";
import type { MethodName } from "../../engine/methods.ts";
import { noteState } from "../connectors/run-place.ts";
import { Scheduler, type SchedulerOptions } from "./scheduler.ts";

export interface SchedulingHost extends EngineHost, JobHost {
  /** Resolves when nothing that was due is left to do. */
  scheduled(): Promise<void>;
}

const WAKES: readonly MethodName[] = ["putSchedule", "watchFolder", "runSchedule", "resumeSchedule"];

/** How soon a command's note is found. */
const LOOK_MS = 1000;

export function schedulingHost({ home, ...options }: SchedulerOptions & { home: string }): SchedulingHost {
  const { host } = options;
  let scheduler: Scheduler | undefined;
  let watch: NodeJS.Timeout | undefined;
  async function stop(): Promise<void> {
    clearInterval(watch);
    const running = scheduler;
    [watch, scheduler] = [undefined, undefined];
    await running?.close();
  }
  return {
    ...host,
    async call(method, query, credential, requestId) {
      const body = await host.call(method, query, credential, requestId);
      if (WAKES.includes(method)) scheduler?.wake();
      return body;
    },
    begin(as) {
      scheduler ??= new Scheduler({ ...options, as });
      let noted = noteState(home);
      // A command beside this server makes schedules, and wants some run now.
      watch ??= setInterval(() => {
        const now = noteState(home);
        if (now !== noted) scheduler?.wake();
        noted = now;
      }, LOOK_MS).unref();
    },
    async news() {
      scheduler?.wake();
    },
    async scheduled() {
      await scheduler?.idle();
    },
    rest: stop,
    async close() {
      await stop();
      await host.close();
    },
  };
}
