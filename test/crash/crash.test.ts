// A server killed without warning loses no acknowledged write.

import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { emptyDatabase } from "../postgres.ts";
import { runCrashes } from "./crashes.ts";
import { PDPP, pdpp } from "./server-process.ts";
import { makeHome } from "./world.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("kill -9", () => {
  it("P-01, P-08, L-03: acknowledged writes survive, and feed, columns, audit, index and rows agree after kill -9", async () => {
    const seed = randomInt(2 ** 31);
    console.log(`crash seed ${seed}`);
    const killed = await runCrashes({ seed, kills: 3, serverChecksEvery: 3, withinMs: 40_000 });
    console.log(`killed ${killed} times`);
  });

  it("P-01, P-08: acknowledged writes to PostgreSQL survive kill -9 of the server", async () => {
    const seed = randomInt(2 ** 31);
    console.log(`crash seed ${seed} on PostgreSQL`);
    const { url, drop } = await emptyDatabase();
    const killed = await runCrashes({ seed, kills: 3, serverChecksEvery: 3, withinMs: 40_000, database: url });
    await drop();
    console.log(`killed ${killed} times`);
  });

  it("kill -9 during a backup leaves nothing that looks like a complete backup", async () => {
    const folder = mkdtempSync(join(tmpdir(), "postern-crash-backup-"));
    folders.push(folder);
    const home = join(folder, "home");
    await makeHome(home);
    let killed = 0;
    for (let life = 0; life < 600; life += 60) {
      const target = join(folder, `backup-${life}`);
      const child = spawn(process.execPath, [PDPP, "backup", target, "--home", home], { stdio: "ignore" });
      const ended = once(child, "exit");
      await Promise.race([sleep(life), ended]);
      child.kill("SIGKILL");
      const [code] = (await ended) as [number | null];
      if (code === null) killed++;
      // A backup under the final name is complete and can be restored. An incomplete backup never gets that name.
      if (code === 0) expect(existsSync(target)).toBe(true);
      if (!existsSync(target)) continue;
      const restored = await pdpp(["restore", target, "--home", join(folder, `restored-${life}`)]);
      expect(restored, restored.out).toMatchObject({ code: 0 });
    }
    expect(killed).toBeGreaterThan(0);
    for (const name of readdirSync(folder).filter((entry) => entry.includes(".partial-"))) {
      const snapshots = join(folder, name, "snapshots");
      const whole = existsSync(snapshots) && readdirSync(snapshots).some((file) => file.endsWith(".json"));
      const { code } = await pdpp(["restore", join(folder, name), "--home", join(folder, `${name}-restored`)]);
      if (!whole) expect(code).not.toBe(0);
    }
  });
});
