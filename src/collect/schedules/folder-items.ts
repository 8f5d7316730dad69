// Lists the items of a watched folder: each with all its parts, and a state that changes with any of its files.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { exportName } from "../export-name.ts";

/** Names of incomplete downloads. */
const UNFINISHED = /(?:^\.|^~\$|\.(?:part|partial|crdownload|download|tmp|opdownload)$)/i;

export interface FolderItem {
  paths: string[];
  /** Changes with any file in the item. */
  state: string;
}

/** Lists the direct entries of the folder. The parts of a split export form one item. */
export async function itemsIn(folder: string): Promise<Map<string, FolderItem>> {
  const items = new Map<string, FolderItem>();
  for (const name of (await readdir(folder)).sort()) {
    if (UNFINISHED.test(name)) continue;
    const key = exportName(name) ?? name;
    const item = items.get(key) ?? { paths: [], state: "" };
    item.paths.push(join(folder, name));
    item.state += await stateOf(join(folder, name));
    items.set(key, item);
  }
  return items;
}

async function stateOf(path: string): Promise<string> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined) return "";
  if (!facts.isDirectory()) return `${path}:${facts.size}:${facts.mtimeMs};`;
  const inner = await readdir(path, { recursive: true }).catch(() => []);
  let state = "";
  for (const name of inner.sort()) {
    const one = await stat(join(path, name)).catch(() => undefined);
    if (one?.isFile()) state += `${name}:${one.size}:${one.mtimeMs};`;
  }
  return state;
}
