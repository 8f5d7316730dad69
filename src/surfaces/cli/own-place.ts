// Locates the data that a command copies or checks: the home, or the owner in DATABASE_URL. Nothing is created.

import { databaseUrl, ownerAsked } from "../../engine/database.ts";
import { checkHomeDirectory, noteUnusedHome } from "../../engine/home-directory.ts";
import { type MoveOptions, placeInDatabase } from "../../engine/move.ts";
import { objectsPlace } from "../../engine/objects-place.ts";
import { readableHome } from "../../engine/readable-home.ts";
import type { CommandContext } from "./command.ts";

export async function ownPlace(
  { home, note }: CommandContext,
  options: { readOnly?: boolean } = {},
): Promise<MoveOptions["from"]> {
  const [url, objects] = [databaseUrl(), objectsPlace(home, process.env)];
  if (url !== undefined) {
    const place = await placeInDatabase({ url, owner: ownerAsked(), home, objects });
    noteUnusedHome(note, home, place.database?.subject);
    return place;
  }
  checkHomeDirectory(home, options);
  return { home, objects };
}

/** Runs read-only work, on a copy if the home is read-only. */
export async function readingFrom<T>(
  place: MoveOptions["from"],
  note: (text: string) => void,
  work: (place: MoveOptions["from"]) => Promise<T>,
): Promise<T> {
  if (place.database !== undefined) return work(place);
  const { home, isCopy, close } = readableHome(place.home);
  if (!isCopy) return work(place);
  note(READ_ONLY_NOTE);
  try {
    return await work({ home, objects: objectsPlace(home, process.env) });
  } finally {
    close();
  }
}

export const READ_ONLY_NOTE =
  "The home cannot be written to, so this command reads a temporary copy of its databases and is not recorded in its activity log.";
