// Explains to the owner why a call was denied or invalid. The same checks run again, using the grants as they
// were at the time.
import type { z } from "zod";
import type { Denial } from "../../contract/activity.ts";
import type { Bearer } from "../../contract/answers.ts";
import { type ErrorCode, isDenial, PdppError } from "../../contract/errors.ts";
import { WHY } from "../../contract/limits.ts";
import type { Why, WhyRequest } from "../../contract/why.ts";
import type { whyQuery } from "../../contract/write.ts";
import { requirePower, rootRow } from "../../core/file-roots.ts";
import { grantStatusOf } from "../../core/grant-state.ts";
import { appName } from "../../core/grant-words.ts";
import { parseInstant } from "../../core/instant.ts";
import { requireField } from "../../core/plan.ts";
import { rowsOf, type Scope, theRow } from "../../core/scope.ts";
import { whyEnded, whyNotBlob, whyNotRecord, whyNotTime, whyOwnerOnly, whyPaused } from "../../core/why.ts";
import type { GrantRow } from "../../store/rows.ts";
import type { AuditRow, ReadView } from "../../store/store.ts";
import { type Caller, scopeOf, whyTokenExpired } from "../caller.ts";
import type { MethodContext } from "../calls/define.ts";
import { activityOf } from "./activity.ts";
import { type Answer, listJson } from "./context.ts";
import { remedyFor } from "./remedy.ts";

export async function readWhy(context: MethodContext, query: z.infer<typeof whyQuery>): Promise<Answer> {
  const { view, audit, caller, now } = context;
  const failed = await audit.list({ requestId: query.request_id, outcome: "failed", limit: WHY.denials });
  const found = failed.rows.filter((entry) => entry.subject_id === caller.subjectId);
  if (found.length === 0) {
    throw new PdppError(
      "not_found",
      `no denied or failed call has the request id ${JSON.stringify(query.request_id)}`,
      {
        param: "request_id",
        next_step: "GET /v1/activity (or `pdpp activity --json`) shows the calls with their request_id and outcome.",
      },
    );
  }
  const items = [];
  for (const entry of found) items.push(JSON.stringify(await denialOf(view, caller, entry, now)));
  const self = `/v1/activity/why?request_id=${encodeURIComponent(query.request_id)}`;
  return { body: listJson({ url: "/v1/activity/why", self, items, hasMore: false }), records: 0 };
}

async function denialOf(view: ReadView, caller: Caller, entry: AuditRow, now: number): Promise<Denial> {
  const grants = await grantsOf(view, entry);
  // Whether a request is well formed does not depend on a grant, so the explanation mentions no grant.
  const isDecided = isDenial(entry.outcome);
  const why = entry.actor === "owner" || !isDecided ? undefined : decidedAgain(entry, grants, caller);
  const first = grants[0]?.grant;
  return {
    object: "denial",
    call: activityOf(entry),
    ...(first === undefined ? {} : { app: appName(first) }),
    ...(why === undefined ? {} : { why }),
    grants: (isDecided ? grants : []).map((row) => ({ grant_id: row.grant.grant_id, status: grantStatusOf(row, now) })),
    next_step: remedyFor({ entry, grants, why, caller }),
  };
}

async function grantsOf(view: ReadView, { grant_id, grant_package_id }: AuditRow): Promise<GrantRow[]> {
  if (grant_package_id !== undefined) return view.grantsOfPackage(grant_package_id);
  const row = grant_id === undefined ? undefined : await view.grant(grant_id);
  return row === undefined ? [] : [row];
}

function decidedAgain(entry: AuditRow, grants: readonly GrantRow[], caller: Caller): Why | undefined {
  const bearer = bearerOf(entry);
  const outcome = entry.outcome as ErrorCode;
  if (outcome === "token_expired") return whyTokenExpired(bearer, grants, tokenEnd(grants, entry));
  if (outcome === "grant_paused" && grants[0] !== undefined) {
    return whyPaused(bearer, grants.find(({ grant }) => grant.paused_at !== undefined) ?? grants[0]);
  }
  if (outcome === "grant_consumed") return whyEnded(bearer, grants, outcome);
  return thrownBy(() => {
    const { scope } = scopeOf(bearer, asOf(entry, grants), caller.catalog.streams, entry.at);
    return decide(outcome, entry.asked ?? {}, scope);
  });
}

/** Repeats the steps of the read up to the check that refused it. */
function decide(outcome: ErrorCode, asked: WhyRequest, scope: Scope): Why | undefined {
  const { stream, connection_id, field, power } = asked;
  switch (outcome) {
    case "insufficient_scope":
      if (power !== undefined) requirePower(scope, power, connection_id);
      return whyOwnerOnly(scope.bearer);
    case "root_not_allowed":
      if (connection_id !== undefined) rootRow(scope, connection_id);
      return undefined;
    case "blob_not_found":
      return whyNotBlob(scope);
    case "connection_not_found":
      rowsOf(scope, connection_id);
      return undefined;
    case "grant_stream_not_allowed":
    case "field_not_granted":
    case "grant_time_range_exceeded":
    case "not_found": {
      if (stream === undefined) return undefined;
      const row = theRow(scope, stream, connection_id);
      if (outcome === "grant_time_range_exceeded") return row.time === undefined ? undefined : whyNotTime(row, "owner");
      if (outcome === "not_found") return whyNotRecord(row, "owner");
      if (field !== undefined) requireField(row, field, "field");
    }
  }
  return undefined;
}

function thrownBy(decision: () => Why | undefined): Why | undefined {
  try {
    return decision();
  } catch (error) {
    if (error instanceof PdppError) return error.details.why;
    throw error;
  }
}

/** A grant that was revoked or paused later was valid at the time. */
function asOf({ at, outcome }: AuditRow, grants: readonly GrantRow[]): GrantRow[] {
  if (outcome === "grant_revoked") return [...grants];
  return grants.map((row) => {
    const { paused_at, ...grant } = row.grant;
    const pausedLater = paused_at !== undefined && parseInstant(paused_at)! > at;
    const revokedLater = row.revokedAt !== null && row.revokedAt > at;
    return { ...row, ...(pausedLater ? { grant } : {}), ...(revokedLater ? { revokedAt: null } : {}) };
  });
}

/** Tokens are stored as hashes without names. For an expired one, the log only shows that it had expired by then. */
function tokenEnd(grants: readonly GrantRow[], { at }: AuditRow): number {
  const ends = grants.map(({ grant }) => (grant.expires_at === undefined ? at : parseInstant(grant.expires_at)!));
  return Math.min(at, ...ends);
}

function bearerOf({ actor, subject_id, client_id, grant_id, grant_package_id }: AuditRow): Bearer {
  const known = { subject_id, ...(client_id === undefined ? {} : { client_id }) };
  return actor === "mcp_package"
    ? {
        kind: "mcp_package",
        scope: "package",
        ...known,
        ...(grant_package_id === undefined ? {} : { grant_package_id }),
      }
    : { kind: "client", scope: "grant", ...known, ...(grant_id === undefined ? {} : { grant_id }) };
}
