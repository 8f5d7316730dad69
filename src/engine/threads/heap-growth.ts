// Limits how far the heaps of a serving process grow (O-09). By default, V8 uses what a large machine offers: 180 MB in
// the main thread for 30 MB of live data.
import { setFlagsFromString } from "node:v8";

/** Half of a thread's initial young generation. */
const YOUNG_HALF_MB = 3;
/**
 * How much garbage the old generation may contain, relative to live data, before it is collected. During an import, so
 * little garbage means that each thread is collected every few MB, which took a sixth of the CPU time.
 */
const GARBAGE_PERCENT = { reading: 30, writing: 100 } as const;

let isLimited = false;
let isWriting = false;

/** Called before the threads start. */
export function setInitialHeapSize(): void {
  setFlagsFromString(`--min-semi-space-size=${YOUNG_HALF_MB}`);
}

/**
 * Called when the server is ready. The main thread's young generation has needed about 16 MB by then. From then on, no
 * young generation grows.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  isLimited = true;
  limitGarbage();
}

/** Called when the writer's thread starts and when it ends. */
export function allowGarbageOfWrites(isOpen: boolean): void {
  isWriting = isOpen;
  if (isLimited) limitGarbage();
}

/** V8 reads the flag whenever it has collected a heap. */
function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${isWriting ? GARBAGE_PERCENT.writing : GARBAGE_PERCENT.reading}`);
}
