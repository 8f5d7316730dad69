// The plan for scheduled backups: where, how often, and how many are kept. It is a file in the home that every server
// reads at its start, so code for backups, with its encryption, is loaded only if there is a plan.
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";

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
  throw new PdppError("store_unavailable", `this home's ${FILES.backupPlan} is damaged`, {
    next_step: "Create the schedule again: pdpp backup DIR --every 1d",
  });
}

/** If `next` is undefined, the schedule ends. Existing backups stay. */
export async function writePlan(home: string, next: BackupPlan | undefined): Promise<void> {
  const path = join(home, FILES.backupPlan);
  if (next === undefined) await rm(path, { force: true });
  else {
    const { writeWhole } = await import("./pack-writer.ts");
    await writeWhole(path, `${JSON.stringify(next, null, 1)}\n`);
  }
}

/** Converts `12h`, `1d` or `2w` to hours. */
export function parseEvery(text: string): number {
  const [, count, unit] = /^(\d{1,3})\s*([hdw])$/.exec(text.trim()) ?? [];
  const hours = Number(count) * { h: 1, d: 24, w: 168 }[unit as "h" | "d" | "w"];
  if (hours >= 1 && hours <= 24 * 366) return hours;
  throw new PdppError("invalid_request", `${JSON.stringify(text)} is not a backup interval`, {
    param: "every",
    next_step: "Use an interval such as 12h, 1d or 1w, or off to end the schedule.",
  });
}

/**
 * Returns true if the newest backup is older than the plan allows. It also returns true if the disk is missing: the
 * backup then fails, and the owner is told.
 */
export async function isDue({ directory, every_hours }: BackupPlan, now: number): Promise<boolean> {
  const { isRepository, openRepository, snapshotsIn } = await import("./repository.ts");
  if (!isRepository(directory)) return true;
  const [newest] = await snapshotsIn(await openRepository(directory));
  return newest === undefined || Date.parse(newest.created_at) + every_hours * HOUR_MS <= now;
}
