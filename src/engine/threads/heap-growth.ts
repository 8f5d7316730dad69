// How far the heaps of a serving process grow (O-09). Left to itself V8 takes what a large machine has: 180 MB in the first thread for 30 that live.
import { setFlagsFromString } from "node:v8";

/** Half of the young part with which a thread starts. */
const YOUNG_HALF_MB = 4;
/** Garbage that the old part may hold, beside what lives, before it is collected. */
const GARBAGE_PERCENT = 40;

/** Called before the threads start. */
export function sizeHeaps(): void {
  setFlagsFromString(`--min-semi-space-size=${YOUNG_HALF_MB}`);
}

/** Called when the server is ready. The young part of the first thread needed about 16 MB to get there; from then on none grows. */
export function holdHeaps(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
}
