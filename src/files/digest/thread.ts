// The thread that searches for duplicates.
import { takeJobs } from "../job-thread.ts";
import { type DigestOptions, DigestRun } from "./digest-run.ts";

takeJobs<DigestOptions>({
  begin(options, { onProgress }) {
    const run = new DigestRun(options, onProgress);
    return {
      control: run.control,
      async run() {
        const progress = await run.run();
        return run.control.isStopped ? undefined : { progress };
      },
    };
  },
});
