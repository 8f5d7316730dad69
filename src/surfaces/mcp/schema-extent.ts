// Says in a few words how much a stream contains: "email, 4694, 2023-01-02/2026-06-30".
import type { StreamIndexRow, StreamMetadata } from "../../contract/schema-document.ts";

export function extentText({ kind, record_count = 0, time_span }: StreamIndexRow | StreamMetadata): string {
  return [kind, String(record_count), time_span && daysOf(time_span)].filter((part) => part !== undefined).join(", ");
}

/** Formats an ISO 8601 interval, or one day. */
function daysOf({ first, last }: { first: string; last: string }): string {
  const days = new Set([first.slice(0, 10), last.slice(0, 10)]);
  return [...days].join("/");
}
