// Recognises files of this server's home by identity, even under another path, such as a link or a bind mount. Its key
// is also recognised by its content: a copy of an earlier version's key cannot be recognised otherwise.
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { identityOf } from "./disk-identity.ts";

/** The identity of a home's key, as in `ownPlaces`. */
export const keyIdentity = (content: Uint8Array): string => `key ${hash("sha256", content)}`;

/** The home and everything directly in it. If a folder of it is a link, the link's target counts. */
export function ownPlaces(home: string): Set<string> {
  const paths = [home, ...readdirSync(home).map((name) => join(home, name))];
  const own = new Set(paths.flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []).map(identityOf));
  const key = join(home, "key");
  return existsSync(key) ? own.add(keyIdentity(readFileSync(key))) : own;
}
