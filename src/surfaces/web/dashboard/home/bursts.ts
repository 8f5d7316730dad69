// Summarises a day in a few lines: the messages of one chat are grouped, and so are plays, visits and measurements.
import type { Kind } from "../../../../contract/kinds.ts";
import { textOf } from "../../kinds/item.ts";
import type { TimelineItem } from "./timeline-items.ts";

export interface Burst {
  kind: Kind;
  /** The chat's name; for other kinds, the source's name. */
  name: string;
  /** Newest first. */
  items: TimelineItem[];
}

/** A single record, or a burst of records. */
export type DayPart = TimelineItem | Burst;

export const isBurst = (part: DayPart): part is Burst => "items" in part;

/** Kinds with many records that say little individually. */
const GROUPED: readonly Kind[] = ["message", "play", "page", "measurement", "command", "photo"];

/** Groups the items of a day, in the order of the latest record in each part. */
export function partsOfDay(items: readonly TimelineItem[]): DayPart[] {
  const groups = new Map<string, Burst>();
  const parts: DayPart[] = [];
  for (const item of items) {
    const { kind } = item;
    if (kind === undefined || !GROUPED.includes(kind)) {
      parts.push(item);
      continue;
    }
    const name = (kind === "message" ? textOf(item, "conversation") : undefined) ?? item.source;
    const key = JSON.stringify([item.connection_id, item.stream, name]);
    const known = groups.get(key);
    if (known !== undefined) known.items.push(item);
    else {
      const burst: Burst = { kind, name, items: [item] };
      groups.set(key, burst);
      parts.push(burst);
    }
  }
  return parts.map((part) =>
    isBurst(part) && part.items.length === 1 && part.kind !== "photo" ? part.items[0]! : part,
  );
}
