// Turns that all processes of an owner count together: how often one address may try, whichever server it meets.
import { createHash } from "node:crypto";
import type { z } from "zod";
import type { turn } from "../../contract/auth.ts";
import { giveTurn, takeTurn } from "../../core/turns.ts";
import type { WriteView } from "../../store/store.ts";

const KIND = "turn";
/** Buckets that are full again and go with each turn: more than it adds. */
const SWEPT = 20;

export async function countTurn(
  view: WriteView,
  subjectId: string,
  { limit, key, points, seconds, back }: z.infer<typeof turn>,
  now: number,
): Promise<{ wait_seconds?: number }> {
  // Addresses are of nobody's interest later.
  const id = createHash("sha256").update(`${limit}\n${key}`).digest("base64url");
  const before = (await view.item(subjectId, KIND, id))?.dueAt ?? undefined;
  const taken = back
    ? { fullAt: giveTurn(before ?? now, { points, seconds }) }
    : takeTurn(before, now, { points, seconds });
  if ("waitSeconds" in taken) return { wait_seconds: taken.waitSeconds };
  const dueAt = Math.ceil(taken.fullAt);
  await view.putItem(subjectId, { kind: KIND, id, holder: null, createdAt: now, dueAt, body: null });
  for (const { id: full } of await view.dueItems(subjectId, KIND, now, SWEPT))
    if (full !== id) await view.deleteItem(subjectId, KIND, full);
  return {};
}
