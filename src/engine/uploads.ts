// Where uploaded files are stored: in a growing file in the home, or piece by piece in storage that all processes
// share.
import { type ObjectPlace, openObjects } from "./objects-place.ts";
import { homeUploads, type Uploads } from "./upload-files.ts";
import { sharedUploads } from "./upload-pieces.ts";

export type { Uploads };

/** Outside a home, each piece is an object, because the next one may arrive at another process. */
export function uploadsAt(home: string, place: ObjectPlace | undefined): Uploads {
  return place === undefined || place.kind === "home" ? homeUploads(home) : sharedUploads(home, openObjects(place));
}
