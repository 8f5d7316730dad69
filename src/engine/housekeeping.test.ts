// Housekeeping, which a server does in its own thread: backups in the home's folder, and the doctor's report.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prepareHome } from "../store/sqlite/sqlite-store.ts";
import { backupHome } from "./backup/backup.ts";
import { writePlan } from "./backup/plan.ts";
import { openRepository, snapshotsIn } from "./backup/repository.ts";
import { restoreHome } from "./backup/restore.ts";
import { isRestoreReady, putRestoredInPlace } from "./backup/staged-restore.ts";
import { housekeeping } from "./housekeeping.ts";

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdpp-house-"));
  home = join(folder, "home");
  prepareHome(home);
});
afterEach(() => rmSync(folder, { recursive: true }));

it("P-06 makes backups that can be restored, lists them, and deletes interrupted ones", async () => {
  const house = housekeeping({ home }, () => undefined);
  expect(await house.backups()).toEqual([]);
  const cut = join(home, "backups", "2024-01-01T00-00-00Z.partial-0a0b");
  mkdirSync(cut, { recursive: true });
  mkdirSync(join(home, "backups", "no-backup"));
  writeFileSync(join(cut, "records.db"), "half");
  const steps: string[] = [];
  const { directory, bytes, snapshot } = await house.backUp((step) => steps.push(step));
  expect([existsSync(cut), steps]).toEqual([false, ["records", "blobs", "audit", "files", "reading back"]]);
  const kept = [{ directory, snapshot, bytes, records: 0, created_at: expect.any(String) }];
  expect(await house.backups()).toEqual(kept);
  // Another server on this home finds the backups too.
  expect(await housekeeping({ home }, () => undefined).backups()).toEqual(kept);
  const restored = await restoreHome({ directory, home: join(folder, "restored"), moveAside: false });
  expect([restored.missing_blobs, readdirSync(join(folder, "restored")).includes("backups")]).toEqual([[], false]);
});

it("P-06 still refuses a backup elsewhere inside the home, because it would be lost with the home", async () => {
  const wrong = backupHome({ home, directory: join(home, "mine") });
  await expect(wrong).rejects.toMatchObject({ code: "invalid_request" });
});

it("P-06 checks the home, and reports damage", async () => {
  const log: string[] = [];
  const house = housekeeping({ home }, (text) => log.push(text));
  expect(await house.examine()).toMatchObject({ ok: true, home });
  writeFileSync(join(home, "records.db"), "no database");
  const report = await house.examine();
  expect([report.ok, report.checks.find(({ name }) => name === "records.db")?.status]).toEqual([false, "fail"]);
  await expect(house.backUp(() => undefined)).rejects.toMatchObject({ status: 500 });
  expect(await house.version()).toMatch(/^\d+\.\d+\.\d+/);
});

it("O-06 a restored backup file replaces the home at the next start, and the previous data is kept", async () => {
  const house = housekeeping({ home }, () => undefined);
  const { snapshot } = await house.backUp(() => undefined);
  writeFileSync(join(home, "mine.txt"), "since then");
  await expect(house.archive(snapshot, "short")).rejects.toMatchObject({ code: "invalid_request" });
  await expect(house.archive("no such one", undefined)).rejects.toMatchObject({ code: "not_found" });
  const file = await house.archive(snapshot, "a long passphrase");
  const bytes = Buffer.concat(await file.toArray());
  const again = (passphrase: string) => house.restore(Readable.from([bytes]), passphrase);
  await expect(again("another passphrase")).rejects.toMatchObject({
    message: expect.stringContaining("does not open"),
  });
  expect(isRestoreReady(home)).toBe(false);
  await again("a long passphrase");
  expect([isRestoreReady(home), existsSync(join(home, "mine.txt"))]).toEqual([true, true]);
  const aside = putRestoredInPlace(home, Date.now())!;
  expect([isRestoreReady(home), existsSync(join(home, "mine.txt")), existsSync(join(aside, "mine.txt"))]).toEqual([
    false,
    false,
    true,
  ]);
  expect(await house.examine()).toMatchObject({ ok: true });
  expect(await house.backups()).toHaveLength(1);
});

it("O-06 follows the schedule: backs up when due, keeps the configured number, and reports why a backup failed", async () => {
  const log: string[] = [];
  const house = housekeeping({ home }, (text) => log.push(text));
  const directory = join(folder, "disk", "backups");
  await writePlan(home, { directory, every_hours: 24, keep: "2d" });
  await house.followPlan(Date.now());
  expect([(await house.plan())?.failed?.message, log]).toEqual([
    expect.stringContaining("there is no directory"),
    [expect.stringContaining("the scheduled backup failed")],
  ]);
  mkdirSync(join(folder, "disk"));
  await house.followPlan(Date.now());
  await house.followPlan(Date.now());
  expect([(await house.plan())?.failed, await snapshotsIn(await openRepository(directory))]).toEqual([
    undefined,
    [expect.objectContaining({ records: 0 })],
  ]);
});
