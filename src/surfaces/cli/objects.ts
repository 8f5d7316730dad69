// Where an owner's data is on this machine, and where blobs, exports and uploads are: PDPP_OBJECTS, otherwise in the
// home.
import { homeOfOwner, type ObjectPlace, objectsOfOwner, objectsPlace } from "../../engine/objects-place.ts";

/** A database may contain several owners: each has its own part. */
export function partsFor(
  home: string,
  database: { subject: string } | undefined,
): { home: string; objects: ObjectPlace } {
  const objects = objectsPlace(home, process.env);
  if (database === undefined) return { home, objects };
  const { subject } = database;
  return { home: homeOfOwner(home, subject), objects: objectsOfOwner(objects, subject) };
}
