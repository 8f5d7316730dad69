// An engine with a scheduler behind it: what a server wraps its host in. A new schedule is looked at once.
import type { EngineHost } from "../../engine/host.ts";
import type { MethodName } from "../../engine/methods.ts";
import { noteState } from "../connectors/run-place.ts";
import { Scheduler, type SchedulerOptions } from "./scheduler.ts";

export interface SchedulingHost extends EngineHost {
  /** From now on what is due is run. */
  start(): void;
  /** Resolves when nothing that was due is left to do. */
  scheduled(): Promise<void>;
  /** Nothing more is run, and what runs is left to the next server; all other calls still work. */
  stop(): Promise<void>;
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
    await scheduler?.close();
  }
  return {
    ...host,
    async call(method, query, credential, requestId) {
      const body = await host.call(method, query, credential, requestId);
      if (WAKES.includes(method)) scheduler?.wake();
      return body;
    },
    start() {
      scheduler ??= new Scheduler(options);
      let noted = noteState(home);
      // A command beside this server makes schedules, and wants some run now.
      watch ??= setInterval(() => {
        const now = noteState(home);
        if (now !== noted) scheduler?.wake();
        noted = now;
      }, LOOK_MS).unref();
    },
    async scheduled() {
      await scheduler?.idle();
    },
    stop,
    async close() {
      await stop();
      await host.close();
    },
  };
}
