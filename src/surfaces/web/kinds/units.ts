// The unit of a field, from a field next to it or from its own name.
import { fieldOf, type KindItem, numberOf } from "./item.ts";
import { distanceWords, durationWords, quantity } from "./quantities.ts";

const SECONDS: readonly [RegExp, number][] = [
  [/(^|_)(ms|millis|milliseconds)$/, 0.001],
  [/(^|_)(min|minutes)$/, 60],
  [/(^|_)hours$/, 3600],
];
const METRES: readonly [RegExp, number][] = [
  [/^(km|kilometres|kilometers)$/i, 1000],
  [/^(mi|miles)$/i, 1609.344],
  [/^(m|metres|meters)$/i, 1],
];

/** Returns the number of seconds in a field's unit, according to its name. */
export const secondsIn = (field: string): number => SECONDS.find(([ending]) => ending.test(field))?.[1] ?? 1;

export function durationOf(item: KindItem, role = "duration"): string | undefined {
  const value = numberOf(item, role);
  const field = fieldOf(item, role);
  if (value === undefined || field === undefined || value <= 0) return undefined;
  return durationWords(value * secondsIn(field));
}

/** The unit of `distance` is in `distance_unit`. */
export function unitOf({ data }: KindItem, field: string): string | undefined {
  const unit = data[`${field}_unit`];
  return typeof unit === "string" && unit !== "" ? unit : undefined;
}

export function distanceOf(item: KindItem): string | undefined {
  const value = numberOf(item, "distance");
  const field = fieldOf(item, "distance");
  if (value === undefined || field === undefined || value <= 0) return undefined;
  const unit = unitOf(item, field) ?? field.split("_").at(-1)!;
  const metres = METRES.find(([name]) => name.test(unit))?.[1];
  if (metres !== undefined) return distanceWords(value * metres);
  return unit === field ? distanceWords(value) : quantity(value, unitOf(item, field));
}
