// What a server does for its home in a thread of its own: backups in the home's folder, and the doctor's report.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prepareHome } from "../store/sqlite/sqlite-store.ts";
import { backupHome } from "./backup.ts";
import { housekeeping } from "./housekeeping.ts";
import { restoreHome } from "./restore.ts";

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdpp-house-"));
  home = join(folder, "home");
  prepareHome(home);
});
afterEach(() => rmSync(folder, { recursive: true }));

it("P-06 makes backups that restore, lists them, and sweeps out what was cut short", async () => {
  const house = housekeeping({ home }, () => undefined);
  expect(await house.backups()).toEqual([]);
  const cut = join(home, "backups", "2024-01-01T00-00-00Z.partial-0a0b");
  mkdirSync(cut, { recursive: true });
  mkdirSync(join(home, "backups", "no-backup"));
  writeFileSync(join(cut, "records.db"), "half");
  const steps: string[] = [];
  const { directory, bytes } = await house.backUp((step) => steps.push(step));
  expect([existsSync(cut), steps]).toEqual([false, ["records", "blobs", "audit"]]);
  const kept = [{ directory, bytes, records: 0, created_at: expect.any(String) }];
  expect(await house.backups()).toEqual(kept);
  // Another server on the home finds them too.
  expect(await housekeeping({ home }, () => undefined).backups()).toEqual(kept);
  const restored = await restoreHome({ directory, home: join(folder, "restored"), moveAside: false });
  expect([restored.missing_blobs, readdirSync(join(folder, "restored")).includes("backups")]).toEqual([[], false]);
});

it("P-06 elsewhere inside the home a backup is still refused: it is lost with it", async () => {
  const wrong = backupHome({ home, directory: join(home, "mine") });
  await expect(wrong).rejects.toMatchObject({ code: "invalid_request" });
});

it("P-06 examines the home, and says what is damaged", async () => {
  const log: string[] = [];
  const house = housekeeping({ home }, (text) => log.push(text));
  expect(await house.examine()).toMatchObject({ ok: true, home });
  writeFileSync(join(home, "records.db"), "no database");
  const report = await house.examine();
  expect([report.ok, report.checks.find(({ name }) => name === "records.db")?.status]).toEqual([false, "fail"]);
  await expect(house.backUp(() => undefined)).rejects.toMatchObject({ status: 500 });
  expect(await house.version()).toMatch(/^\d+\.\d+\.\d+/);
});
