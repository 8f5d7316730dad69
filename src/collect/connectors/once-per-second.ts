// Reports the latest of many values at most once per second.

const INTERVAL_MS = 1000;

export interface ThrottledReport<T> {
  tell(value: T): void;
  /** Resolves when the last value has been reported. */
  end(): Promise<void>;
}

export function oncePerSecond<T>(tell: (value: T) => Promise<unknown>): ThrottledReport<T> {
  let next: { value: T } | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let reporting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (next === undefined || reporting !== undefined) return;
    const { value } = next;
    next = undefined;
    reportedAt = performance.now();
    reporting = tell(value).then(() => {
      reporting = undefined;
      if (next !== undefined) later();
    });
  }

  function later(): void {
    timer ??= setTimeout(send, Math.max(0, reportedAt + INTERVAL_MS - performance.now()));
  }

  return {
    tell(value) {
      next = { value };
      if (reporting === undefined) later();
    },
    async end() {
      await reporting;
      send();
      await reporting;
    },
  };
}
