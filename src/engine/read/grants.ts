// Grants in human-readable form, with their state and what was read under each.
import type { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import type { GrantPackage, GrantSummary, GrantUse } from "../../contract/grant.ts";
import { RECENT_CALLS } from "../../contract/limits.ts";
import type { byId, grantsQuery } from "../../contract/write.ts";
import { grantStatusOf, isUnused } from "../../core/grant-state.ts";
import { type GrantLabels, grantWords } from "../../core/grant-words.ts";
import { formatInstant } from "../../core/instant.ts";
import type { GrantRow } from "../../store/rows.ts";
import type { AuditUse } from "../../store/store.ts";
import type { MethodContext } from "../calls/define.ts";
import type { Catalog } from "../catalog.ts";
import { activityOf } from "./activity.ts";
import { type Answer, listJson } from "./context.ts";

export async function readGrants(context: MethodContext, query: z.infer<typeof grantsQuery>): Promise<Answer> {
  const { view, caller, now } = context;
  const wantsRevoked = query.status === undefined || query.status === "revoked";
  const all = await (wantsRevoked ? view.grants(caller.subjectId) : view.unrevokedGrants(caller.subjectId));
  const rows = all.filter(
    (row) =>
      (query.client_id === undefined || row.grant.client.client_id === query.client_id) &&
      (query.status === undefined || grantStatusOf(row, now) === query.status),
  );
  const items = (await summaries(context, rows)).map((summary) => JSON.stringify(summary));
  const parameters = new URLSearchParams(query);
  const self = parameters.size === 0 ? "/v1/grants" : `/v1/grants?${parameters}`;
  return { body: listJson({ url: "/v1/grants", self, items, hasMore: false }), records: 0 };
}

/** A grant, or a package with its grants. */
export async function readGrant(context: MethodContext, { id }: z.infer<typeof byId>): Promise<Answer> {
  const { view, caller, audit } = context;
  const single = await view.grant(id);
  const rows = (single === undefined ? await view.grantsOfPackage(id) : [single]).filter(
    (row) => row.grant.subject.id === caller.subjectId,
  );
  if (rows.length === 0) throw grantNotFound(id);
  const shown = await summaries(context, rows);
  const grants = shown.map((summary, index) => {
    const agreed = rows[index]!.words;
    return agreed === null ? summary : { ...summary, agreed };
  });
  if (single !== undefined) return { body: JSON.stringify(grants[0]), records: 0 };
  const use = useOf((await audit.uses([id], RECENT_CALLS)).get(id));
  const answer: GrantPackage = { object: "grant_package", grant_package_id: id, grants, use };
  return { body: JSON.stringify(answer), records: 0 };
}

async function summaries(
  { audit, caller: { catalog }, now }: MethodContext,
  rows: readonly GrantRow[],
): Promise<GrantSummary[]> {
  const uses = await audit.uses(
    rows.map((row) => row.grant.grant_id),
    RECENT_CALLS,
  );
  const labels = labelsOf(catalog);
  return rows.map((row) => {
    const use = uses.get(row.grant.grant_id);
    const usedAt = lastUse(use);
    return {
      object: "grant",
      grant: row.grant,
      status: grantStatusOf(row, now),
      ...(row.packageId === null ? {} : { grant_package_id: row.packageId }),
      ...(row.revokedAt === null ? {} : { revoked_at: formatInstant(row.revokedAt) }),
      ...(row.endedBy === null ? {} : { ended_by: row.endedBy }),
      ...(usedAt === undefined ? {} : { last_used_at: formatInstant(usedAt) }),
      sleeping: isUnused(row, usedAt, now),
      words: { ...grantWords(row.grant, labels), ...verifiedHost(row) },
      use: useOf(use),
    };
  });
}

/**
 * The host that was verified when the owner approved the grant. An app's name can change later, but this proof does
 * not.
 */
function verifiedHost({ words }: GrantRow): { verified_host?: string } {
  return words?.verified_host === undefined ? {} : { verified_host: words.verified_host };
}

function lastUse(use: AuditUse | undefined): number | undefined {
  const times = (use?.totals ?? []).flatMap(({ usedAt }) => usedAt ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

function useOf({ totals, recent }: AuditUse = { totals: [], recent: [] }): GrantUse {
  const sum = (member: "calls" | "denied" | "records" | "bytes") =>
    totals.reduce((total, row) => total + row[member], 0);
  return {
    calls: sum("calls"),
    denied: sum("denied"),
    records: sum("records"),
    bytes: sum("bytes"),
    streams: totals
      .filter(({ stream, calls }) => stream !== "" && calls > 0)
      .map(({ connectionId, stream, calls, records, bytes, usedAt }) => ({
        connection_id: connectionId,
        stream,
        reads: calls,
        records,
        bytes,
        ...(usedAt === null ? {} : { last_read_at: formatInstant(usedAt) }),
      })),
    // Only a request's own page lists the records that it read, so that grants stay short.
    recent: recent.map(({ ids: _ids, ...row }) => activityOf(row)),
  };
}

export function labelsOf({ connections, streams }: Catalog): GrantLabels {
  const byId = new Map(connections.map((row) => [row.connectionId, row.displayName]));
  const byConnection = Map.groupBy(streams, (shape) => shape.connectionId);
  return { connection: (id) => byId.get(id), streams: (id) => byConnection.get(id) ?? [] };
}

export function grantNotFound(id: string): PdppError {
  return new PdppError("not_found", `there is no grant or package ${JSON.stringify(id)}`, {
    param: "id",
    next_step: "GET /v1/grants (or `pdpp grants list`) shows them.",
  });
}
