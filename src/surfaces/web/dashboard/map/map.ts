// /dashboard/map: places, tracks and photos on a map that ships with the server.
import type { Kind } from "../../../../contract/kinds.ts";
import type { MapContent } from "../../../../engine/read/map.ts";
import { boxOf, type MapWindow, windowAround } from "../../map/map-window.ts";
import { ownerPage } from "../../owner-page.ts";
import { ownNames } from "../explore/stream-kind.ts";
import { type TimelineItem, timelineItems } from "../home/timeline-items.ts";
import { showMap } from "./map-view.ts";
import { MAP, MAP_SIZE, type MapState, mapState } from "./state.ts";

export interface MapMark extends Omit<MapContent["clusters"][number], "photo"> {
  photo?: TimelineItem;
}

export interface MapPage {
  state: MapState;
  window: MapWindow;
  /** The number of records with a position on the chosen days, in total and by kind. */
  total: number;
  kinds: Partial<Record<Kind, number>>;
  /** The number of records in the visible window. */
  count: number;
  clusters: readonly MapMark[];
  items: readonly TimelineItem[];
  tracks: MapContent["tracks"];
  hasMoreTracks: boolean;
  me: readonly string[];
}

/** A home without places shows the world. */
const WORLD = { south: -40, north: 65, west: -160, east: 160 };

export const mapPage = ownerPage<MapPage>({
  path: MAP,
  under: "map",
  async load({ look, search, zone }) {
    const state = mapState(search);
    const days = {
      time_zone: zone,
      ...(state.since === undefined ? {} : { since: state.since }),
      ...(state.until === undefined ? {} : { until: state.until }),
    };
    const selection = { ...days, ...(state.kinds.length === 0 ? {} : { kinds: state.kinds }) };
    const [extent, all] = await Promise.all([look("mapExtent", selection), look("mapExtent", days)]);
    const window = state.window ?? windowAround(extent.box ?? WORLD, MAP_SIZE);
    const [content, me] = await Promise.all([
      look("map", { ...selection, ...boxOf(window), zoom: window.zoom }),
      ownNames({ look }),
    ]);
    const photos = await timelineItems(
      { look },
      content.clusters.flatMap(({ photo }) => photo ?? []),
    );
    return {
      state,
      window,
      total: extent.count,
      kinds: all.kinds,
      count: content.count,
      clusters: content.clusters.map(({ photo, ...cluster }) => {
        const shown = photos.find(
          ({ connection_id, stream, id }) =>
            photo !== undefined && id === photo.id && stream === photo.stream && connection_id === photo.connection_id,
        );
        return shown === undefined ? cluster : { ...cluster, photo: shown };
      }),
      items: await timelineItems({ look }, content.records),
      tracks: content.tracks,
      hasMoreTracks: content.has_more_tracks,
      me,
    };
  },
  show: showMap,
});
