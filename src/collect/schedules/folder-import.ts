// One check of a watched folder: imports new or changed files that have settled. A file that fails does not block the
// others.
import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { PdppError } from "../../contract/errors.ts";
import type { ImportJob } from "../../contract/import.ts";
import type { ScheduleTarget } from "../../contract/schedule.ts";
import { plainLine } from "../../core/unsafe-characters.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ObjectPlace } from "../../engine/objects-place.ts";
import { openParser } from "../parser.ts";
import { planRemembering } from "../remembered-answers.ts";
import { openQuestions, runImport } from "../run.ts";
import { type FolderItem, itemsIn } from "./folder-items.ts";
import { watchedItems } from "./watched-items.ts";

/** A file that is still being copied changes within this time. */
const SETTLE_MS = 1000;
/** How many reasons one message contains. */
const REASONS_MAX = 3;

interface FolderImportOptions {
  home: string;
  objects?: ObjectPlace;
  host: EngineHost;
  /** The credential of this process's term as leader. Records are stored only during that term. */
  credential: Credential;
  signal: AbortSignal;
}

/** Returns a message for the owner. Throws if something could not be imported. */
export async function importFolder(
  { home, objects, host, credential, signal }: FolderImportOptions,
  { path, as, answers: given = {} }: Extract<ScheduleTarget, { kind: "folder" }>,
): Promise<string> {
  await requireFolder(path);
  const known = await watchedItems(home, path, JSON.stringify([as, given]));
  const fresh = [...(await itemsIn(path))].filter(([name, { state }]) => !known.isDone(name, state));
  if (fresh.length === 0) return "nothing new";
  await sleep(SETTLE_MS, undefined, { signal });
  const settled = await itemsIn(path);
  const failures: string[] = [];
  const unknown: string[] = [];
  let imported = 0;
  for (const [name, item] of fresh) {
    if (signal.aborted) break;
    // The file is still growing, so the next check imports it.
    if (settled.get(name)?.state !== item.state) continue;
    const { jobs, waiting, left } = await importItem(item);
    imported += jobs.reduce((sum, { progress }) => sum + progress.counts.imported, 0);
    const failed = jobs.find(({ status }) => status !== "succeeded");
    const why = failed?.progress.error ?? (failed === undefined ? waiting : failed.status);
    if (why !== undefined) failures.push(`${plainLine(name, 100)}: ${why}`);
    // Files in unknown formats are not checked again until they change.
    else if (jobs.length > 0 || left) await known.done(name, item.state);
    if (left) unknown.push(plainLine(name, 100));
  }
  if (failures.length > 0) throw new Error(someOf(failures));
  const left = unknown.length === 0 ? "" : `; no importer can read ${someOf(unknown)}`;
  return `${imported} ${imported === 1 ? "record" : "records"} imported${left}`;

  async function importItem({ paths }: FolderItem): Promise<{ jobs: ImportJob[]; waiting?: string; left: boolean }> {
    const parser = openParser({ home, objects, given: paths });
    try {
      const { planned, answers } = await planRemembering({ parser, host, credential }, given, signal);
      const { groups, left } = planned;
      const jobs: ImportJob[] = [];
      let waiting: string | undefined;
      for (const group of groups) {
        if (signal.aborted) break;
        const [question] = openQuestions(group, answers);
        if (question !== undefined) {
          waiting ??= `a question needs an answer: ${question.text} Import it once by hand, or add an answer for ${JSON.stringify(question.id)} to the schedule`;
          continue;
        }
        jobs.push(await runImport({ host, credential, parser, answers, as, signal }, group));
      }
      return { jobs, ...(waiting === undefined ? {} : { waiting }), left: groups.length === 0 && left.length > 0 };
    } catch (error) {
      if (signal.aborted) throw error;
      return { jobs: [], waiting: (error as Error).message, left: false };
    } finally {
      await parser.close();
    }
  }
}

const someOf = (all: readonly string[]): string =>
  `${all.slice(0, REASONS_MAX).join("; ")}${all.length > REASONS_MAX ? `; and ${all.length - REASONS_MAX} more` : ""}`;

async function requireFolder(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isDirectory()) return;
  throw new PdppError("not_found", `the watched folder ${JSON.stringify(path)} does not exist`, {
    next_step: "Restore it, or remove the schedule.",
  });
}
