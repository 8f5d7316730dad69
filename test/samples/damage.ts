// Truncates and mutates every sample and runs the importer that recognises it, in a thread with a parser's memory
// limit.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

export interface DamageOptions {
  seed: number;
  /** The number of truncations and mutations per file. */
  truncations: number;
  mutations: number;
  /** Takes at most this many files of each folder, chosen by the seed. Without it, all of them. */
  filesPerFolder?: number;
  onCase?: (cases: number) => void;
}

export interface DamageData extends Omit<DamageOptions, "onCase"> {
  samples: string;
  scratch: string;
}

export type FromDamage = { begun: string } | { ended: string; importers: string[]; events: number; thrown: string[] };

export interface DamageReport {
  cases: number;
  events: number;
  /** The number of cases that each importer still recognised. */
  taken: Record<string, number>;
  /** Errors that a run threw. */
  thrown: string[];
  worst: { name: string; ms: number };
  /** The peak memory of the whole process. */
  peakBytes: number;
}

/** A damaged file that takes more CPU time than this counts as a hang. CPU time does not increase on a busy machine. */
const CASE_MS = 5000;
const LOOK_MS = 250;
/** The memory limits of a parser's thread. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** Rejects if a case hangs, needs too much memory or crashes the thread. */
export async function damageSamples({ onCase, ...options }: DamageOptions): Promise<DamageReport> {
  const samples = process.env.PDPP_SAMPLES ?? "";
  if (!existsSync(samples)) throw new Error(`$PDPP_SAMPLES is not a folder: "${samples}"`);
  const scratch = mkdtempSync(join(tmpdir(), "postern-damage-"));
  const report: DamageReport = { cases: 0, events: 0, taken: {}, thrown: [], worst: { name: "", ms: 0 }, peakBytes: 0 };
  const worker = new Worker(new URL("./damage-thread.ts", import.meta.url), {
    workerData: { ...options, samples, scratch } satisfies DamageData,
    resourceLimits: MEMORY,
  });
  let current = "its start";
  let since = process.cpuUsage();
  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1000;
  };
  let watch: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const broken = (reason: unknown): void => reject(new Error(`seed ${options.seed}: ${current}: ${reason}`));
      worker.on("message", (message: FromDamage) => {
        if ("begun" in message) {
          current = message.begun;
          since = process.cpuUsage();
          return;
        }
        const ms = cpuMs();
        report.cases++;
        report.events += message.events;
        for (const name of message.importers) report.taken[name] = (report.taken[name] ?? 0) + 1;
        report.thrown.push(...message.thrown.map((text) => `${message.ended}: ${text}`));
        if (ms > report.worst.ms) report.worst = { name: message.ended, ms };
        report.peakBytes = Math.max(report.peakBytes, process.memoryUsage.rss());
        onCase?.(report.cases);
      });
      watch = setInterval(() => {
        if (cpuMs() > CASE_MS) broken(`works for more than ${CASE_MS} ms of CPU time`);
      }, LOOK_MS);
      worker.once("error", (error) => broken(error instanceof Error ? error.stack : error));
      worker.once("exit", () => resolve());
    });
  } finally {
    clearInterval(watch);
    await worker.terminate();
    rmSync(scratch, { recursive: true, force: true });
  }
  return report;
}
