// How much memory each engine thread may use: the default, or its share of a limit for the whole server (O-09).
import { serversYoungMb } from "./heap-growth.ts";

export interface MemoryShare {
  /** Per thread. */
  resourceLimits: { maxYoungGenerationSizeMb: number; maxOldGenerationSizeMb: number };
  /** The page caches of the connections to records.db: the writer's, and that of each thread that reads. */
  cacheMegabytes: { writer: number; reader: number };
  columnsBudgetBytes?: number;
  searchBudgetBytes?: number;
}

const MEGABYTE = 1024 * 1024;
/**
 * The limit for short-lived objects outside a server. By default, V8 uses up to 128 MB for them in each thread if the
 * machine has it.
 */
const YOUNG_MB = 16;
/** The keeper creates few objects. With the limit of the other threads, it used 6 MB more. */
export const KEEPER_LIMITS = { maxYoungGenerationSizeMb: 3 } as const;
/** Below a gigabyte, V8 collects when garbage is as large as the live data, rather than four times as large. */
const OLD_MB = 1000;

/** The memory of the program itself, with its threads and libraries, before it loads any data. */
export const LEAST_MEMORY_BYTES = 192 * MEGABYTE;
const PROGRAM_BYTES = 160 * MEGABYTE;
const CONNECTIONS = 4;
/**
 * A reader's cache holds the upper levels of the trees, even with millions of records. The other pages are in the
 * system's cache, from which reading takes microseconds. The writer changes pages all over the indexes.
 */
const CACHE_MB = { writer: 16, reader: 2 } as const;

/**
 * If `capBytes` is undefined, no limit was set, and the maximum for one home applies. A server calls
 * `setInitialHeapSize` first.
 */
export function memoryShare(capBytes: number | undefined): MemoryShare {
  if (capBytes === undefined)
    return {
      resourceLimits: { maxYoungGenerationSizeMb: serversYoungMb() ?? YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
      cacheMegabytes: CACHE_MB,
    };
  const data = Math.max(32 * MEGABYTE, capBytes - PROGRAM_BYTES);
  const cache = Math.max(2, Math.floor((data * 0.2) / CONNECTIONS / MEGABYTE));
  return {
    resourceLimits: {
      maxYoungGenerationSizeMb: 8,
      // A thread that reaches this limit stops, and the next call starts a new one. A single large result must still
      // fit.
      maxOldGenerationSizeMb: Math.min(OLD_MB, Math.max(128, Math.floor(capBytes / MEGABYTE))),
    },
    cacheMegabytes: { writer: cache, reader: cache },
    columnsBudgetBytes: Math.floor(data * 0.25),
    searchBudgetBytes: Math.floor(data * 0.35),
  };
}

/** Parses `256M` or `1G`. Returns undefined if the text is not a size. */
export function parseMemory(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,6})\s*(M|MB|MiB|G|GB|GiB)$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  return Number(number) * (unit!.toUpperCase().startsWith("G") ? 1024 : 1) * MEGABYTE;
}
