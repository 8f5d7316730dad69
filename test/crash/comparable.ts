// Makes the records of two connections comparable. Each connection creates ids with its own secret, so they differ by
// design.
import type { JsonObject } from "../../src/contract/json.ts";

export function withoutIds({ id: _id, thread_id: _thread, ...data }: JsonObject): JsonObject {
  return data;
}

/** Sorts in an order that does not depend on ids. */
export const sorted = <T>(records: readonly T[]): T[] =>
  records
    .map((record) => [JSON.stringify(record), record] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, record]) => record);
