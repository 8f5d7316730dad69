// Photos from walks and journeys, as on a phone: a folder for each month, with time and place in EXIF data.
import { isoDublin, minutes } from "../clock.ts";
import { exifBlock } from "../formats/exif.ts";
import type { DemoExport } from "../home.ts";
import { createRandom } from "../random.ts";
import { photoPng, type Scene } from "../scenery.ts";
import { isOnJourney, stays } from "../stays.ts";

/** All walks that are not listed here go over hills. */
const SCENES: Readonly<Record<string, Scene>> = {
  "Bull Island": "sea",
  "Howth cliff path": "sea",
  "Killiney Hill": "sea",
  "Bray to Greystones": "sea",
  "Lough Dan": "sea",
  Belém: "sea",
  Cascais: "sea",
  Alfama: "town",
  "Castelo de São Jorge": "town",
  "Museum Island": "town",
  Sanderstraße: "town",
};

export function photosExport(): DemoExport {
  return {
    key: "photos",
    display_name: "Phone pictures",
    *files() {
      const random = createRandom("photos");
      for (const stay of stays().filter((one) => isOnJourney(one) || (one.isWalk && random.chance(0.75)))) {
        for (let left = random.int(1, isOnJourney(stay) ? 6 : 4); left > 0; left--) {
          const takenAt = isoDublin(stay.start + minutes(random.int(20, 160)));
          const jitter = (): number => (random.next() - 0.5) * 0.008;
          const [latitude, longitude] = [stay.latitude + jitter(), stay.longitude + jitter()];
          const exif = exifBlock({ takenAt, latitude, longitude, caption: stay.name });
          const digits = takenAt.slice(0, 19).replace(/[-:]/g, "").replace("T", "_");
          yield {
            path: `DCIM/${takenAt.slice(0, 7)}/IMG_${digits}_${left}.png`,
            content: photoPng(random, SCENES[stay.name] ?? "hills", Number(takenAt.slice(11, 13)), exif),
          };
        }
      }
    },
  };
}
