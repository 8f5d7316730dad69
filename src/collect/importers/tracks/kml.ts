// KML: placemarks with points, lines and tracks. Areas and models are skipped.
import type { Entry } from "../../entry.ts";
import { numberOf, positionOf, type TrackPoint } from "../track.ts";
import { type TrackItem, timeOf, wordsOf } from "./item.ts";
import { xmlItems } from "./xml.ts";

interface Placemark {
  name?: string | undefined;
  description?: string | undefined;
  begin?: number | undefined;
  end?: number | undefined;
  points: TrackPoint[];
  lines: TrackPoint[][];
  found: number;
}

const AREAS = new Set(["Polygon", "Model", "LinearRing"]);

/** `longitude,latitude,altitude`, with spaces between points. In a track, the spaces are inside a point. */
function pointsIn(text: string, separator: RegExp): (TrackPoint | undefined)[] {
  return text
    .trim()
    .split(separator)
    .filter((one) => one !== "")
    .map((one) => {
      const [longitude, latitude, altitude] = one
        .trim()
        .split(/[,\s]+/)
        .map(numberOf);
      const position = positionOf(latitude, longitude);
      return position && { ...position, altitude };
    });
}

const iso = (at: number | undefined): string | undefined => (at === undefined ? undefined : new Date(at).toISOString());

export const kmlItems = (entry: Entry): AsyncGenerator<TrackItem> =>
  xmlItems(entry, (emit, offset) => {
    let placemark: Placemark | undefined;
    let track: { times: (number | undefined)[]; coords: (TrackPoint | undefined)[] } | undefined;
    let area = 0;
    const folders: (string | undefined)[] = [];

    function endTrack(own: Placemark, { times, coords }: NonNullable<typeof track>): void {
      const points = coords.flatMap((point, index) => (point === undefined ? [] : [{ ...point, at: times[index] }]));
      if (points.length > 0) own.lines.push(points);
      else emit({ problem: "a track without positions", offset: offset() });
    }

    function coordinates(own: Placemark, text: string, geometry: string | undefined): void {
      const points = pointsIn(text, /\s+/).filter((point) => point !== undefined);
      if (points.length === 0) emit({ problem: "a place or line without coordinates", offset: offset() });
      else if (geometry === "Point") own.points.push(points[0]!);
      else own.lines.push(points);
    }

    function endPlacemark({ name, description, begin, end, points, lines, found }: Placemark): void {
      const category = folders.filter((folder) => folder !== undefined).join(" / ") || undefined;
      for (const { latitude, longitude, altitude } of points) {
        const facts = { name, description, category, time: iso(begin), end: iso(end), latitude, longitude, altitude };
        emit({ stream: "places", facts, offset: offset() });
      }
      for (const line of lines) {
        const isTimed = line.some(({ at }) => at !== undefined);
        const facts = { name, description, ...(isTimed ? {} : { start: iso(begin), end: iso(end) }) };
        emit({ segments: [line], stream: "tracks", facts, offset: offset() });
      }
      if (found === 0) emit({ left: "a placemark without a position", offset: offset() });
    }

    return {
      open({ name }) {
        if (name === "Placemark") placemark = { points: [], lines: [], found: 0 };
        else if (name === "Folder") folders.push(undefined);
        else if (name === "Track") track = { times: [], coords: [] };
        else if (AREAS.has(name)) area++;
        if (["Point", "LineString", "Track"].includes(name) || (AREAS.has(name) && area === 1)) {
          if (placemark !== undefined) placemark.found++;
        }
      },
      close({ name, text }, outer) {
        if (name === "Folder") folders.pop();
        if (AREAS.has(name)) {
          area--;
          if (area === 0) emit({ left: "an area or a model, not a place or a track", offset: offset() });
        }
        if (name === "name" && outer?.name === "Folder") folders[folders.length - 1] = wordsOf(text)?.slice(0, 200);
        if (placemark === undefined) return;
        if (name === "Placemark") {
          endPlacemark(placemark);
          placemark = undefined;
        } else if (name === "Track" && track !== undefined) {
          endTrack(placemark, track);
          track = undefined;
        } else if (track !== undefined) {
          if (name === "when") track.times.push(timeOf(text));
          else if (name === "coord") track.coords.push(pointsIn(text, /\n/)[0]);
        } else if (name === "coordinates" && area === 0) coordinates(placemark, text, outer?.name);
        else if (name === "when" || name === "begin") placemark.begin ??= timeOf(text);
        else if (name === "end") placemark.end ??= timeOf(text);
        else if (outer?.name === "Placemark" && name === "name") placemark.name = wordsOf(text);
        else if (outer?.name === "Placemark" && name === "description") placemark.description = wordsOf(text);
      },
    };
  });
