// The requested part of the stream: some keys, some fields or a period, but usually all of it.

import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { isObject } from "./channel.ts";

export interface CollectScope {
  hasKey(key: string): boolean;
  /** Returns the requested part of the record, or undefined if it is not requested. */
  pick(key: string, data: JsonObject): JsonObject | undefined;
}

/** `timeField` is the field that a period applies to. Returns undefined if the stream is not requested. */
export function scopeFrom(given: JsonValue | undefined, stream: string, timeField: string): CollectScope | undefined {
  const streams = isObject(given) && Array.isArray(given.streams) ? given.streams.filter(isObject) : undefined;
  const own = streams === undefined ? {} : streams.find(({ name }) => name === stream);
  if (own === undefined) return undefined;
  const keys = Array.isArray(own.resources) ? new Set(own.resources.map(String)) : undefined;
  const fields = Array.isArray(own.fields) ? new Set(["id", ...own.fields.map(String)]) : undefined;
  const range = isObject(own.time_range) ? own.time_range : {};
  const since = instant(range.since ?? range.from);
  const until = instant(range.until ?? range.to);
  const hasKey = (key: string): boolean => keys === undefined || keys.has(key);
  return {
    hasKey,
    pick(key, data) {
      if (!hasKey(key)) return undefined;
      const time = instant(data[timeField]);
      if (since !== undefined && (time === undefined || time < since)) return undefined;
      if (until !== undefined && (time === undefined || time >= until)) return undefined;
      if (fields === undefined) return data;
      return Object.fromEntries(Object.entries(data).filter(([name]) => fields.has(name)));
    },
  };
}

function instant(value: JsonValue | undefined): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
