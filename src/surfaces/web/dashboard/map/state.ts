// The state of the map in its address: the visible part of the world, kinds, and days.
import { isKind, type Kind } from "../../../../contract/kinds.ts";
import { parseDay } from "../../../../core/instant.ts";
import { type MapWindow, middleOf, windowAt } from "../../map/map-window.ts";
import { type Pairs, pair, withPairs } from "../explore/addresses.ts";

export const MAP = "/dashboard/map";
/** The drawing size in pixels. A narrower page shows the middle. */
export const MAP_SIZE = { width: 960, height: 600 };

export interface MapState {
  /** If absent, everything is shown. */
  window?: MapWindow;
  kinds: Kind[];
  /** `YYYY-MM-DD`, both inclusive. */
  since?: string;
  until?: string;
  /** All parameters except the window. */
  pairs: Pairs;
}

export function mapState(search: URLSearchParams): MapState {
  const number = (name: string): number => Number.parseFloat(search.get(name) ?? "");
  const day = (name: string): string | undefined => {
    const text = search.get(name)?.trim() ?? "";
    return /^\d{4}-\d\d-\d\d$/.test(text) && parseDay(text) !== undefined ? text : undefined;
  };
  const [latitude, longitude, zoom] = [number("lat"), number("lon"), number("z")];
  const [since, until] = [day("since"), day("until")];
  const kinds = [...new Set(search.getAll("kind").filter(isKind))];
  const isPlaced = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && Number.isFinite(zoom);
  return {
    ...(isPlaced ? { window: windowAt({ latitude, longitude }, zoom, MAP_SIZE) } : {}),
    kinds,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    pairs: [
      ...kinds.map((kind) => pair("kind", kind)),
      ...(since === undefined ? [] : [pair("since", since)]),
      ...(until === undefined ? [] : [pair("until", until)]),
    ],
  };
}

/** Enough digits for one pixel at the closest zoom. */
const DIGITS = 5;

export function windowPairs(window: MapWindow): Pairs {
  const { latitude, longitude } = middleOf(window);
  return [
    pair("lat", latitude.toFixed(DIGITS)),
    pair("lon", longitude.toFixed(DIGITS)),
    pair("z", String(window.zoom)),
  ];
}

export const mapAddress = (pairs: Pairs, window?: MapWindow): string =>
  withPairs(MAP, window === undefined ? pairs : [...pairs, ...windowPairs(window)]);
