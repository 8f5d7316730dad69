// The sum of numbers, rounded once, whatever their order (Shewchuk 1997). Beyond the range of doubles it uses big
// integers.

export interface ExactSum {
  /** Non-overlapping and sorted by increasing magnitude. Their exact sum is the sum so far. */
  partials: number[];
  /** In units of 2^-1074. Set once a partial sum would have overflowed. */
  big?: bigint;
  /** The sum of the infinite values. Adding a finite value does not change it. */
  infinite?: number;
}

const UNIT_BITS = 1074;

export function emptySum(): ExactSum {
  return { partials: [] };
}

export function addExact(sum: ExactSum, value: number): void {
  if (!Number.isFinite(value)) {
    sum.infinite = (sum.infinite ?? 0) + value;
  } else if (sum.big !== undefined) {
    sum.big += toUnits(value);
  } else if (!addToPartials(sum.partials, value)) {
    sum.big = sum.partials.reduce((total, partial) => total + toUnits(partial), toUnits(value));
  }
}

/** Returns false and leaves the partials untouched if a step overflows. */
function addToPartials(partials: number[], value: number): boolean {
  if (Math.abs(value) + Math.abs(partials.at(-1) ?? 0) > Number.MAX_VALUE / 2) return false;
  let x = value;
  let kept = 0;
  for (let i = 0; i < partials.length; i++) {
    let y = partials[i]!;
    if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
    const high = x + y;
    const low = y - (high - x);
    if (low !== 0) partials[kept++] = low;
    x = high;
  }
  partials.length = kept;
  partials.push(x);
  return true;
}

/** Returns null if infinities of both signs were added, because there is no such number. */
export function exactValue(sum: ExactSum): number | null {
  if (sum.infinite !== undefined) return Number.isNaN(sum.infinite) ? null : sum.infinite;
  return (sum.big === undefined ? roundPartials(sum.partials) : fromUnits(sum.big)) + 0;
}

function roundPartials(partials: readonly number[]): number {
  let i = partials.length - 1;
  if (i < 0) return 0;
  let high = partials[i]!;
  let low = 0;
  while (i > 0 && low === 0) {
    const x = high;
    const y = partials[--i]!;
    high = x + y;
    low = y - (high - x);
  }
  // The smaller partials decide halfway cases.
  if (i > 0 && low < 0 === partials[i - 1]! < 0) {
    const twice = low * 2;
    const x = high + twice;
    if (x - high === twice) high = x;
  }
  return high;
}

function toUnits(value: number): bigint {
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0]!;
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const units = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return bits >> 63n ? -units : units;
}

function fromUnits(units: bigint): number {
  const size = units < 0n ? -units : units;
  const shift = Math.max(0, size.toString(2).length - 64);
  const top = size >> BigInt(shift);
  // A sticky bit represents everything that was cut off, so that rounding once is correct.
  const sticky = size === top << BigInt(shift) ? top : top | 1n;
  // Two steps, because 2^-1074 times the rest would not be representable as an intermediate result.
  const value = Number(sticky) * 2 ** Math.max(-UNIT_BITS, shift - UNIT_BITS);
  return units < 0n ? -value : value;
}
