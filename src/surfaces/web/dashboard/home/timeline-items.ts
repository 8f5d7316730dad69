// Records of many streams, each with its stream's declaration.
import type { RecordRead, Tombstone } from "../../../../contract/record.ts";
import { itemOf, type KindItem } from "../../kinds/item.ts";
import type { Visit } from "../../owner-page.ts";

export interface TimelineItem extends KindItem {
  /** The connection's name. */
  source: string;
}

/** Requests each stream's description only once. */
export async function timelineItems(
  { look }: Pick<Visit, "look">,
  records: readonly (RecordRead | Tombstone)[],
): Promise<TimelineItem[]> {
  const live = records.filter((record) => "data" in record);
  const places = new Map(
    live.map(({ connection_id, stream }) => [`${connection_id}\n${stream}`, { connection_id, stream }]),
  );
  const declared = new Map(
    await Promise.all([...places].map(async ([key, place]) => [key, await look("stream", place)] as const)),
  );
  return live.map((record) => ({
    ...itemOf(record, declared.get(`${record.connection_id}\n${record.stream}`)!),
    source: record.display_name ?? record.connection_id,
  }));
}
