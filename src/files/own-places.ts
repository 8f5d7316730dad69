// What belongs to this server's home, by identity: it stays recognisable under another path, as through a link or a bind mount.
import { readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

export const identityOf = ({ dev, ino }: Pick<Stats, "dev" | "ino">): string => `${dev}:${ino}`;

/** The home and everything right in it. A folder of it that is a link counts where the link leads. */
export function ownPlaces(home: string): Set<string> {
  const paths = [home, ...readdirSync(home).map((name) => join(home, name))];
  return new Set(paths.flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []).map(identityOf));
}
