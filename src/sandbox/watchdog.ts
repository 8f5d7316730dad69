// Watches a process from outside: its memory all the time, and its silence and processor time while the parent waits
// for it.
import { type Usage, usageOf } from "./usage.ts";

export interface WatchLimits {
  residentMb: number;
  /** The longest silence, in wall-clock time. */
  silenceMs: number;
  /**
   * The longest silence before the first message. It can be longer, because a busy machine can be slow to start a
   * process. Defaults to `silenceMs`.
   */
  firstWordMs?: number;
  /** The longest silence, in processor time, which a busy machine does not affect. */
  silentCpuMs: number;
  /** How often the process is checked. */
  checkMs?: number;
}

export interface Watchdog {
  /** Called when the parent starts to wait for the process. */
  expect(): void;
  /** Called when the process has sent a message or part of one. */
  heard(): void;
  /** Called when the parent is busy, so that silence is not held against the process. */
  rest(): void;
  stop(): void;
}

/** `ps` is a separate process, so it is started less often than /proc is read. */
const CHECK_MS = process.platform === "linux" ? 100 : 1000;

/** Calls `onLimit` once, with the reason. */
export function watch(pid: number, limits: WatchLimits, onLimit: (reason: string) => void): Watchdog {
  const { residentMb, silenceMs, firstWordMs = silenceMs, silentCpuMs, checkMs = CHECK_MS } = limits;
  let wordMs = firstWordMs;
  let isExpected = false;
  let lastMessageAt = 0;
  /** Undefined until the next check measures it. */
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
    if (performance.now() - lastMessageAt > wordMs) return `the parser sent nothing for ${wordMs / 1000} seconds`;
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
    Math.min(checkMs, Math.max(1, silenceMs)),
  );

  const begin = (): void => {
    lastMessageAt = performance.now();
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
