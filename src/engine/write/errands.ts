// Errands: what a click on a page has started, kept where every process of the owner sees it.
import { z } from "zod";
import type { JsonValue } from "../../contract/record.ts";
import type { ReadView, WriteView } from "../../store/store.ts";

const KIND = "errand";

export const errandName = z.strictObject({ name: z.string().min(1).max(50) });
/** As the pages have it. */
export const errandKept = errandName.extend({ errand: z.json() });

export interface KeptErrand {
  errand: JsonValue;
  /** When its process was last heard of. */
  at: number;
}

export async function keptErrand(view: ReadView, subjectId: string, name: string): Promise<KeptErrand | undefined> {
  return (await view.item(subjectId, KIND, name))?.body as unknown as KeptErrand | undefined;
}

export async function keepErrand(
  view: WriteView,
  subjectId: string,
  { name, errand }: z.infer<typeof errandKept>,
  now: number,
) {
  const body = { errand, at: now } as unknown as JsonValue;
  await view.putItem(subjectId, { kind: KIND, id: name, holder: null, createdAt: now, dueAt: null, body });
  return {};
}
