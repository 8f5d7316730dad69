// T-09: a sweep over all rows finds damage in rows that no call reads, and doctor reports it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { examine } from "../../src/engine/doctor.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { readCheck } from "../../src/store/sqlite/home-check.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import { Sweep } from "../../src/store/sqlite/sweep.ts";
import { EMITTED, HOME_OWNER, newHome } from "../harness.ts";
import { library } from "../library.ts";
import { declaration } from "../non-interference/world.ts";

const WRITER = fileURLToPath(new URL("./change-records.ts", import.meta.url));

const home = newHome();
afterAll(() => rmSync(home, { recursive: true, force: true }));

function sweepAll(): void {
  const sweep = new Sweep(home);
  while (sweep.step());
}

const line = (n: number) => ({ key: `r${n}`, data: { id: `r${n}`, title: `needle-${n}` }, emitted_at: EMITTED });

it("T-09 a sweep reads every row, and doctor reports a changed byte until all rows are intact again", async () => {
  prepareHome(home);
  const host = localHost(openSqliteStore(home), { home, persist: false });
  await host.call("putConnector", { connector_key: "world", declaration }, HOME_OWNER);
  const { connection_id } = await host.call("createConnection", { connector_id: "world" }, HOME_OWNER);
  const text = Array.from({ length: 1200 }, (_, n) => `${JSON.stringify(line(n))}\n`).join("");
  await host.call("ingest", { stream: "items", connection_id, text }, HOME_OWNER);
  await host.close();
  sweepAll();
  expect(readCheck(home)).toEqual({ checkedAt: expect.any(Number), damage: null });

  const path = join(home, "records.db");
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  damaged[damaged.indexOf("needle-1100")] = 0x4e;
  writeFileSync(path, damaged);
  sweepAll();
  expect(readCheck(home).damage?.what).toContain("does not match its checksum");
  const report = await examine({ home, deep: false });
  expect(report.checks.find(({ name }) => name === "rows")).toMatchObject({ status: "fail" });

  writeFileSync(path, whole);
  sweepAll();
  expect(readCheck(home).damage).toBeNull();
  expect((await examine({ home, deep: false })).ok).toBe(true);
});

it("T-09 a sweep reports no damage while another process changes records", async () => {
  const busy = newHome();
  prepareHome(busy);
  const host = localHost(openSqliteStore(busy), { home: busy, persist: false });
  await host.call("putConnector", { connector_key: "library", declaration: library }, HOME_OWNER);
  const { connection_id } = await host.call("createConnection", { connector_id: "library" }, HOME_OWNER);
  await host.close();
  const writer = spawn(process.execPath, [WRITER, busy, connection_id], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(writer.stdout, "data");
    for (let n = 0; n < 60; n++) {
      const sweep = new Sweep(busy);
      while (sweep.step());
      expect(readCheck(busy).damage).toBeNull();
    }
  } finally {
    const ended = once(writer, "exit");
    writer.kill("SIGKILL");
    await ended;
    rmSync(busy, { recursive: true, force: true });
  }
});
