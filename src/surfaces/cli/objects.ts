// Where blobs, exports and uploads are, as the environment says: PDPP_OBJECTS, else in the home.
import { type ObjectPlace, objectsOfOwner, objectsPlace } from "../../engine/objects-place.ts";

/** A database may hold several owners: each has a part of its own. */
export function objectsFor(home: string, database: { subject: string } | undefined): ObjectPlace {
  const place = objectsPlace(home, process.env);
  return database === undefined ? place : objectsOfOwner(place, database.subject);
}
