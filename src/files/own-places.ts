// Recognises files of this server's home by identity, also under another path, as through a link or a bind mount. Its key
// is known by its content too: a key of an earlier build has nothing else that a copy could be recognised by.
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

export const identityOf = ({ dev, ino }: Pick<Stats, "dev" | "ino">): string => `${dev}:${ino}`;

/** As `ownPlaces` has the key of the home. */
export const keyIdentity = (content: Uint8Array): string => `key ${hash("sha256", content)}`;

/** The home and everything right in it. A folder of it that is a link counts where the link leads. */
export function ownPlaces(home: string): Set<string> {
  const paths = [home, ...readdirSync(home).map((name) => join(home, name))];
  const own = new Set(paths.flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []).map(identityOf));
  const key = join(home, "key");
  return existsSync(key) ? own.add(keyIdentity(readFileSync(key))) : own;
}
