// Whose data a command copies or checks: that of the home, or of the owner in DATABASE_URL. Nothing is made.

import { databaseUrl } from "../../engine/database.ts";
import { checkHomePlace } from "../../engine/home-place.ts";
import { type MoveOptions, placeInDatabase } from "../../engine/move.ts";
import { objectsPlace } from "../../engine/objects-place.ts";

export async function ownPlace(home: string): Promise<MoveOptions["from"]> {
  const [url, objects] = [databaseUrl(), objectsPlace(home, process.env)];
  if (url !== undefined) return placeInDatabase({ url, owner: process.env.PDPP_OWNER || undefined, home, objects });
  checkHomePlace(home);
  return { home, objects };
}
