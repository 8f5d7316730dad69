// The demo's photos: ranges of hills, with the sea or a town in front, in the light of the hour.
import { type Colour, palettePng } from "./formats/png.ts";
import type { Random } from "./random.ts";

export type Scene = "hills" | "sea" | "town";

const WIDTH = 480;
const HEIGHT = 320;

interface Light {
  top: Colour;
  horizon: Colour;
  sun: Colour;
  land: Colour;
}

const MORNING: Light = { top: [120, 165, 205], horizon: [250, 226, 196], sun: [255, 244, 214], land: [62, 92, 84] };
const NOON: Light = { top: [70, 135, 200], horizon: [205, 228, 240], sun: [255, 252, 236], land: [70, 112, 66] };
const CLOUDY: Light = { top: [150, 163, 174], horizon: [216, 220, 222], sun: [232, 234, 234], land: [78, 94, 84] };
const EVENING: Light = { top: [86, 84, 140], horizon: [250, 168, 112], sun: [255, 222, 160], land: [58, 52, 78] };

const SKY = 64;
const RANGES = 5;
/** Shades within one range of hills, from the ridge downwards. */
const SHADES = 12;
const SUN = SKY;
const GLOW = SUN + 1;
const LAND = GLOW + 1;
const WATER = LAND + RANGES * SHADES;
const WATER_SHADES = 32;
const GLITTER = WATER + WATER_SHADES;
const WINDOW = GLITTER + 1;

/** `hour` is in local time; `exif` is written to the file. */
export function photoPng(random: Random, scene: Scene, hour: number, exif: Uint8Array): Uint8Array {
  const light =
    hour >= 19 ? EVENING : random.chance(0.25) ? CLOUDY : hour < 11 ? MORNING : random.chance(0.7) ? NOON : EVENING;
  const shore = scene === "sea" ? Math.round(HEIGHT * (0.58 + random.next() * 0.1)) : HEIGHT;
  const ridges = Array.from({ length: RANGES }, (_, range) =>
    scene === "town" && range >= 2 ? roofs(random, range) : ridge(random, range, shore),
  );
  return palettePng({ width: WIDTH, height: HEIGHT }, paletteOf(light), paint(random, ridges, shore, scene), exif);
}

function paint(random: Random, ridges: readonly Int16Array[], shore: number, scene: Scene): Uint8Array {
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  const [sunX, sunY, sunSize] = [random.int(60, WIDTH - 60), random.int(40, 110), random.int(12, 20)];
  const horizon = HEIGHT * 0.62;
  for (let y = 0; y < HEIGHT; y++) {
    const row = y * WIDTH;
    const sky = Math.min(SKY - 1, Math.floor((y / horizon) * SKY));
    pixels.fill(sky, row, row + WIDTH);
    const reach = Math.abs(y - sunY);
    if (reach <= sunSize + 5) {
      disc(pixels, row, sunX, Math.sqrt((sunSize + 5) ** 2 - reach ** 2), GLOW);
      if (reach <= sunSize) disc(pixels, row, sunX, Math.sqrt(sunSize ** 2 - reach ** 2), SUN);
    }
  }
  for (const [range, heights] of ridges.entries())
    for (let x = 0; x < WIDTH; x++)
      for (let y = heights[x]!; y < shore; y++)
        pixels[y * WIDTH + x] = LAND + range * SHADES + Math.min(SHADES - 1, (y - heights[x]!) >> 3);
  for (let y = shore; y < HEIGHT; y++) {
    const row = y * WIDTH;
    pixels.fill(WATER + Math.floor(((y - shore) / (HEIGHT - shore)) * (WATER_SHADES - 1)), row, row + WIDTH);
    const half = 5 + (y - shore) * 0.35;
    if (y % 4 < 2) disc(pixels, row, sunX + random.int(-6, 6), half * random.next(), GLITTER);
  }
  if (scene === "town") lightWindows(random, pixels, ridges.at(-1)!);
  return pixels;
}

function disc(pixels: Uint8Array, row: number, centre: number, half: number, colour: number): void {
  const from = Math.max(0, Math.round(centre - half));
  pixels.fill(colour, row + from, row + Math.max(from, Math.min(WIDTH, Math.round(centre + half))));
}

/** Nearer ranges start lower and have finer ridges; the nearest has conifers. */
function ridge(random: Random, range: number, shore: number): Int16Array {
  const base = HEIGHT * (0.4 + range * 0.115) - (HEIGHT - shore) * (0.25 + range * 0.12);
  const waves = [90, 41, 17].map((length, index) => ({
    length: length * (0.8 + random.next() * 0.5),
    size: (26 - range * 3) / (index * 1.6 + 1),
    phase: random.next() * 6.28,
  }));
  const heights = new Int16Array(WIDTH);
  for (let x = 0; x < WIDTH; x++)
    heights[x] = base - waves.reduce((sum, { length, size, phase }) => sum + size * Math.sin(x / length + phase), 0);
  if (range < RANGES - 1 || shore < HEIGHT) return heights;
  for (let trees = random.int(8, 26); trees > 0; trees--) {
    const [middle, tall] = [random.int(0, WIDTH - 1), random.int(16, 40)];
    const foot = heights[middle]!;
    for (let away = -tall; away <= tall; away++) {
      const [x, top] = [middle + away, foot + 4 - tall + Math.abs(away) * 3];
      if (x >= 0 && x < WIDTH && top < heights[x]!) heights[x] = top;
    }
  }
  return heights;
}

function roofs(random: Random, range: number): Int16Array {
  const heights = new Int16Array(WIDTH);
  for (let x = 0; x < WIDTH; ) {
    const [wide, top] = [random.int(22, 52), HEIGHT * (0.36 + range * 0.12) + random.int(-22, 22)];
    const isGable = random.chance(0.6);
    for (let own = 0; own < wide && x < WIDTH; own++, x++)
      heights[x] = top - (isGable ? Math.max(0, wide / 3 - Math.abs(own - wide / 2) * 0.7) : 0);
  }
  return heights;
}

function lightWindows(random: Random, pixels: Uint8Array, heights: Int16Array): void {
  for (let x = 6; x < WIDTH - 8; x += 12)
    for (let y = heights[x]! + 14; y < HEIGHT - 10; y += 18)
      if (random.chance(0.55))
        for (let down = 0; down < 8; down++) disc(pixels, (y + down) * WIDTH, x + 3, 2.5, WINDOW);
}

/** Distant hills take the colour of the air in front of them. */
function paletteOf({ top, horizon, sun, land }: Light): Colour[] {
  const sky = steps(SKY, (part) => mixed(top, horizon, part));
  const hills = Array.from({ length: RANGES }, (_, range) => {
    const own = mixed(horizon, land, 0.3 + range * 0.17);
    return steps(SHADES, (part) => mixed(own, mixed(own, range === RANGES - 1 ? [20, 24, 22] : horizon, 0.35), part));
  });
  const water = steps(WATER_SHADES, (part) => mixed(mixed(horizon, top, 0.3), mixed(top, [18, 40, 58], 0.6), part));
  return [...sky, sun, mixed(horizon, sun, 0.5), ...hills.flat(), ...water, mixed(sun, horizon, 0.3), [252, 222, 150]];
}

const steps = (count: number, colour: (part: number) => Colour): Colour[] =>
  Array.from({ length: count }, (_, index) => colour(index / (count - 1)));

const mixed = (one: Colour, other: Colour, part: number): Colour => {
  const channel = (index: 0 | 1 | 2): number => Math.round(one[index] + (other[index] - one[index]) * part);
  return [channel(0), channel(1), channel(2)];
};
