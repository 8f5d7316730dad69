// The plan for scheduled backups: where, how often, and how many are kept. A file in the home that the server follows.
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";
import { writeWhole } from "./pack-writer.ts";
import { isRepository, openRepository, snapshotsIn } from "./repository.ts";

const plan = z.strictObject({
  directory: z.string().min(1),
  every_hours: z
    .int()
    .min(1)
    .max(24 * 366),
  /** In the format of `parseRetention`. */
  keep: z.string(),
});

export type BackupPlan = z.infer<typeof plan>;

const HOUR_MS = 3_600_000;

export async function readPlan(home: string): Promise<BackupPlan | undefined> {
  const path = join(home, FILES.backupPlan);
  if (!existsSync(path)) return undefined;
  const parsed = plan.safeParse(JSON.parse(await readFile(path, "utf8").catch(() => "null")));
  if (parsed.success) return parsed.data;
  throw new PdppError("store_unavailable", `${FILES.backupPlan} of this home is damaged`, {
    next_step: "Make the schedule again: pdpp backup DIR --every 1d",
  });
}

/** undefined ends the schedule; existing backups stay. */
export async function writePlan(home: string, next: BackupPlan | undefined): Promise<void> {
  const path = join(home, FILES.backupPlan);
  if (next === undefined) await rm(path, { force: true });
  else await writeWhole(path, `${JSON.stringify(next, null, 1)}\n`);
}

/** `12h`, `1d`, `2w` in hours. */
export function parseEvery(text: string): number {
  const [, count, unit] = /^(\d{1,3})\s*([hdw])$/.exec(text.trim()) ?? [];
  const hours = Number(count) * { h: 1, d: 24, w: 168 }[unit as "h" | "d" | "w"];
  if (hours >= 1 && hours <= 24 * 366) return hours;
  throw new PdppError("invalid_request", `${JSON.stringify(text)} is not a backup interval`, {
    param: "every",
    next_step: "Give 12h, 1d or 1w; off ends the schedule.",
  });
}

/**
 * Whether the newest backup there is as old as the plan allows. A missing disk is a failure, so that the owner learns
 * of it.
 */
export async function isDue({ directory, every_hours }: BackupPlan, now: number): Promise<boolean> {
  if (!isRepository(directory)) return true;
  const [newest] = await snapshotsIn(await openRepository(directory));
  return newest === undefined || Date.parse(newest.created_at) + every_hours * HOUR_MS <= now;
}
