// The timeline: records from every stream that a reader can see, ordered by when they happened.
import { PdppError } from "../../contract/errors.ts";
import type { Kind } from "../../contract/kinds.ts";
import type { TimelineCountsQuery, TimelineQuery } from "../../contract/timeline.ts";
import type { TimelineCounts } from "../../contract/timeline-counts.ts";
import { openCursor, sealCursor } from "../../core/cursor.ts";
import type { Predicate } from "../../core/filter.ts";
import { formatDay, parseDay } from "../../core/instant.ts";
import { compilePlan, reveal } from "../../core/plan.ts";
import { rolesOf, timeFieldOf } from "../../core/roles.ts";
import { ALL_CONNECTIONS, rowsOf, type Scope, type ScopeRow } from "../../core/scope.ts";
import { startOfDay } from "../../core/start-of-day.ts";
import { bucketLabel } from "../../core/time-buckets.ts";
import type { MethodContext } from "../calls/define.ts";
import { firstHits, type HitSource, positionFrom, storedRows } from "./all-hits.ts";
import { type Answer, allIdentity, listJson, type ReadContext, recordJson, TakenByStream } from "./context.ts";
import { pageLimit, selectionFor } from "./records.ts";
import { predicatesNaming } from "./search-people.ts";

/** Derived records and files, which outnumber everything else. They are shown only on request. */
const LEFT_OUT: readonly Kind[] = ["account", "conversation", "file", "person"];

interface DatedRow {
  row: ScopeRow;
  field: string;
  isDay: boolean;
  kind: Kind | undefined;
}

export async function readTimeline(context: MethodContext, query: TimelineQuery): Promise<Answer> {
  const { scope } = context.caller;
  const dated = datedRows(scope, query);
  const { limit, warnings } = pageLimit(query.limit);
  const descending = query.order !== "asc";
  const { cursor, limit: _limit, texts = "preview", ...bound } = query;
  const binding = { space: "page", within: scope.bearer, query: { ...bound, timeline: true } } as const;
  const after = cursor === undefined ? undefined : positionFrom(openCursor(context.key, binding, cursor));
  const named = await namedIn(context, dated, query.with);
  const sources = dated.flatMap(({ row, field, isDay }): HitSource[] => {
    const where = boundsOf(field, isDay, query);
    const people = named?.get(row.stream.streamNo);
    if (named !== undefined && people === undefined) return [];
    return [
      {
        row,
        plan: compilePlan(row),
        place: `${row.stream.connectionId}\n${row.stream.name}`,
        order: { field, descending },
        where: [...where, { field, op: "exists", value: true }],
        ...(people === undefined ? {} : { alternatives: people }),
      },
    ];
  });
  const hits = sources.length === 0 ? [] : await firstHits(context, sources, after, limit + 1);
  const shown = hits.slice(0, limit);
  const stored = await storedRows(context, shown);
  const reads = new TakenByStream();
  const items = shown.flatMap((hit) => {
    const record = stored.get(hit);
    const revealed = record && reveal(hit.source.plan, record);
    if (revealed === undefined) return [];
    reads.add(hit.source.row, revealed.id);
    return [recordJson(hit.source.row, revealed, { texts })];
  });
  const last = shown.at(-1);
  const hasMore = hits.length > limit;
  const body = listJson({
    ...timelineUrl(query),
    items,
    hasMore,
    identity: allIdentity([...new Map(scope.rows.map((row) => [row.stream.connectionId, row])).values()]),
    ...(hasMore && last ? { nextCursor: sealCursor(context.key, binding, [last.value, last.id, last.place]) } : {}),
    meta: warnings.length > 0 ? { warnings } : {},
  });
  return { body, records: items.length, reads: reads.list() };
}

export async function readTimelineCounts(context: ReadContext, query: TimelineCountsQuery): Promise<Answer> {
  const { granularity, time_zone = "UTC" } = query;
  const groups = new Map<number, { count: number; kinds: Record<string, number> }>();
  const dated = datedRows(context.caller.scope, query);
  const named = await namedIn(context, dated, query.with);
  for (const { row, field, isDay, kind } of dated) {
    const plan = compilePlan(row);
    const columns = await context.columns(plan);
    for (const more of named === undefined ? [[]] : apart(named.get(row.stream.streamNo) ?? [])) {
      const counted = await columns.aggregate(selectionFor(plan, [...boundsOf(field, isDay, query), ...more]), {
        metric: "count",
        groupByTime: { field, granularity, timeZone: time_zone },
        orderBy: "key",
        limit: Number.MAX_SAFE_INTEGER,
      });
      for (const { key, count } of counted.groups ?? []) {
        if (typeof key !== "number") continue;
        const group = groups.get(key) ?? { count: 0, kinds: {} };
        groups.set(key, group);
        group.count += count;
        const name = kind ?? "other";
        group.kinds[name] = (group.kinds[name] ?? 0) + count;
      }
    }
  }
  const answer: TimelineCounts = {
    object: "timeline_counts",
    granularity,
    time_zone,
    groups: [...groups]
      .sort(([one], [other]) => other - one)
      .map(([key, group]) => ({ key: bucketLabel(granularity, key), ...group })),
  };
  return { body: JSON.stringify(answer), records: 0, reads: dated.map(({ row }) => ({ row, records: 0 })) };
}

