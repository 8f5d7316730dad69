// Watches a process from outside: resident memory always; silence and processor time while its parent waits for it.
import { type Usage, usageOf } from "./usage.ts";

export interface WatchLimits {
  residentMb: number;
  /** Without a word, by the clock. */
  silenceMs: number;
  /** The same before its first word, because a busy machine may take long to start a process; absent: `silenceMs`. */
  firstWordMs?: number;
  /** Without a word, in processor time: a busy machine makes nothing slow by this measure. */
  silentCpuMs: number;
}

export interface Watchdog {
  /** The parent waits for it from now on. */
  expect(): void;
  /** It said something, or part of it. */
  heard(): void;
  /** The parent is busy: silence is not its fault. */
  rest(): void;
  stop(): void;
}

/** `ps` is its own process: it is started less often than /proc is read. */
const LOOK_MS = process.platform === "linux" ? 100 : 1000;

/** `onLimit` is called once, with the reason. */
export function watch(pid: number, limits: WatchLimits, onLimit: (reason: string) => void): Watchdog {
  const { residentMb, silenceMs, firstWordMs = silenceMs, silentCpuMs } = limits;
  let wordMs = firstWordMs;
  let isExpected = false;
  let heardAt = 0;
  /** undefined: to be taken with the next look. */
  let cpuAtWord: number | undefined;
  let isLooking = false;
  let isOver = false;

  const exceeded = (usage: Usage | undefined): string | undefined => {
    if (usage !== undefined && usage.residentBytes > residentMb * 1024 * 1024)
      return `the parser needed more than ${residentMb} MB of memory`;
    if (!isExpected) return undefined;
    cpuAtWord ??= usage?.cpuMs;
    if (usage !== undefined && usage.cpuMs - cpuAtWord! > silentCpuMs)
      return `the parser worked for ${silentCpuMs / 1000} seconds of CPU time without a result`;
    if (performance.now() - heardAt > wordMs) return `nothing was heard from the parser for ${wordMs / 1000} seconds`;
    return undefined;
  };

  const timer = setInterval(
    async () => {
      if (isLooking) return;
      isLooking = true;
      const usage = await usageOf(pid);
      isLooking = false;
      const reason = isOver ? undefined : exceeded(usage);
      if (reason === undefined) return;
      stop();
      onLimit(reason);
    },
    Math.min(LOOK_MS, Math.max(1, silenceMs)),
  );

  const begin = (): void => {
    heardAt = performance.now();
    cpuAtWord = undefined;
  };
  function stop(): void {
    isOver = true;
    clearInterval(timer);
  }
  return {
    expect() {
      isExpected = true;
      begin();
    },
    heard() {
      wordMs = silenceMs;
      begin();
    },
    rest() {
      isExpected = false;
    },
    stop,
  };
}
