// Where Nora was, as the location history in a Google Takeout: visits, and the routes between them on journeys.

import { isoDay } from "../clock.ts";
import type { DemoExport } from "../home.ts";
import { isOnJourney, type Stay, stays } from "../stays.ts";

export function locationsExport(): DemoExport {
  return {
    key: "locations",
    display_name: "Location history",
    *files() {
      for (const [year, own] of Map.groupBy(stays(), ({ start }) => isoDay(start).slice(0, 4)))
        yield {
          path: `Takeout/Location History/Semantic Location History/${year}/${year}.json`,
          content: JSON.stringify({
            timelineObjects: own.flatMap((stay, index) => [...way(own[index - 1], stay), visit(stay)]),
          }),
        };
    },
  };
}

const e7 = (degrees: number): number => Math.round(degrees * 1e7);
const written = (milliseconds: number): string => new Date(milliseconds).toISOString();
const place = ({ latitude, longitude }: Stay) => ({ latitudeE7: e7(latitude), longitudeE7: e7(longitude) });

const visit = (stay: Stay) => ({
  placeVisit: {
    location: { ...place(stay), name: stay.name },
    duration: { startTimestamp: written(stay.start), endTimestamp: written(stay.end) },
    placeConfidence: "HIGH_CONFIDENCE",
    visitConfidence: 90,
  },
});

/**
 * The route from one place on a journey to the next. At home there are no routes, because the phone stays in a pocket.
 */
function way(from: Stay | undefined, to: Stay) {
  if (from === undefined || !isOnJourney(from) || !isOnJourney(to)) return [];
  const points = Array.from({ length: WAY_POINTS + 1 }, (_, index) => {
    const part = index / WAY_POINTS;
    const bend = Math.sin(part * Math.PI) * 0.12;
    const [north, east] = [to.latitude - from.latitude, to.longitude - from.longitude];
    return {
      latE7: e7(from.latitude + north * part - east * bend),
      lngE7: e7(from.longitude + east * part + north * bend),
      accuracyMeters: 12,
      timestamp: written(to.start - Math.round(WAY_MS * (1 - part))),
    };
  });
  return [
    {
      activitySegment: {
        startLocation: place(from),
        endLocation: place(to),
        duration: { startTimestamp: written(to.start - WAY_MS), endTimestamp: written(to.start) },
        activityType:
          Math.hypot(to.latitude - from.latitude, to.longitude - from.longitude) > 0.1 ? "IN_TRAIN" : "WALKING",
        simplifiedRawPath: { points },
      },
    },
  ];
}

const WAY_POINTS = 24;
const WAY_MS = 40 * 60_000;
