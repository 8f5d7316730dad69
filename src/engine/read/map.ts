// The map: records with a position, counted per grid cell, along with the newest records and the lines of tracks.
import { PdppError } from "../../contract/errors.ts";
import type { Kind } from "../../contract/kinds.ts";
import type { MapExtentQuery, MapQuery } from "../../contract/map.ts";
import type { RecordRead } from "../../contract/record.ts";
import { latitudeAt, longitudeAt, worldSize } from "../../core/mercator.ts";
import { compilePlan, type Plan, reveal } from "../../core/plan.ts";
import type { ScopeRow } from "../../core/scope.ts";
import { type MethodContext, unlogged } from "../calls/define.ts";
import type { Cell } from "../projection/columns/cells.ts";
import { storedRows } from "./all-hits.ts";
import { type Answer, type ReadContext, recordJson } from "./context.ts";
import { type MapTrack, tracksIn } from "./map-tracks.ts";
import { hasPlace, inBox, newestHits, type PlacedRow, placedRows } from "./placed-rows.ts";
import { selectionFor } from "./records.ts";

export interface MapExtent {
  /** The number of records with a position. */
  count: number;
  kinds: Partial<Record<Kind, number>>;
  /** Absent if no record has a position. */
  box?: Pick<MapQuery, "south" | "north" | "west" | "east">;
}

export interface MapCluster {
  latitude: number;
  longitude: number;
  count: number;
  kinds: Partial<Record<Kind, number>>;
  /** The cell's newest record. */
  newest: { connection_id: string; stream: string; id: string };
  /** The cell's newest photo, if the map has room for it. */
  photo?: RecordRead;
}

export interface MapContent {
  count: number;
  clusters: MapCluster[];
  /** The newest records in the box. */
  records: RecordRead[];
  tracks: MapTrack[];
  /** True if there are tracks that are not drawn. */
  has_more_tracks: boolean;
}

/** The side of a cell in pixels, so that two neighbours can be told apart and clicked. */
const CELL_PIXELS = 64;
/** A box with more cells than this is larger than any screen. */
const CELLS_MAX = 2500;
const LIST_MAX = 30;
const PICTURES_MAX = 24;

export async function readMapExtent(context: ReadContext, query: MapExtentQuery): Promise<Answer<MapExtent>> {
  const extent: MapExtent = { count: 0, kinds: {} };
  for (const placed of placedRows(context, query)) {
    const plan = compilePlan(placed.row);
    const columns = await context.columns(plan);
    const selection = selectionFor(plan, hasPlace(placed));
    const edge = async (metric: "min" | "max", field: string): Promise<number> =>
      (await columns.aggregate(selection, { metric, field, orderBy: "key", limit: 1 })).value as number;
    const count = await columns.count(selection);
    if (count === 0) continue;
    const [south, north] = [await edge("min", placed.latitude), await edge("max", placed.latitude)];
    const [west, east] = [await edge("min", placed.longitude), await edge("max", placed.longitude)];
    const known = extent.box ?? { south, north, west, east };
    extent.count += count;
    extent.kinds[placed.kind] = (extent.kinds[placed.kind] ?? 0) + count;
    extent.box = {
      south: Math.min(known.south, south),
      north: Math.max(known.north, north),
      west: Math.min(known.west, west),
      east: Math.max(known.east, east),
    };
  }
  return unlogged(extent);
}

export async function readMap(context: MethodContext, query: MapQuery): Promise<Answer<MapContent>> {
  const size = CELL_PIXELS / worldSize(query.zoom);
  checkBox(query, size);
  const rows = placedRows(context, query);
  const clusters = new Map<string, Cell & { kinds: MapCluster["kinds"]; place: ScopeRow; photos: PhotoAt[] }>();
  let count = 0;
  for (const placed of rows) {
    const plan = compilePlan(placed.row);
    const found = await (await context.columns(plan)).cells(selectionFor(plan, inBox(placed, query)), {
      latitude: placed.latitude,
      longitude: placed.longitude,
      ...(placed.time === undefined ? {} : { time: placed.time.field }),
      size,
    });
    for (const cell of found) {
      count += cell.count;
      const key = `${cell.column} ${cell.row}`;
      const known = clusters.get(key) ?? { ...cell, count: 0, x: 0, y: 0, kinds: {}, place: placed.row, photos: [] };
      clusters.set(key, known);
      known.count += cell.count;
      known.x += cell.x;
      known.y += cell.y;
      known.kinds[placed.kind] = (known.kinds[placed.kind] ?? 0) + cell.count;
      if (placed.kind === "photo") known.photos.push({ plan, version: cell.newest.version, at: cell.newest.at });
      if (cell.newest.at > known.newest.at) {
        known.newest = cell.newest;
        known.place = placed.row;
      }
    }
  }
  const all = [...clusters.values()].sort((one, other) => other.count - one.count);
  const pictured = new Set(all.filter(({ photos }) => photos.length > 0).slice(0, PICTURES_MAX));
  const answered: MapCluster[] = [];
  for (const cluster of all) {
    const photo = pictured.has(cluster) ? await photoOf(context, cluster.photos) : undefined;
    const { stream } = cluster.place;
    answered.push({
      latitude: latitudeAt(cluster.y / cluster.count),
      longitude: longitudeAt(cluster.x / cluster.count),
      count: cluster.count,
      kinds: cluster.kinds,
      newest: { connection_id: stream.connectionId, stream: stream.name, id: cluster.newest.id },
      ...(photo === undefined ? {} : { photo }),
    });
  }
  const content: MapContent = {
    count,
    clusters: answered,
    records: await newestIn(context, rows, query),
    ...(await tracksIn(context, rows, query)),
  };
  return unlogged(content);
}

function checkBox({ south, north, west, east }: MapQuery, size: number): void {
  if (south > north || west > east)
    throw new PdppError("invalid_request", "south must not be greater than north, nor west greater than east");
  const cells = ((east - west) / 360 / size) * ((north - south) / 180 / size);
  if (cells > CELLS_MAX)
    throw new PdppError(
      "invalid_request",
      `the box has ${Math.round(cells)} cells at this zoom; at most ${CELLS_MAX} are allowed`,
      {
        param: "zoom",
      },
    );
}

interface PhotoAt {
  plan: Plan;
  version: number;
  at: number;
}

async function photoOf({ view }: ReadContext, photos: readonly PhotoAt[]): Promise<RecordRead | undefined> {
  const [newest] = [...photos].sort((one, other) => other.at - one.at);
  const [stored] = await view.rows(newest!.plan, [newest!.version]);
  const revealed = stored && reveal(newest!.plan, stored);
  return revealed && (JSON.parse(recordJson(newest!.plan.row, revealed, { texts: "preview" })) as RecordRead);
}

async function newestIn(context: ReadContext, rows: readonly PlacedRow[], box: MapQuery): Promise<RecordRead[]> {
  const hits = await newestHits(context, rows, box, LIST_MAX);
  const stored = await storedRows(context, hits);
  return hits.flatMap((hit) => {
    const record = stored.get(hit);
    const revealed = record && reveal(hit.source.plan, record);
    return revealed === undefined
      ? []
      : [JSON.parse(recordJson(hit.source.row, revealed, { texts: "preview" })) as RecordRead];
  });
}
