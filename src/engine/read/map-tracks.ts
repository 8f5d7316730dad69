// The lines of the tracks in a box of the map, with just enough points to show their shape.
import type { MapQuery } from "../../contract/map.ts";
import type { JsonObject } from "../../contract/record.ts";
import { type WorldPoint, worldSize } from "../../core/mercator.ts";
import { reveal } from "../../core/plan.ts";
import { rolesOf } from "../../core/roles.ts";
import type { ScopeRow } from "../../core/scope.ts";
import { fewPoints, pointsIn } from "../../core/track-line.ts";
import { storedRows } from "./all-hits.ts";
import type { ReadContext } from "./context.ts";
import { newestHits, type PlacedRow } from "./placed-rows.ts";

export interface MapTrack {
  connection_id: string;
  stream: string;
  id: string;
  /** Points on the square world map, with one list for each segment. */
  lines: WorldPoint[][];
}

/** A record can contain 3 MB of points, but the page can only show a few thousand. */
const TRACKS = { read: 40, pathCharacters: 6_000_000, points: 4000 };

/** Returns the newest tracks that start in or near the box. A track that starts near the box may lead into it. */
export async function tracksIn(
  context: ReadContext,
  rows: readonly PlacedRow[],
  query: MapQuery,
): Promise<{ tracks: MapTrack[]; has_more_tracks: boolean }> {
  const ways = rows.filter(({ row }) => pathOf(row) !== undefined);
  const hits = await newestHits(context, ways, widened(query), TRACKS.read + 1);
  const tracks: MapTrack[] = [];
  let [characters, points] = [0, 0];
  for (const hit of hits.slice(0, TRACKS.read)) {
    if (characters > TRACKS.pathCharacters || points > TRACKS.points) return { tracks, has_more_tracks: true };
    const { row, plan } = hit.source;
    const stored = (await storedRows(context, [hit])).get(hit);
    const revealed = stored && reveal(plan, stored);
    const path = revealed && (JSON.parse(revealed.data) as JsonObject)[pathOf(row)!];
    if (typeof path !== "string") continue;
    characters += path.length;
    const lines = fewPoints(path, 2 / worldSize(query.zoom));
    if (lines.length === 0) continue;
    points += pointsIn(lines);
    tracks.push({ connection_id: row.stream.connectionId, stream: row.stream.name, id: hit.id, lines });
  }
  return { tracks, has_more_tracks: hits.length > TRACKS.read };
}

const pathOf = ({ stream, fields }: ScopeRow): string | undefined => {
  const roles = rolesOf(stream.declaration.schema);
  const field = roles?.kind === "file" ? undefined : roles?.fields.path?.[0];
  return field !== undefined && (fields?.has(field) ?? true) ? field : undefined;
};

function widened(query: MapQuery): MapQuery {
  const { south, north, west, east } = query;
  const [high, wide] = [(north - south) / 2, (east - west) / 2];
  return {
    ...query,
    south: Math.max(-90, south - high),
    north: Math.min(90, north + high),
    west: Math.max(-180, west - wide),
    east: Math.min(180, east + wide),
  };
}
