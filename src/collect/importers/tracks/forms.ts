// The formats of track files: how each is recognised, and its reader.
import type { Entry } from "../../entry.ts";
import { decodeHead } from "../decode.ts";
import { fitItems } from "./fit.ts";
import { geojsonItems } from "./geojson.ts";
import { gpxItems } from "./gpx.ts";
import type { TrackItem } from "./item.ts";
import { kmlItems } from "./kml.ts";
import { owntracksItems } from "./owntracks.ts";
import { tcxItems } from "./tcx.ts";

interface Form {
  reason: string;
  ending: RegExp;
  begins: RegExp;
  score: number;
  streams: readonly string[];
  read: (entry: Entry) => AsyncIterable<TrackItem>;
}

const FORMS: readonly Form[] = [
  form("GPX", /\.gpx$/i, /<(?:\w{1,20}:)?gpx[\s>]/, gpxItems, ["tracks", "places"]),
  form("KML", /\.kml$/i, /<(?:\w{1,20}:)?kml[\s>]/, kmlItems, ["tracks", "places"]),
  form("TCX workout", /\.tcx$/i, /<(?:\w{1,20}:)?TrainingCenterDatabase[\s>]/, tcxItems, ["workouts"]),
  form("FIT workout", /\.fit$/i, /^[\s\S]{8}\.FIT/, fitItems, ["workouts", "measurements"]),
  form("OwnTracks log", /\.rec$/i, /^\d{4}-\d\d-\d\dT[\d:]{8}Z?\s+\S[^{\n]{0,40}\{[^\n]*"_type"/, owntracksItems, [
    "tracks",
    "places",
  ]),
  form(
    "Overland or Polarsteps locations",
    /\.json$/i,
    /^\s*\{\s*"locations"\s*:\s*\[\s*\{\s*"(?:type|geometry|properties|lat|lon)"/,
    listed,
    ["tracks"],
  ),
  form(
    "GeoJSON",
    /\.(?:geo)?json$/i,
    /^\s*\{[\s\S]*"type"\s*:\s*"FeatureCollection"|^\s*\{\s*"features"\s*:\s*\[\s*\{[\s\S]*"geometry"/,
    listed,
    ["tracks", "places"],
    85,
  ),
  form(
    "GeoJSON",
    /\.(?:geo)?json$/i,
    /^\s*\{[\s\S]*"type"\s*:\s*"(?:Feature|Point|LineString|MultiLineString)"[\s\S]*"coordinates"/,
    (entry) => geojsonItems(entry, true),
    ["tracks", "places"],
    70,
  ),
];

function form(
  reason: string,
  ending: RegExp,
  begins: RegExp,
  read: Form["read"],
  streams: readonly string[],
  score = 92,
): Form {
  return { reason, ending, begins, score, streams, read };
}

function listed(entry: Entry): AsyncIterable<TrackItem> {
  return geojsonItems(entry, false);
}

/** Recognises a format by the file's name and beginning. */
export function formOf(path: string, head: Uint8Array): Form | undefined {
  const forms = FORMS.filter(({ ending }) => ending.test(path));
  if (forms.length === 0) return undefined;
  const start = /\.fit$/i.test(path) ? Buffer.from(head).toString("latin1") : decodeHead(head).replace(/^\ufeff/, "");
  return forms.find(({ begins }) => begins.test(start));
}
