// Where Nora was, as the location history of a Takeout: dinners, films and walks of her calendar, and two journeys.
import { dublin, hours, isAway, isoDay, minutes } from "../../src/demo/clock.ts";
import type { DemoExport } from "../../src/demo/home.ts";
import { occasions } from "../../src/demo/occasions.ts";
import { createRandom, type Random } from "../../src/demo/random.ts";

type Position = readonly [latitude: number, longitude: number];

/** Towns and hills are real, the restaurants are invented. */
const POSITIONS: Readonly<Record<string, Position>> = {
  "Zaatar & Rye": [53.3478, -6.2801],
  "The Copper Pot": [53.3421, -6.2637],
  "Mulligan's Chowder House": [53.3446, -6.2541],
  "Bombay Lane": [53.3382, -6.2719],
  "Trattoria Ponte": [53.3465, -6.2677],
  "Ramen Kaido": [53.3449, -6.2663],
  "The Salted Herring": [53.3872, -6.0658],
  "Café Miradouro": [53.3519, -6.2838],
  "Slice of Smithfield": [53.3485, -6.2784],
  "The Fig Tree": [53.3601, -6.2653],
  "Lighthouse Pictures": [53.3487, -6.2791],
  "Bull Island": [53.3707, -6.1436],
  "Howth cliff path": [53.3786, -6.0571],
  "the Royal Canal": [53.3648, -6.2779],
  "Phoenix Park": [53.3559, -6.3298],
  Glendalough: [53.0109, -6.3297],
  Djouce: [53.1306, -6.2323],
  "the Great Sugar Loaf": [53.1542, -6.1503],
  "Killiney Hill": [53.2667, -6.1128],
  "Bray to Greystones": [53.1897, -6.0838],
  "the Hell Fire Club": [53.2476, -6.3303],
  "Lough Dan": [53.0717, -6.2836],
  Ticknock: [53.2453, -6.2493],
};

export interface Stay {
  name: string;
  position: Position;
  start: number;
  end: number;
}

const JOURNEYS: readonly [name: string, position: Position, start: string, hours: number][] = [
  ["Tempelhofer Feld", [52.4751, 13.4014], "2023-10-20 15:00", 3],
  ["Sanderstraße", [52.4906, 13.4241], "2023-10-20 19:30", 12],
  ["Museum Island", [52.5169, 13.4019], "2023-10-21 11:00", 4],
  ["Treptower Park", [52.4886, 13.4708], "2023-10-22 13:30", 2],
  ["Alfama", [38.7118, -9.1303], "2025-05-15 17:00", 4],
  ["Castelo de São Jorge", [38.7139, -9.1335], "2025-05-16 10:30", 3],
  ["Belém", [38.6968, -9.206], "2025-05-17 11:00", 4],
  ["Sintra", [38.7973, -9.3904], "2025-05-18 10:00", 6],
  ["Cascais", [38.6979, -9.4215], "2025-05-19 12:00", 4],
];

/** Every occasion that has a place, and the journeys. */
export function stays(): Stay[] {
  const own = occasions().flatMap(({ location, start, end }) => {
    const position = POSITIONS[location];
    return position === undefined ? [] : [{ name: location, position, start, end }];
  });
  const away = JOURNEYS.map(([name, position, at, length]) => {
    const start = dublin(at);
    return { name, position, start, end: start + hours(length) };
  });
  return [...own, ...away].sort((one, other) => one.start - other.start);
}

export function placesExport(): DemoExport {
  return {
    key: "places",
    display_name: "Location history",
    *files() {
      const byYear = Map.groupBy(stays(), ({ start }) => isoDay(start).slice(0, 4));
      const random = createRandom("places");
      const walked = new Set(occasions().flatMap(({ kind, start }) => (kind === "walk" ? [start] : [])));
      for (const [year, own] of byYear)
        yield {
          path: `Takeout/Location History/Semantic Location History/${year}/${year}.json`,
          content: JSON.stringify({
            timelineObjects: own.map((stay) =>
              walked.has(stay.start) || isAway(isoDay(stay.start)) ? walkOf(stay, random) : visitOf(stay),
            ),
          }),
        };
    },
  };
}

const e7 = (degrees: number): number => Math.round(degrees * 1e7);
const written = (milliseconds: number): string => new Date(milliseconds).toISOString();

const visitOf = ({ name, position: [latitude, longitude], start, end }: Stay) => ({
  placeVisit: {
    location: { latitudeE7: e7(latitude), longitudeE7: e7(longitude), name },
    duration: { startTimestamp: written(start), endTimestamp: written(end) },
    placeConfidence: "HIGH_CONFIDENCE",
    visitConfidence: 90,
  },
});

/** A loop that comes back to where it began: the visit, and the way inside it. */
function walkOf(stay: Stay, random: Random) {
  const [latitude, longitude] = stay.position;
  const points = loopAround(stay, random);
  const [first] = points as [(typeof points)[number]];
  return {
    ...visitOf({ ...stay, end: stay.start + minutes(15) }),
    activitySegment: {
      startLocation: { latitudeE7: first.latE7, longitudeE7: first.lngE7 },
      endLocation: { latitudeE7: e7(latitude), longitudeE7: e7(longitude) },
      duration: { startTimestamp: written(stay.start + minutes(15)), endTimestamp: written(stay.end) },
      activityType: "WALKING",
      simplifiedRawPath: { points },
    },
  };
}

const LOOP_POINTS = 48;

function loopAround({ position: [latitude, longitude], start, end }: Stay, random: Random) {
  const size = 0.008 + random.next() * 0.012;
  const [turn, bend] = [random.next() * 6.28, 1 + random.int(1, 3)];
  const begin = start + minutes(15);
  return Array.from({ length: LOOP_POINTS + 1 }, (_, index) => {
    const part = index / LOOP_POINTS;
    const angle = turn + part * 2 * Math.PI;
    const away = size * (1 - Math.cos(part * 2 * Math.PI)) * (0.5 + 0.12 * Math.sin(bend * angle));
    return {
      latE7: e7(latitude + away * Math.sin(angle) * 0.7),
      lngE7: e7(longitude + away * Math.cos(angle)),
      accuracyMeters: 8,
      timestamp: written(begin + Math.round((end - begin) * part)),
    };
  });
}
