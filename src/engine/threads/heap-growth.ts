// Limits how far the heaps of a serving process grow (O-09). By default, V8 uses what a large machine offers: 180 MB in
// the main thread for 30 MB of live data.
import { setFlagsFromString } from "node:v8";

/** Half of a thread's initial young generation. */
const YOUNG_HALF_MB = 3;
/** How much garbage the old generation may contain, relative to live data, before it is collected. */
const GARBAGE_PERCENT = 40;

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
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
}
