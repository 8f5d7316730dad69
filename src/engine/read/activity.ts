// The audit log as the owner sees it: newest first, with a check that its chain is intact.
import type { z } from "zod";
import type { Activity, ActivityVerification, ActivityVerificationProgress } from "../../contract/activity.ts";
import { PdppError } from "../../contract/errors.ts";
import { PAGE } from "../../contract/limits.ts";
import type { activityQuery } from "../../contract/write.ts";
import { formatInstant, parseInstant } from "../../core/instant.ts";
import type { AuditRow, AuditWanted } from "../../store/store.ts";
import type { MethodContext } from "../calls/define.ts";
import { type Answer, listJson } from "./context.ts";

type ActivityQuery = z.infer<typeof activityQuery>;

export async function readActivity({ audit }: MethodContext, query: ActivityQuery): Promise<Answer> {
  const { before, limit = PAGE.default, ...filter } = query;
  const { rows, next } = await audit.list({ ...wantedBy(filter), before, limit });
  const items = rows.map((row) => JSON.stringify(activityOf(row)));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, limit }))
    if (value !== undefined) parameters.set(name, String(value));
  const meta = next === undefined ? {} : { next_before: next };
  const self = `/v1/activity?${parameters}`;
  return { body: listJson({ url: "/v1/activity", self, items, hasMore: next !== undefined, meta }), records: 0 };
}

export function wantedBy(filter: Omit<ActivityQuery, "before" | "limit">): AuditWanted {
  const since = filter.since === undefined ? undefined : parseInstant(filter.since);
  const until = filter.until === undefined ? undefined : parseInstant(filter.until);
  if (since !== undefined && until !== undefined && since >= until)
    throw new PdppError("invalid_request", "since must be before until", { param: "until" });
  return {
    grantId: filter.grant_id,
    clientId: filter.client_id,
    actor: filter.actor,
    action: filter.action,
    connectionId: filter.connection_id,
    stream: filter.stream,
    outcome: filter.outcome,
    requestId: filter.request_id,
    since,
    until,
  };
}

export const activityOf = ({ at, may_be_missing, ...row }: AuditRow): Activity => ({
  object: "activity",
  at: formatInstant(at),
  ...row,
  ...(may_be_missing && {
    may_be_missing: { since: formatInstant(may_be_missing.since), until: formatInstant(may_be_missing.until) },
  }),
});

export async function verifyActivity({ audit, aside, stop, verification }: MethodContext): Promise<Answer> {
  const { entries, gaps, brokenAt, reason } = aside(async () => {
    verification.progress = { entries: 0, of: 0 };
    try {
      return await audit.verify({
        signal: stop,
        onProgress(progress) {
          verification.progress = progress;
        },
      });
    } finally {
      delete verification.progress;
    }
  });
  const verdict = brokenAt === undefined ? { intact: true } : { intact: false, broken_at: brokenAt, reason };
  const said = gaps === undefined ? {} : { gaps };
  const answer: ActivityVerification = { object: "activity_verification", entries, ...verdict, ...said };
  return { body: JSON.stringify(answer), records: 0 };
}

/** Covers this process only: checks by other servers are not visible here. Not logged, because it is polled. */
export async function verificationProgress({ verification: { progress } }: MethodContext): Promise<Answer> {
  const answer: ActivityVerificationProgress = {
    object: "activity_verification_progress",
    running: progress !== undefined,
    entries: progress?.entries ?? 0,
    of: progress?.of ?? 0,
  };
  return { body: JSON.stringify(answer), records: 0, reads: [] };
}
