// Limits how far the heaps of a serving process grow (O-09). By default, V8 uses what a large machine offers: 180 MB in
// the main thread for 30 MB of live data.
import { setFlagsFromString } from "node:v8";

/** Half of a thread's initial young generation. */
const YOUNG_HALF_MB = 3;
/** With 0, V8 decides how much garbage is allowed. */
const V8_DEFAULTS = { growth: 2, garbage: 0 } as const;
/** The limits are back after this time, even if a thread's first call takes longer. */
const START_MS = 2_000;
/**
 * How much garbage the old generation may contain, relative to live data, before it is collected. During an import, so
 * little garbage means that each thread is collected every few MB, which took a sixth of the CPU time.
 */
const GARBAGE_PERCENT = { reading: 30, writing: 100 } as const;

let initialYoungMb: number | undefined;
let isLimited = false;
let isWriting = false;
let starting = 0;

/**
 * Called by a server before its threads start. On Linux, `bin/pdpp.js` limits the main thread with
 * `--max-semi-space-size`, which would take precedence over the limits of threads.
 */
export function setInitialHeapSize(): void {
  isLimited = false;
  setFlagsFromString(`--min-semi-space-size=${YOUNG_HALF_MB}`);
  setFlagsFromString("--max-semi-space-size=0");
  initialYoungMb = 3 * YOUNG_HALF_MB;
}

/** The size of a thread's young generation in a server, as a resource limit: V8 counts it as three halves. */
export const serversYoungMb = (): number | undefined => initialYoungMb;

/**
 * Called when the server is ready. The main thread's young generation has needed about 16 MB by then. From then on, no
 * young generation grows, except that of a thread without a limit of its own while another thread starts.
 */
export function limitHeapGrowth(): void {
  isLimited = true;
  setLimits();
}

/** Called when the writer's thread starts and when it ends. */
export function allowGarbageOfWrites(isOpen: boolean): void {
  isWriting = isOpen;
  setLimits();
}

/**
 * Called when the main thread starts another thread, and the returned function when that thread has started. Until then,
 * the limits of `limitHeapGrowth` are off: V8 uses cached code only if it was compiled with the same flags, and Node's
 * own modules were compiled with the default ones. A thread would compile more than a hundred of them again.
 */
export function liftLimitsForStart(): () => void {
  // Not while the server itself starts: the main thread's next collection would set a high limit, which then stays.
  if (!isLimited) return () => undefined;
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    starting--;
    setLimits();
  };
  const timer = setTimeout(end, START_MS).unref();
  starting++;
  setLimits();
  return end;
}

/** V8 reads the flags whenever it has collected a heap. */
function setLimits(): void {
  if (!isLimited) return;
  const { growth, garbage } = starting > 0 ? V8_DEFAULTS : { growth: 1, garbage: garbagePercent() };
  setFlagsFromString(`--semi-space-growth-factor=${growth}`);
  setFlagsFromString(`--heap-growing-percent=${garbage}`);
}

const garbagePercent = (): number => GARBAGE_PERCENT[isWriting ? "writing" : "reading"];