/** For each stream, the conditions for records that mention this person. Undefined if no person was chosen. */
async function namedIn(context: ReadContext, dated: readonly DatedRow[], person: string | undefined) {
  if (person === undefined) return undefined;
  const rows = dated.map(({ row }) => row);
  return predicatesNaming(context, rows, person);
}

/** A record that matches several alternatives is counted only with the first of them. */
function apart(alternatives: readonly Predicate[]): Predicate[][] {
  return alternatives.map((one, index) => [
    one,
    ...alternatives
      .slice(0, index)
      .flatMap((before) =>
        "values" in before ? before.values.map((value): Predicate => ({ field: before.field, op: "ne", value })) : [],
      ),
  ]);
}

/** One row for each stream that declares when its records happened, if the reader can see that field. */
function datedRows(
  scope: Scope,
  { connection_id, kinds, with: person }: Pick<TimelineQuery, "connection_id" | "kinds" | "with">,
): DatedRow[] {
  const rows = rowsOf(scope, connection_id === ALL_CONNECTIONS ? undefined : connection_id);
  return [...new Map(rows.map((row) => [row.stream.streamNo, row])).values()].flatMap((row): DatedRow[] => {
    const { declaration, fields } = row.stream;
    const roles = rolesOf(declaration.schema);
    const kind = roles?.kind;
    const isWanted =
      kinds === undefined ? kind === undefined || !LEFT_OUT.includes(kind) : kind !== undefined && kinds.includes(kind);
    const field = timeFieldOf(declaration, roles);
    const column = fields.get(field ?? "")?.column;
    const isShown = field !== undefined && (row.fields?.has(field) ?? true);
    // Participants belong to a series, not to each of its occurrences.
    const isRepeated = person === undefined && isUnfolded(row, rows);
    if (!isWanted || !isShown || (column !== "instant" && column !== "day") || isRepeated) return [];
    return [{ row, field, isDay: column === "day", kind }];
  });
}

/**
 * True for a series of events whose individual occurrences the reader can see as well. The occurrences are then shown
 * instead.
 */
function isUnfolded({ stream }: ScopeRow, rows: readonly ScopeRow[]): boolean {
  const kindOf = (row: ScopeRow["stream"]): Kind | undefined => rolesOf(row.declaration.schema)?.kind;
  const own = kindOf(stream);
  return (
    own !== undefined &&
    (stream.declaration.relationships ?? []).some(
      (relation) =>
        relation.cardinality === "has_many" &&
        rows.some(
          ({ stream: other }) =>
            other.connectionId === stream.connectionId &&
            other.name === relation.stream &&
            other.name !== stream.name &&
            kindOf(other) === own,
        ),
    )
  );
}

/** A query's days as conditions on the time field. */
export function boundsOf(
  field: string,
  isDay: boolean,
  query: Pick<TimelineQuery, "since" | "until" | "time_zone">,
): Predicate[] {
  const { since, until, time_zone = "UTC" } = query;
  const begins = (day: string): number => (isDay ? parseDay(day)! : startOfDay(day, time_zone));
  return [
    ...(since === undefined ? [] : [{ field, op: "gte", value: begins(checked(since, "since")) } as const]),
    ...(until === undefined ? [] : [{ field, op: "lt", value: begins(nextDay(checked(until, "until"))) } as const]),
  ];
}

function checked(day: string, param: string): string {
  if (parseDay(day) !== undefined) return day;
  throw new PdppError("invalid_request", `${param} is not a day: ${day}`, { param });
}

const nextDay = (day: string): string => formatDay(parseDay(day)! + 86_400_000);

function timelineUrl({ cursor: _cursor, ...query }: TimelineQuery): { url: string; self: string } {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const one of value) parameters.append(`${name}[]`, one);
    else parameters.set(name, String(value));
  }
  return { url: "/v1/timeline", self: parameters.size === 0 ? "/v1/timeline" : `/v1/timeline?${parameters}` };
}
