// The scanning thread. It stays alive for the next scan, because starting it takes longer than rescanning a small
// unchanged tree.
import { takeJobs, type WorkProgress } from "../job-thread.ts";
import { RootGone, RootIsHome, type ScanOptions, type ScanProgress, ScanRun } from "./scan-run.ts";
import { Scanners } from "./scanners.ts";

export type ScanThreadData = Omit<ScanOptions, "onProgress" | "now" | "processes">;

const processes = new Scanners();

takeJobs<ScanThreadData>({
  begin(options, host) {
    const progressOf = ({ files, dirs, bytes, problems, checked }: ScanProgress): WorkProgress => {
      const nodes = Math.max(files + dirs, checked);
      return { nodes, files, dirs, bytes, problems, ...(whole ? { share: nodes / whole } : {}) };
    };
    const onProgress = (progress: ScanProgress): void => host.onProgress(progressOf(progress));
    const run = new ScanRun({ ...options, processes, now: Date.now, onProgress });
    const whole = options.verify ? run.previous?.nodes : run.previous?.dirs;
    return {
      control: { pause: () => run.pause(), resume: () => run.resume(), stop: () => run.stop() },
      async run() {
        const { scan, progress } = await run.run();
        return { scan, progress: { ...progressOf(progress), nodes: progress.files + progress.dirs } };
      },
      close: () => run.close(),
    };
  },
  reasonOf,
  onClose: () => processes.end(),
});

function reasonOf(error: unknown): string {
  if (error instanceof RootGone) return "the root does not exist; mount or restore it, or remove it from the roots";
  if (error instanceof RootIsHome) return "the root is a Postern home or a backup of one; remove it from the roots";
  const { errcode, code } = error as { errcode?: number; code?: string };
  if (errcode === 13 || code === "ENOSPC") return "the home's disk is full; free space and index the root again";
  return error instanceof Error ? error.message : String(error);
}
