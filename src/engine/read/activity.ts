// The audit log as the owner sees it: newest first, and whether its chain holds.
import type { z } from "zod";
import { PAGE } from "../../contract/limits.ts";
import type { activityQuery } from "../../contract/write.ts";
import type { OwnerContext } from "../methods.ts";
import { type Answer, listJson } from "./context.ts";

export async function readActivity({ audit }: OwnerContext, query: z.infer<typeof activityQuery>): Promise<Answer> {
  const limit = query.limit ?? PAGE.default;
  const rows = await audit.list({ before: query.before, limit: limit + 1, grantId: query.grant_id });
  const shown = rows.slice(0, limit);
  const items = shown.map(({ at, ...row }) =>
    JSON.stringify({ object: "activity", at: new Date(at).toISOString(), ...row }),
  );
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

export async function verifyActivity({ audit }: OwnerContext): Promise<Answer> {
  const { entries, brokenAt, reason } = await audit.verify();
  const verdict = brokenAt === undefined ? { intact: true } : { intact: false, broken_at: brokenAt, reason };
  return { body: JSON.stringify({ object: "activity_verification", entries, ...verdict }), records: 0 };
}
