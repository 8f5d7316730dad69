// Measures two sides in one run, alternating, so that a drifting clock affects both equally. Reports medians, never
// means.

export type Work = (index: number) => Promise<unknown> | unknown;

export interface Sides {
  ours: Work;
  yardstick: Work;
}

export interface Sample {
  median: number;
  p99: number;
}

export interface Compared {
  ours: Sample;
  yardstick: Sample;
  ratio: number;
  /** Milliseconds of CPU time per call, over all threads of this process. A busy machine does not distort them. */
  cpu?: { ours: number; yardstick: number };
}

export interface Effort {
  /** Rounds for each side. */
  rounds: number;
  /** How many of the rounds are for warming up and are not counted; one by default. */
  warmUp?: number;
  /** Calls per round. */
  calls: number;
}

const WARM_UP_CALLS = 1000;
const WARM_UP_MS = 3000;

/** V8 compiles our code while it runs, which takes about a thousand short calls. SQLite is compiled already. */
export async function warm(call: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + WARM_UP_MS;
  for (let calls = 0; calls < WARM_UP_CALLS && performance.now() < end; calls++) await call();
}

/** Makes one call at a time and samples the milliseconds of each call. */
export async function alternate(sides: Sides, { rounds, warmUp = 1, calls }: Effort): Promise<Compared> {
  const ours: number[] = [];
  const yardstick: number[] = [];
  const spent = new Map<number[], number[]>([ours, yardstick].map((times) => [times, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [work, times] of [[sides.ours, ours] as const, [sides.yardstick, yardstick] as const]) {
      const before = process.cpuUsage();
      for (let call = 0; call < calls; call++) {
        const taken = await milliseconds(() => work(round * calls + call));
        if (round >= warmUp) times.push(taken);
      }
      const { user, system } = process.cpuUsage(before);
      if (round >= warmUp) spent.get(times)!.push((user + system) / 1000 / calls);
    }
  }
  const cpu = { ours: median(spent.get(ours)!), yardstick: median(spent.get(yardstick)!) };
  return { ...compare(ours, yardstick), cpu };
}

/** Keeps several calls in flight and samples the milliseconds per call in each round. */
export async function alternateInFlight(sides: Sides, { rounds, calls }: Effort, inFlight: number): Promise<Compared> {
  const ours: number[] = [];
  const yardstick: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [work, times] of [[sides.ours, ours] as const, [sides.yardstick, yardstick] as const]) {
      const taken = await milliseconds(() => flood(work, round * calls, calls, inFlight));
      if (round > 0) times.push(taken / calls);
    }
  }
  return compare(ours, yardstick);
}

export async function flood(work: Work, first: number, calls: number, inFlight: number): Promise<void> {
  let next = first;
  const runner = async (): Promise<void> => {
    while (next < first + calls) await work(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, runner));
}

export async function milliseconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function compare(ours: readonly number[], yardstick: readonly number[]): Compared {
  const sides = { ours: sampleOf(ours), yardstick: sampleOf(yardstick) };
  return { ...sides, ratio: sides.ours.median / sides.yardstick.median };
}

export function sampleOf(times: readonly number[]): Sample {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

export const median = (values: readonly number[]): number => sampleOf(values).median;

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
