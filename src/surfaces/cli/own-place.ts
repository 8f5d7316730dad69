// Whose data a command copies or checks: that of the home, or of the owner in DATABASE_URL. Nothing is made.

import { databaseUrl, ownerAsked } from "../../engine/database.ts";
import { checkHomePlace, noteUnusedHome } from "../../engine/home-place.ts";
import { type MoveOptions, placeInDatabase } from "../../engine/move.ts";
import { objectsPlace } from "../../engine/objects-place.ts";
import type { CommandContext } from "./command.ts";

export async function ownPlace({ home, note }: CommandContext): Promise<MoveOptions["from"]> {
  const [url, objects] = [databaseUrl(), objectsPlace(home, process.env)];
  if (url !== undefined) {
    const place = await placeInDatabase({ url, owner: ownerAsked(), home, objects });
    noteUnusedHome(note, home, place.database?.subject);
    return place;
  }
  checkHomePlace(home);
  return { home, objects };
}
