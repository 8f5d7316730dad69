// Where files go that were sent to be imported: into one that grows in the home, or piece by piece to where all processes see them.
import { type ObjectPlace, openObjects } from "./objects-place.ts";
import { homeUploads, type Uploads } from "./upload-files.ts";
import { sharedUploads } from "./upload-pieces.ts";

export type { Uploads };

/** Elsewhere than in a home each piece is an object: the next may come in at another process. */
export function uploadsAt(home: string, place: ObjectPlace | undefined): Uploads {
  return place === undefined || place.kind === "home" ? homeUploads(home) : sharedUploads(home, openObjects(place));
}
