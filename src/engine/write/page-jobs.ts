// Jobs started from a page, stored where all of the owner's processes can see them.
import { z } from "zod";
import type { JsonValue } from "../../contract/record.ts";
import type { ReadView, WriteView } from "../../store/store.ts";

// The kind under which databases store these items.
const KIND = "errand";

export const pageJobName = z.strictObject({ name: z.string().min(1).max(50) });
/** In the form that pages use. */
export const pageJobKept = pageJobName.extend({ job: z.json() });

export interface KeptPageJob {
  job: JsonValue;
  /** When the job's process last reported. */
  at: number;
}

export async function keptPageJob(view: ReadView, subjectId: string, name: string): Promise<KeptPageJob | undefined> {
  return (await view.item(subjectId, KIND, name))?.body as unknown as KeptPageJob | undefined;
}

export async function keepPageJob(
  view: WriteView,
  subjectId: string,
  { name, job }: z.infer<typeof pageJobKept>,
  now: number,
) {
  const body = { job, at: now } as unknown as JsonValue;
  await view.putItem(subjectId, { kind: KIND, id: name, holder: null, createdAt: now, dueAt: null, body });
  return {};
}
