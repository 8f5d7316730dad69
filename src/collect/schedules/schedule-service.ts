// Schedules in a serving process: a new or changed schedule is checked at once.
import type { JobService } from "../../engine/jobs.ts";
import { noteState } from "../connectors/run-folder.ts";
import { Scheduler, type SchedulerOptions } from "./scheduler.ts";

/** How often to check whether a command has left a note. */
const POLL_MS = 1000;

export function scheduleService({ home, ...options }: SchedulerOptions & { home: string }): JobService {
  let scheduler: Scheduler | undefined;
  let watch: NodeJS.Timeout | undefined;
  async function stop(): Promise<void> {
    clearInterval(watch);
    const running = scheduler;
    [watch, scheduler] = [undefined, undefined];
    await running?.close();
  }
  return {
    effects: { wakesSchedules: () => scheduler?.wake() },
    begin(as) {
      scheduler ??= new Scheduler({ ...options, as });
      let noted = noteState(home);
      // A command outside this server can create schedules and request runs.
      watch ??= setInterval(() => {
        const now = noteState(home);
        if (now !== noted) scheduler?.wake();
        noted = now;
      }, POLL_MS).unref();
    },
    async news() {
      scheduler?.wake();
    },
    async idle() {
      await scheduler?.idle();
    },
    rest: stop,
    close: stop,
  };
}
