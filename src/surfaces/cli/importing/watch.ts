// A watched folder. New or changed files are imported once they stop changing, and a file that fails does not stop the
// others.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type FolderItem, itemsIn } from "../../../collect/schedules/folder-items.ts";
import { watchedItems } from "../../../collect/schedules/watched-items.ts";
import { plainLine } from "../../../core/unsafe-characters.ts";
import { type CommandContext, text, UsageError } from "../command.ts";
import { jsonFile } from "../input.ts";
import { ANSWER_NEEDED, INTERRUPTED, importPaths } from "./import-paths.ts";

/** The folder is polled, because change notifications are lost on network disks and do not show when a copy ends. */
const LOOK_MS = 1000;
/** Exit codes after which the item is tried again: it was interrupted, or is waiting for an answer. */
const GOES_ON = [INTERRUPTED, ANSWER_NEEDED];

export async function watchFolder(context: CommandContext, folder: string, signal: AbortSignal): Promise<number> {
  const place = resolve(folder);
  if (!(await stat(place).catch(() => undefined))?.isDirectory()) throw new UsageError(`${folder} is not a folder`);
  context.note(`Watching ${place}. Press Ctrl-C to stop.`);
  const seen = new Map<string, string>();
  /**
   * Items tried in this run, whatever the result. A failed item is tried again when it changes, or at the next start.
   */
  const tried = new Map<string, string>();
  const { home = context.home } = await context.connect({ create: true, bulk: true });
  const items = await watchedItems(home, place, await askedOf(context));
  while (!signal.aborted) {
    for (const [name, { paths, state }] of await itemsIn(place).catch(() => new Map<string, FolderItem>())) {
      const settled = seen.get(name) === state;
      seen.set(name, state);
      if (!settled || tried.get(name) === state || items.isDone(name, state) || signal.aborted) continue;
      tried.set(name, state);
      if (await one(context, name, paths, signal)) await items.done(name, state);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return 0;
}

/** Returns true if the item in its current state needs no further import. */
async function one(context: CommandContext, name: string, paths: string[], signal: AbortSignal): Promise<boolean> {
  try {
    return !GOES_ON.includes(await importPaths(context, paths, signal));
  } catch (error) {
    const { message, nextStep } = error as Error & { nextStep?: string };
    context.note(`not imported: ${plainLine(name, 200)}: ${message}${nextStep === undefined ? "" : ` ${nextStep}`}`);
    return false;
  }
}

/** Returns the settings, apart from the files, that affect an import. */
async function askedOf({ values }: CommandContext): Promise<string> {
  const answers = text(values, "answers");
  return JSON.stringify([text(values, "as"), answers === undefined ? {} : await jsonFile(answers)]);
}
