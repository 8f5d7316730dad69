// The audit log as the owner sees it: newest first, and whether its chain holds.
import type { z } from "zod";
import type { Activity, ActivityVerification } from "../../contract/activity.ts";
import { PAGE } from "../../contract/limits.ts";
import type { activityQuery } from "../../contract/write.ts";
import { formatInstant } from "../../core/instant.ts";
import type { AuditRow } from "../../store/store.ts";
import type { MethodContext } from "../methods.ts";
import { type Answer, listJson } from "./context.ts";

export async function readActivity({ audit }: MethodContext, query: z.infer<typeof activityQuery>): Promise<Answer> {
  const limit = query.limit ?? PAGE.default;
  const rows = await audit.list({ before: query.before, limit: limit + 1, grantId: query.grant_id });
  const shown = rows.slice(0, limit);
  const items = shown.map((row) => JSON.stringify(activityOf(row)));
  const hasMore = rows.length > limit;
  const parameters = new URLSearchParams();
  if (query.grant_id !== undefined) parameters.set("grant_id", query.grant_id);
  parameters.set("limit", String(limit));
  const meta = hasMore ? { next_before: shown.at(-1)!.n } : {};
  return {
    body: listJson({ url: "/v1/activity", self: `/v1/activity?${parameters}`, items, hasMore, meta }),
    records: 0,
  };
}

export const activityOf = ({ at, ...row }: AuditRow): Activity => ({
  object: "activity",
  at: formatInstant(at),
  ...row,
});

export async function verifyActivity({ audit }: MethodContext): Promise<Answer> {
  const { entries, brokenAt, reason } = await audit.verify();
  const verdict = brokenAt === undefined ? { intact: true } : { intact: false, broken_at: brokenAt, reason };
  const answer: ActivityVerification = { object: "activity_verification", entries, ...verdict };
  return { body: JSON.stringify(answer), records: 0 };
}
