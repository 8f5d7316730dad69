// Changes in every stream that a reader can see, newest first, with their stream and connection (K-07).
import { PdppError } from "../../contract/errors.ts";
import type { RecordsQuery } from "../../contract/read.ts";
import { openCursor, sealCursor } from "../../core/cursor.ts";
import { compilePlan, type GoneRecord, type Revealed, revealChange } from "../../core/plan.ts";
import { ALL_CONNECTIONS, isLimited, rowsOf, type Scope, type ScopeRow } from "../../core/scope.ts";
import type { MethodContext } from "../calls/define.ts";
import {
  type Answer,
  allIdentity,
  changesUrl,
  listJson,
  recordJson,
  sourceIdentity,
  TakenByStream,
} from "./context.ts";
import { lost, padded, placeFrom, spanFrom, startOf, validVersion, versionBefore } from "./feed-position.ts";
import { pageLimit } from "./records.ts";

interface Change {
  row: ScopeRow;
  shown: Revealed | GoneRecord;
}

interface FeedSpan {
  /** Includes positions above this. */
  after: number;
  /** Includes positions up to this one. */
  upTo: number;
  /** If set, includes only changes at this time or later. */
  time?: number;
}

/** How many feed positions are checked per step. Hidden ones are skipped. */
const STEP = 200;

export async function readAllChanges(context: MethodContext, query: RecordsQuery): Promise<Answer> {
  refuseQueryParts(query);
  const { key, view } = context;
  const { scope } = context.caller;
  const rows = rowsIn(scope, query.connection_id);
  const { limit, warnings } = pageLimit(query.limit);
  const since = { space: "since", within: scope.bearer, query: "all" } as const;
  const { changes_since: asked, connection_id } = query;
  const session = { space: "changes", within: scope.bearer, query: { asked, connection_id } } as const;
  const head = await view.version();
  const eras = await view.eras();
  const era = eras.at(-1)!.name;
  const start = startOf(asked!, head) ?? { version: validVersion(eras, ...placeFrom(openCursor(key, since, asked!))) };
  // All pages of a session start from the end of the feed at the time of its first page, and go back from there.
  const [upTo, horizon] =
    query.cursor === undefined ? [head, head] : spanFrom(eras, openCursor(key, session, query.cursor));
  if (horizon > head || ("version" in start && start.version > head)) throw lost();
  const found = await newestChanges(context, rows, limit + 1, async (row) =>
    "time" in start
      ? { after: await versionBefore(view, compilePlan(row), start.time, head), upTo, time: start.time }
      : { after: start.version, upTo },
  );
  const shown = found.slice(0, limit);
  const { texts = "preview" } = query;
  const items = shown.map(({ row, shown: change }) => recordJson(row, change, { texts }));
  const last = shown.at(-1);
  const hasMore = found.length > limit;
  const body = listJson({
    ...changesUrl(query),
    items,
    hasMore,
    identity: isOneConnection(rows, connection_id) ? sourceIdentity(rows[0]!) : allIdentity(connectionsOf(rows)),
    ...(hasMore && last
      ? { nextCursor: sealCursor(key, session, padded(last.shown.stamp[0] - 1) + padded(horizon) + era) }
      : { nextChangesSince: sealCursor(key, since, padded(horizon) + era) }),
    meta: warnings.length > 0 ? { warnings } : {},
  });
  const reads = new TakenByStream();
  for (const { row, shown: change } of shown) reads.add(row, change.id);
  return { body, records: shown.length, reads: reads.list() };
}

/**
 * One row per stream. If two grants in a package show parts of the same stream, the one approved last applies, as in
 * search.
 */
function rowsIn(scope: Scope, connectionId: string | undefined): ScopeRow[] {
  const rows = rowsOf(scope, connectionId === ALL_CONNECTIONS ? undefined : connectionId);
  return [...new Map(rows.map((row) => [row.stream.streamNo, row])).values()];
}

const isOneConnection = (rows: readonly ScopeRow[], connectionId: string | undefined): boolean =>
  connectionId !== undefined && connectionId !== ALL_CONNECTIONS && rows.length > 0;

const connectionsOf = (rows: readonly ScopeRow[]): ScopeRow[] => [
  ...new Map(rows.map((row) => [row.stream.connectionId, row])).values(),
];

/** The newest changes over all rows. A row is read only as far back as it can contain one of them. */
async function newestChanges(
  context: MethodContext,
  rows: readonly ScopeRow[],
  limit: number,
  spanOf: (row: ScopeRow) => Promise<FeedSpan>,
): Promise<Change[]> {
  let found: Change[] = [];
  for (const row of rows) {
    const span = await spanOf(row);
    const worst = found.length < limit ? 0 : found.at(-1)!.shown.stamp[0];
    const own = await changesOf(context, row, { ...span, after: Math.max(span.after, worst) }, limit);
    found = [...found, ...own].sort((a, b) => b.shown.stamp[0] - a.shown.stamp[0]).slice(0, limit);
  }
  return found;
}

async function changesOf(
  context: MethodContext,
  row: ScopeRow,
  { after, upTo, time }: FeedSpan,
  limit: number,
): Promise<Change[]> {
  const plan = compilePlan(row);
  // Hidden rows are skipped one by one, so this becomes a scan: a narrow grant must not make everyone's point reads
  // wait.
  if (isLimited(row)) context.scan();
  const found: Change[] = [];
  for (let [end, step] = [upTo, limit]; end > after; step = STEP) {
    const entries = await context.view.feed(plan, after, end, step, true);
    for (const { row: stored, position } of entries) {
      const shown = revealChange(plan, stored, position);
      if (shown === undefined || (time !== undefined && shown.stamp[2] < time)) continue;
      found.push({ row, shown });
      if (found.length === limit) return found;
    }
    if (entries.length < step) return found;
    end = entries.at(-1)!.position - 1;
  }
  return found;
}

function refuseQueryParts(query: RecordsQuery): void {
  if (query.changes_since === undefined) {
    throw new PdppError("invalid_request", "all streams together can only be read with changes_since", {
      param: "changes_since",
      next_step: "Add changes_since with a day such as 2026-11-16, or choose one stream.",
    });
  }
  for (const param of ["filter", "sort", "order", "fields", "view", "expand", "expand_limit", "count"] as const) {
    if (query[param] === undefined) continue;
    throw new PdppError(
      "invalid_request",
      `${param} needs a single stream; it cannot be used with changes of all streams`,
      {
        param,
        next_step: `Omit ${param}, or choose one stream.`,
      },
    );
  }
}
