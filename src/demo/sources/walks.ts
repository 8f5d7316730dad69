// The walks that Nora's watch recorded, as GPX files.
import { iso, isoDay, minutes } from "../clock.ts";
import type { DemoExport } from "../home.ts";
import { createRandom, type Random } from "../random.ts";
import { type Stay, stays } from "../stays.ts";

export function walksExport(): DemoExport {
  return {
    key: "walks",
    display_name: "Walks",
    *files() {
      const random = createRandom("walks");
      for (const stay of stays().filter(({ isWalk }) => isWalk))
        yield { path: `${isoDay(stay.start)} ${stay.name}.gpx`, content: gpx(stay, random) };
    },
  };
}

const POINTS = 60;

function gpx(stay: Stay, random: Random): string {
  const points = loopFrom(stay, random).map(
    ({ latitude, longitude, height, at }) =>
      `<trkpt lat="${latitude.toFixed(6)}" lon="${longitude.toFixed(6)}"><ele>${height.toFixed(1)}</ele><time>${iso(at)}</time></trkpt>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Coros Pace 3" xmlns="http://www.topografix.com/GPX/1/1">
<trk><name>${stay.name}</name><type>hiking</type><trkseg>
${points.join("\n")}
</trkseg></trk>
</gpx>
`;
}

/** Returns a loop over a hill that ends where it starts. */
function loopFrom({ latitude, longitude, start, end }: Stay, random: Random) {
  const size = 0.008 + random.next() * 0.012;
  const [turn, bends, climb] = [random.next() * 6.28, 1 + random.int(1, 3), random.int(20, 320)];
  const begin = start + minutes(10);
  return Array.from({ length: POINTS + 1 }, (_, index) => {
    const part = index / POINTS;
    const angle = turn + part * 2 * Math.PI;
    const away = size * (1 - Math.cos(part * 2 * Math.PI)) * (0.5 + 0.12 * Math.sin(bends * angle));
    return {
      latitude: latitude + away * Math.sin(angle) * 0.7,
      longitude: longitude + away * Math.cos(angle),
      height: 15 + climb * Math.sin(part * Math.PI) ** 2 + random.next() * 2,
      at: begin + Math.round((end - begin) * part),
    };
  });
}
