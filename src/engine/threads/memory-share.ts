// How much memory each thread of the engine may take: by itself, or as its share of a cap for the whole server (O-09).

export interface MemoryShare {
  /** Of each thread. */
  resourceLimits: { maxYoungGenerationSizeMb: number; maxOldGenerationSizeMb: number };
  /** Pages of records.db that each connection holds. */
  cacheMegabytes?: number;
  columnsBudgetBytes?: number;
  searchBudgetBytes?: number;
}

const MEGABYTE = 1024 * 1024;
/** For what is gone at once. Left to itself V8 takes 128 MB for it in each thread where the machine has them. */
const YOUNG_MB = 16;
/** Below a gigabyte V8 collects before garbage is as much as what lives, not four times as much. */
const OLD_MB = 1000;

/** The program itself, its threads and libraries, before it holds any data. */
export const LEAST_MEMORY_BYTES = 192 * MEGABYTE;
const PROGRAM_BYTES = 160 * MEGABYTE;
const CONNECTIONS = 5;

/** undefined: no cap was set; what one home may have at most holds. */
export function memoryShare(capBytes: number | undefined): MemoryShare {
  if (capBytes === undefined)
    return { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB } };
  const data = Math.max(32 * MEGABYTE, capBytes - PROGRAM_BYTES);
  return {
    resourceLimits: {
      maxYoungGenerationSizeMb: 8,
      // A thread that reaches it stops, and the next call starts a new one: a single large answer must still fit.
      maxOldGenerationSizeMb: Math.min(OLD_MB, Math.max(128, Math.floor(capBytes / MEGABYTE))),
    },
    cacheMegabytes: Math.max(2, Math.floor((data * 0.2) / CONNECTIONS / MEGABYTE)),
    columnsBudgetBytes: Math.floor(data * 0.25),
    searchBudgetBytes: Math.floor(data * 0.35),
  };
}

/** `256M`, `1G`; undefined: it is no size. */
export function parseMemory(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,6})\s*(M|MB|MiB|G|GB|GiB)$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  return Number(number) * (unit!.toUpperCase().startsWith("G") ? 1024 : 1) * MEGABYTE;
}
