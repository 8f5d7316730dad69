// Roots are directories that the owner approved, stored under their real paths. Nothing else is reachable.
import { realpathSync, type Stats, statSync } from "node:fs";
import { PdppError } from "../contract/errors.ts";
import type { FileRoot } from "../contract/files.ts";
import { formatInstant } from "../core/instant.ts";
import { isInHome } from "../store/home-marker.ts";
import type { Catalogue, RootRow } from "./catalogue.ts";
import { indexHandle, rootHandle, rootNo } from "./handles.ts";
import { printable } from "./printable.ts";

const NAME_MAX = 100;

export function addRoot(
  catalogue: Catalogue,
  home: string,
  { path, name }: { path: string | Uint8Array; name?: string },
  now: number,
): RootRow {
  const real = realPath(path);
  const own = realpathSync.native(home, { encoding: "buffer" });
  if (isWithin(real, own) || isInHome(real)) {
    throw new PdppError("invalid_request", "a Postern home, or a backup of one, cannot be a root", {
      param: "path",
      next_step: "Choose another directory. A root can contain a home; the home is then not shown.",
    });
  }
  const known = catalogue.roots().find((root) => Buffer.compare(root.path, real) === 0);
  if (known !== undefined) return known;
  const label = name?.trim().slice(0, NAME_MAX) || lastName(real);
  return catalogue.root(catalogue.addRoot(real, label, now))!;
}

function realPath(path: string | Uint8Array): Buffer {
  const given = typeof path === "string" ? Buffer.from(path) : Buffer.from(path);
  const shown = printable(given.subarray(0, 300));
  const refuse = (reason: string, next: string): PdppError =>
    new PdppError("invalid_request", `${JSON.stringify(shown)} ${reason}`, { param: "path", next_step: next });
  if (given[0] !== SLASH)
    throw refuse("is not an absolute path", "Pass the full path of the directory, e.g. /home/me/Photos.");
  if (given.includes(0)) throw refuse("contains a NUL byte", "Pass the path without the NUL byte.");
  let real: Buffer;
  let facts: Stats;
  try {
    real = realpathSync.native(given, { encoding: "buffer" });
    facts = statSync(real);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refuse(code === "ENOENT" ? "does not exist" : `cannot be read (${code})`, "Pass a directory that exists.");
  }
  if (!facts.isDirectory()) throw refuse("is not a directory", "Pass the directory that contains it.");
  return real;
}

const SLASH = 0x2f;

/** True if a path equals another one or is below it. Whole names are compared: /data2 is not in /data. */
function isWithin(path: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(path.subarray(0, other.length), other) !== 0) return false;
  return path.length === other.length || other.at(-1) === SLASH || path[other.length] === SLASH;
}

function lastName(path: Uint8Array): string {
  const text = printable(path);
  return text.split("/").at(-1) || text;
}

export function requireRoot(catalogue: Catalogue, rootId: string): RootRow {
  const no = rootNo(rootId);
  const root = no === undefined ? undefined : catalogue.root(no);
  if (root !== undefined) return root;
  throw new PdppError("root_not_allowed", `there is no root ${JSON.stringify(rootId.slice(0, 60))}`, {
    param: "rootId",
    next_step: "Call GET /api/roots to see the approved roots; the owner adds one with `pdpp files roots add PATH`.",
  });
}

export function rootRead(catalogue: Catalogue, root: RootRow): FileRoot {
  return {
    rootId: rootHandle(root.no),
    name: root.name,
    path: printable(root.path),
    createdAt: formatInstant(root.created_at),
    available: statSync(Buffer.from(root.path), { throwIfNoEntry: false })?.isDirectory() ?? false,
    crossMounts: root.cross_mounts === 1,
    indexIds: catalogue
      .indexes()
      .filter((index) => index.root === root.no)
      .map(({ no }) => indexHandle(no)),
  };
}
