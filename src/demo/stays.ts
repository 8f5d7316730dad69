// Where Nora was and when: the dinners, films and walks in her calendar, and the days of her journeys.
import { dublin, hours, isAway, isoDay } from "./clock.ts";
import { occasions } from "./occasions.ts";

export interface Stay {
  name: string;
  latitude: number;
  longitude: number;
  start: number;
  end: number;
  /** True for a walk, at home or on a journey, which has a track and photos. */
  isWalk: boolean;
}

type Position = readonly [latitude: number, longitude: number];

/** Towns and hills are real; the restaurants are invented. */
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

/** Returns every occasion that has a place, and the journeys. */
export function stays(): Stay[] {
  const own = occasions().flatMap(({ location, start, end, kind }) => {
    const position = POSITIONS[location];
    return position === undefined ? [] : [stay(location, position, start, end, kind === "walk")];
  });
  const away = JOURNEYS.map(([name, position, at, length]) => {
    const start = dublin(at);
    return stay(name, position, start, start + hours(length), length < 12);
  });
  return [...own, ...away].sort((one, other) => one.start - other.start);
}

const stay = (name: string, [latitude, longitude]: Position, start: number, end: number, isWalk: boolean): Stay => ({
  name: name.replace(/^the /, "The "),
  latitude,
  longitude,
  start,
  end,
  isWalk,
});

export const isOnJourney = ({ start }: Stay): boolean => isAway(isoDay(start));
