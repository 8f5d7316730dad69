// Photos of walks and journeys, as Google Photos exports them: a picture, and a JSON file with its time and place.
import { isAway, isoDay, minutes } from "../../src/demo/clock.ts";
import type { DemoExport } from "../../src/demo/home.ts";
import { landscapePng } from "../../src/demo/pictures.ts";
import { createRandom } from "../../src/demo/random.ts";
import { type Stay, stays } from "./location-history.ts";

/** Walks of these places; at dinner she has no hand free. */
const SIGHTS = ["Bull Island", "Howth cliff path", "Glendalough", "Djouce", "Killiney Hill", "Lough Dan", "Ticknock"];
const SIZE = { width: 240, height: 180 };

export function photosExport(): DemoExport {
  return {
    key: "photos",
    display_name: "Photos",
    *files() {
      const random = createRandom("photos");
      for (const stay of stays().filter((one) => isSight(one) && (isAwayOn(one) || random.chance(0.35)))) {
        for (let left = random.int(1, 3); left > 0; left--) {
          const at = stay.start + minutes(random.int(20, 110));
          const name = `IMG_${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "_")}_${left}.png`;
          const folder = `Takeout/Google Photos/Photos from ${isoDay(at).slice(0, 4)}`;
          const jitter = (): number => (random.next() - 0.5) * 0.008;
          const place = { latitude: stay.position[0] + jitter(), longitude: stay.position[1] + jitter(), altitude: 0 };
          yield { path: `${folder}/${name}`, content: landscapePng(random, SIZE.width, SIZE.height) };
          yield {
            path: `${folder}/${name}.json`,
            content: JSON.stringify({
              title: name,
              description: stay.name.replace(/^the /, "The "),
              photoTakenTime: { timestamp: String(Math.floor(at / 1000)) },
              geoData: { ...place, latitudeSpan: 0, longitudeSpan: 0 },
            }),
          };
        }
      }
    },
  };
}

const isAwayOn = ({ start }: Stay): boolean => isAway(isoDay(start));
const isSight = (stay: Stay): boolean => isAwayOn(stay) || SIGHTS.includes(stay.name);
