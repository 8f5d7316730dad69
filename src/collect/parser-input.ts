// Determines the paths that a parser may read: the given ones, the targets of links, and the log next to a database in
// use.
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import type { InputPath } from "./walk.ts";

interface ParserInput {
  given: InputPath[];
  reads: string[];
}

/** `others` lists everything else that the parser may read. */
export async function parserInput(all: readonly InputPath[], others: readonly string[]): Promise<ParserInput> {
  const reads = new Set<string>();
  const folders = new Set<string>();
  for (const one of all) {
    const path = pathOf(one);
    const real = await realpath(path).catch(() => path);
    for (const granted of [path, real]) reads.add(granted);
    if (await isFolder(real)) for (const folder of [path, real]) folders.add(folder);
    else if (await exists(`${real}-wal`)) reads.add(`${real}-wal`);
  }
  const given: InputPath[] = [];
  const granted = [...reads, ...others];
  for (const one of all) given.push(...(await reachable(one, folders, granted)));
  return { given, reads: granted };
}

/**
 * Node's permission model refuses a folder whose path is a prefix of another granted path (`mail` next to `mail.zip` or
 * `mail-home`), but not its contents. In that case the folder's entries are passed one by one, under the folder's name.
 */
async function reachable(
  one: InputPath,
  folders: ReadonlySet<string>,
  granted: readonly string[],
): Promise<readonly InputPath[]> {
  const path = pathOf(one);
  const real = await realpath(path).catch(() => path);
  const isHidden = granted.some((other) =>
    [path, real].some((own) => other !== own && other.startsWith(own) && !other.startsWith(own + sep)),
  );
  if (!isHidden || !folders.has(real)) return [one];
  const name = typeof one === "string" ? basename(one) : one.name;
  return (await readdir(real)).map((entry) => ({ path: join(real, entry), name: `${name}/${entry}` }));
}

const pathOf = (one: InputPath): string => resolve(typeof one === "string" ? one : one.path);

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
