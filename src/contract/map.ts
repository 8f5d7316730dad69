// Map queries: which records have a position, where they are dense, and the routes of tracks.
import { z } from "zod";
import { timelineCountsQuery } from "./timeline.ts";

const { connection_id, kinds, since, until, time_zone } = timelineCountsQuery.shape;
const selection = { connection_id, kinds, since, until, time_zone };

/** At this zoom level, a pixel is about a metre. */
export const MAP_ZOOM_MAX = 17;

export const mapExtentQuery = z.strictObject(selection);

export const mapQuery = z.strictObject({
  ...selection,
  south: z.number().min(-90).max(90),
  north: z.number().min(-90).max(90),
  west: z.number().min(-180).max(180),
  east: z.number().min(-180).max(180),
  /** The zoom level as in web maps: the world is 256 · 2^zoom pixels wide. */
  zoom: z.number().int().min(0).max(MAP_ZOOM_MAX),
});

export type MapExtentQuery = z.infer<typeof mapExtentQuery>;
export type MapQuery = z.infer<typeof mapQuery>;
