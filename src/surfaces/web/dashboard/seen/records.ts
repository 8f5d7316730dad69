// The records that a request returned, if they still exist (V-06).
import { PdppError } from "../../../../contract/errors.ts";
import type { RecordRead } from "../../../../contract/record.ts";
import type { KindItem } from "../../kinds/item.ts";
import type { Visit } from "../../owner-page.ts";
import type { RecordPlace } from "../explore/addresses.ts";
import { timelineItems } from "../home/timeline-items.ts";
import type { SeenRequest } from "./requests.ts";

export interface GotRecords {
  items: readonly KindItem[];
  /** The number of records deleted since. */
  gone: number;
  /** The number of records that were not looked up. */
  left: number;
}

/** Returns the records by request id. Requests without records are not included. */
export async function recordsGot(
  visit: Pick<Visit, "look">,
  requests: readonly SeenRequest[],
  most: number,
): Promise<Record<string, GotRecords>> {
  const found = await Promise.all(
    requests
      .filter(({ got }) => got.length > 0)
      .map(async ({ requestId, got, records }): Promise<[string, GotRecords]> => {
        const wanted = got.slice(0, most);
        const present = (await Promise.all(wanted.map((place) => recordAt(visit, place)))).flat();
        const items = await timelineItems(visit, present);
        return [
          requestId,
          {
            items,
            gone: wanted.length - items.length,
            left: Math.max(0, Math.max(records, got.length) - wanted.length),
          },
        ];
      }),
  );
  return Object.fromEntries(found);
}

async function recordAt({ look }: Pick<Visit, "look">, place: RecordPlace): Promise<RecordRead[]> {
  try {
    return [await look("record", place)];
  } catch (error) {
    if (error instanceof PdppError && error.status < 500) return [];
    throw error;
  }
}
