// A full disk is not one file's fault, and no importer may report it as such. The run halts, and continues later.
import type { Reporter } from "./reporter.ts";

const FULL: readonly unknown[] = ["ENOSPC", "EDQUOT"];

export async function orHalt<T>(report: Reporter, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!FULL.includes((error as NodeJS.ErrnoException).code)) throw error;
    report.tell({ halted: { code: "storage_full", reason: "the disk is full" } });
    // The parent ends this process.
    return new Promise(() => undefined);
  }
}
