// GPX 1.0 and 1.1: tracks, routes and waypoints.
import type { Entry } from "../../entry.ts";
import { numberOf, POINTS_MAX, positionOf, type TrackPoint } from "../track.ts";
import { activityOf, type TrackItem, timeOf, wordsOf } from "./item.ts";
import { xmlItems } from "./xml.ts";

interface OpenTrack {
  segments: TrackPoint[][];
  count: number;
  part: number;
  name?: string | undefined;
  description?: string | undefined;
  activity?: string | undefined;
}

interface OpenPoint extends TrackPoint {
  name?: string | undefined;
  description?: string | undefined;
  category?: string | undefined;
  url?: string | undefined;
}

const POINTS = new Set(["trkpt", "rtept", "wpt"]);
const TRACK_ELEMENTS = new Set(["trk", "rte"]);

export const gpxItems = (entry: Entry): AsyncGenerator<TrackItem> =>
  xmlItems(entry, (emit, offset) => {
    let creator: string | undefined;
    let track: OpenTrack | undefined;
    let point: OpenPoint | undefined;

    function endPart(open: OpenTrack, isPlanned: boolean): void {
      const { segments, name, description, activity, part } = open;
      const facts = {
        name: part === 0 || name === undefined ? name : `${name} (part ${part + 1})`,
        description,
        activity,
        is_planned: isPlanned || undefined,
        recorded_by: creator,
      };
      emit({ segments: segments.filter((segment) => segment.length > 0), stream: "tracks", facts, offset: offset() });
      open.segments = [[]];
      open.count = 0;
      open.part++;
    }

    function endPoint(kind: string, { name, description, category, url, ...place }: OpenPoint): void {
      if (place.latitude === undefined) {
        emit({ problem: "a point without a position", offset: offset() });
        return;
      }
      if (kind === "wpt") {
        const { latitude, longitude, altitude, at } = place;
        const time = at === undefined ? undefined : new Date(at).toISOString();
        const facts = { name, description, category, time, latitude, longitude, altitude, url };
        emit({ stream: "places", facts, offset: offset() });
        return;
      }
      if (track === undefined) return;
      track.segments.at(-1)!.push(place);
      track.count++;
      if (track.count >= POINTS_MAX) endPart(track, kind === "rtept");
    }

    return {
      open({ name, attributes }) {
        if (name === "gpx") creator = wordsOf(attributes.creator)?.slice(0, 200);
        else if (TRACK_ELEMENTS.has(name)) track = { segments: [[]], count: 0, part: 0 };
        else if (name === "trkseg") track?.segments.push([]);
        else if (POINTS.has(name)) {
          point = { ...positionOf(numberOf(attributes.lat), numberOf(attributes.lon)) };
        } else if (name === "link" && point !== undefined) point.url = wordsOf(attributes.href);
      },
      close({ name, text }, outer) {
        if (POINTS.has(name) && point !== undefined) {
          endPoint(name, point);
          point = undefined;
        } else if (TRACK_ELEMENTS.has(name) && track !== undefined) {
          if (track.count > 0) endPart(track, name === "rte");
          else if (track.part === 0) emit({ left: "a track without points", offset: offset() });
          track = undefined;
        } else if (point !== undefined) {
          if (name === "hr") point.heartRate = numberOf(text);
          if (!POINTS.has(outer?.name ?? "")) return;
          if (name === "ele") point.altitude = numberOf(text);
          else if (name === "time") point.at = timeOf(text);
          else if (name === "name") point.name = wordsOf(text);
          else if (name === "desc" || name === "cmt") point.description ??= wordsOf(text);
          else if (name === "type" || name === "sym") point.category ??= wordsOf(text);
        } else if (track !== undefined && TRACK_ELEMENTS.has(outer?.name ?? "")) {
          if (name === "name") track.name = wordsOf(text);
          else if (name === "desc" || name === "cmt") track.description ??= wordsOf(text);
          else if (name === "type") track.activity = activityOf(text);
        }
      },
      end() {
        if (track !== undefined && track.count > 0) endPart(track, false);
      },
    };
  });
