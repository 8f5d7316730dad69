// Recognises files in this server's home by device and inode, so it also finds them under another path, such as a link
// or a bind mount. The key is also recognised by its content, because nothing else identifies a copy of an earlier
// version's key.
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { identityOf } from "./disk-identity.ts";

/** The identity of a home's key, as used in `homeIdentities`. */
export const keyIdentity = (content: Uint8Array): string => `key ${hash("sha256", content)}`;

/**
 * Returns the identities of the home and everything directly in it. If a folder in it is a link, the identity is that
 * of the link's target.
 */
export function homeIdentities(home: string): Set<string> {
  const paths = [home, ...readdirSync(home).map((name) => join(home, name))];
  const own = new Set(paths.flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []).map(identityOf));
  const key = join(home, "key");
  return existsSync(key) ? own.add(keyIdentity(readFileSync(key))) : own;
}
