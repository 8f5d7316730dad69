// Streams whose roles give their records a position, and the conditions for a box of the map.
import type { Kind } from "../../contract/kinds.ts";
import type { MapExtentQuery, MapQuery } from "../../contract/map.ts";
import type { Predicate } from "../../core/filter.ts";
import { compilePlan } from "../../core/plan.ts";
import { rolesOf, timeFieldOf } from "../../core/roles.ts";
import { ALL_CONNECTIONS, rowsOf, type ScopeRow } from "../../core/scope.ts";
import { firstHits, type Hit, type HitSource } from "./all-hits.ts";
import type { ReadContext } from "./context.ts";
import { boundsOf } from "./timeline.ts";

export interface PlacedRow {
  row: ScopeRow;
  kind: Kind;
  latitude: string;
  longitude: string;
  time?: { field: string; where: Predicate[] };
}

/** One row for each stream whose roles give its records a position, if the reader can see both coordinates. */
export function placedRows({ caller }: ReadContext, query: MapExtentQuery): PlacedRow[] {
  const { connection_id, kinds } = query;
  const rows = rowsOf(caller.scope, connection_id === ALL_CONNECTIONS ? undefined : connection_id);
  return [...new Map(rows.map((row) => [row.stream.streamNo, row])).values()].flatMap((row): PlacedRow[] => {
    const { declaration, fields } = row.stream;
    const roles = rolesOf(declaration.schema);
    const [latitude, longitude] = [roles?.fields["place.latitude"]?.[0], roles?.fields["place.longitude"]?.[0]];
    const isUsable = (name: string | undefined, ...columns: string[]): name is string =>
      name !== undefined && columns.includes(fields.get(name)?.column ?? "") && (row.fields?.has(name) ?? true);
    if (roles === undefined || !isUsable(latitude, "number") || !isUsable(longitude, "number")) return [];
    if (kinds !== undefined && !kinds.includes(roles.kind)) return [];
    const field = timeFieldOf(declaration, roles);
    const placed = { row, kind: roles.kind, latitude, longitude };
    if (!isUsable(field, "instant", "day"))
      return query.since === undefined && query.until === undefined ? [placed] : [];
    return [{ ...placed, time: { field, where: boundsOf(field, fields.get(field)!.column === "day", query) } }];
  });
}

export const hasPlace = ({ latitude, longitude, time }: PlacedRow): Predicate[] => [
  { field: latitude, op: "exists", value: true },
  { field: longitude, op: "exists", value: true },
  ...(time?.where ?? []),
];

export const inBox = ({ latitude, longitude, time }: PlacedRow, box: MapQuery): Predicate[] => [
  { field: latitude, op: "gte", value: box.south },
  { field: latitude, op: "lte", value: box.north },
  { field: longitude, op: "gte", value: box.west },
  { field: longitude, op: "lte", value: box.east },
  ...(time?.where ?? []),
];

/** The newest records in a box. */
export async function newestHits(
  context: ReadContext,
  rows: readonly PlacedRow[],
  box: MapQuery,
  limit: number,
): Promise<Hit[]> {
  const sources = rows.flatMap((placed): HitSource[] => {
    const { row, time } = placed;
    if (time === undefined) return [];
    const place = `${row.stream.connectionId}\n${row.stream.name}`;
    const order = { field: time.field, descending: true };
    return [{ row, plan: compilePlan(row), place, order, where: inBox(placed, box) }];
  });
  return sources.length === 0 ? [] : firstHits(context, sources, undefined, limit);
}
