// Reports the latest of many values at most once per second.

const PACE_MS = 1000;

export interface Paced<T> {
  tell(value: T): void;
  /** Resolves when the last one was reported. */
  end(): Promise<void>;
}

export function oncePerSecond<T>(tell: (value: T) => Promise<unknown>): Paced<T> {
  let next: { value: T } | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  let telling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (next === undefined || telling !== undefined) return;
    const { value } = next;
    next = undefined;
    toldAt = performance.now();
    telling = tell(value).then(() => {
      telling = undefined;
      if (next !== undefined) later();
    });
  }

  function later(): void {
    timer ??= setTimeout(send, Math.max(0, toldAt + PACE_MS - performance.now()));
  }

  return {
    tell(value) {
      next = { value };
      if (telling === undefined) later();
    },
    async end() {
      await telling;
      send();
      await telling;
    },
  };
}
