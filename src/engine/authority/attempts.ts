// Counts attempts across all of an owner's processes, so that an address has one limit whichever server it reaches.
import { createHash } from "node:crypto";
import type { z } from "zod";
import type { attempt } from "../../contract/auth.ts";
import { returnPermit, takePermit } from "../../core/rate.ts";
import type { WriteView } from "../../store/store.ts";

// The kind under which databases store these rows.
const KIND = "turn";
/** How many full buckets each attempt deletes, which is more than it adds. */
const SWEPT = 20;

export async function countAttempt(
  view: WriteView,
  subjectId: string,
  { limit, key, points, seconds, back }: z.infer<typeof attempt>,
  now: number,
): Promise<{ wait_seconds?: number }> {
  // Hashed, because the addresses themselves are not needed later.
  const id = createHash("sha256").update(`${limit}\n${key}`).digest("base64url");
  const before = (await view.item(subjectId, KIND, id))?.dueAt ?? undefined;
  const taken = back
    ? { fullAt: returnPermit(before ?? now, { points, seconds }) }
    : takePermit(before, now, { points, seconds });
  if ("waitSeconds" in taken) return { wait_seconds: taken.waitSeconds };
  const dueAt = Math.ceil(taken.fullAt);
  await view.putItem(subjectId, { kind: KIND, id, holder: null, createdAt: now, dueAt, body: null });
  for (const { id: full } of await view.dueItems(subjectId, KIND, now, SWEPT))
    if (full !== id) await view.deleteItem(subjectId, KIND, full);
  return {};
}
