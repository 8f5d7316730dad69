// The thread that updates records.
import { formatInstant } from "../../core/instant.ts";
import { takeJobs } from "../job-thread.ts";
import type { SyncAsk } from "./records-sink.ts";
import { type SyncOptions, SyncRun } from "./sync-run.ts";

takeJobs<SyncOptions, SyncAsk>({
  begin(options, { onProgress, ask }) {
    const handlers = { onProgress, ask: async (asked: SyncAsk) => (await ask(asked)) as number };
    const run = new SyncRun(options, handlers, formatInstant(Date.now()));
    return {
      control: run.control,
      async run() {
        const result = await run.run();
        return run.control.isStopped ? undefined : result;
      },
    };
  },
});
