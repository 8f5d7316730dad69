// A watched folder: what is new or changed in it is imported once it has settled; one that fails stops no other.
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exportName } from "../../../collect/walk.ts";
import { plainLine } from "../../../core/steering.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { bringIn } from "./bring-in.ts";

/** Looked at by the clock: change notices are lost on network disks and tell nothing of the end of a copy. */
const LOOK_MS = 1000;
/** Half a download is called so. */
const UNFINISHED = /(?:^\.|^~\$|\.(?:part|partial|crdownload|download|tmp|opdownload)$)/i;

export async function watchFolder(context: CommandContext, folder: string, signal: AbortSignal): Promise<number> {
  const place = resolve(folder);
  if (!(await stat(place).catch(() => undefined))?.isDirectory())
    throw new UsageError(`${folder} is no folder to watch`);
  context.note(`Watching ${place}. Stop: Ctrl-C`);
  const seen = new Map<string, string>();
  const done = new Map<string, string>();
  while (!signal.aborted) {
    for (const [name, { paths, state }] of await itemsIn(place)) {
      const settled = seen.get(name) === state;
      seen.set(name, state);
      if (!settled || done.get(name) === state || signal.aborted) continue;
      done.set(name, state);
      await one(context, name, paths, signal);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return 0;
}

async function one(context: CommandContext, name: string, paths: string[], signal: AbortSignal): Promise<void> {
  try {
    await bringIn(context, paths, signal);
  } catch (error) {
    const { message, nextStep } = error as Error & { nextStep?: string };
    context.note(`not imported: ${plainLine(name, 200)}: ${message}${nextStep === undefined ? "" : ` ${nextStep}`}`);
  }
}

interface Item {
  paths: string[];
  /** Changes with any file in it. */
  state: string;
}

/** What lies in the folder itself; parts of one split export are one. */
async function itemsIn(folder: string): Promise<Map<string, Item>> {
  const items = new Map<string, Item>();
  const names = await readdir(folder).catch(() => []);
  for (const name of names.sort()) {
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
