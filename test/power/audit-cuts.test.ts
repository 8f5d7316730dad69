// T-02: if the power is cut right after the first lines of a new audit log are written, each line is still there, or
// the log says that lines may be missing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { openAuditLog, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import { randomFrom } from "../crash/random.ts";
import { Disk } from "./disk.ts";
import { compileWriteLog, loggedWrites } from "./write-log.ts";

const WRITE_AUDIT = fileURLToPath(new URL("./write-audit.ts", import.meta.url));
const CUTS = 60;
const folder = realpathSync(mkdtempSync(join(tmpdir(), "postern-audit-cuts-")));
const library = compileWriteLog(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Simulates many power cuts after these steps. Returns for each what the log contains and whether it verifies. */
async function afterCuts(name: string, steps: string[]) {
  const home = join(folder, name);
  const log = join(folder, `${name}.log`);
  mkdirSync(home, { mode: 0o700 });
  prepareHome(home);
  rmSync(join(home, "journals"), { recursive: true, force: true });
  // The home as it was before the writes. All of it is already on the disk.
  const disks = Array.from({ length: CUTS }, () => new Disk(home));
  const child = spawn(process.execPath, [WRITE_AUDIT, home, ...steps], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...loggedWrites(library, home, log) },
  });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended]);
  child.kill("SIGKILL");
  await ended;
  const written = readFileSync(log);
  const found: { ids: Set<string>; isGapNamed: boolean; brokenAt: number | undefined }[] = [];
  for (const [seed, disk] of disks.entries()) {
    disk.replay(written);
    disk.cut(randomFrom(seed));
    disk.writeTo(home);
    const audit = openAuditLog(home);
    const { brokenAt } = await audit.verify();
    const { rows } = await audit.list({ limit: 50 });
    audit.close();
    found.push({
      ids: new Set(rows.map(({ request_id }) => request_id)),
      isGapNamed: rows.some(({ action }) => action === "uncleanStop"),
      brokenAt,
    });
  }
  return found;
}

it("T-02 after a power cut the log has the first line of a new journal, or says that lines may be missing", async () => {
  for (const { ids, isGapNamed, brokenAt } of await afterCuts("first", ["one"])) {
    expect(brokenAt).toBeUndefined();
    expect(ids.has("one") || isGapNamed).toBe(true);
  }
});

it("T-02 after a power cut the log has all synced lines and passes verification, even if the journals folder was new", async () => {
  for (const { ids, isGapNamed, brokenAt } of await afterCuts("synced", ["one", "sync", "two"])) {
    expect(brokenAt).toBeUndefined();
    expect(ids.has("one")).toBe(true);
    expect(ids.has("two") || isGapNamed).toBe(true);
  }
});
