// Locates an owner's data on this machine. Blobs, exports and uploads are in PDPP_OBJECTS if it is set, otherwise in
// the home.
import { homeOfOwner, type ObjectPlace, objectsOfOwner, objectsPlace } from "../../engine/objects-place.ts";

/** A database can contain several owners, so each gets its own folder and object prefix. */
export function partsFor(
  home: string,
  database: { subject: string } | undefined,
): { home: string; objects: ObjectPlace } {
  const objects = objectsPlace(home, process.env);
  if (database === undefined) return { home, objects };
  const { subject } = database;
  return { home: homeOfOwner(home, subject), objects: objectsOfOwner(objects, subject) };
}
