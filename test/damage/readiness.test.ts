// T-06: /readyz of a server on a home is red while a read or a write would fail, and green again without a restart.
import { execFileSync } from "node:child_process";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readCheck } from "../../src/store/sqlite/home-check.ts";
import { Sweep } from "../../src/store/sqlite/sweep.ts";
import { type ServerProcess, startServerProcess } from "../crash/server-process.ts";
import { until } from "../events/receiver.ts";
import { newHome } from "../harness.ts";

const home = newHome();
let server: ServerProcess;

beforeAll(async () => {
  server = await startServerProcess(home);
});
afterAll(async () => {
  await server.kill();
  rmSync(home, { recursive: true, force: true });
});

async function ready(): Promise<{ status: number; reason?: string }> {
  const answer = await fetch(`${server.url}/readyz`);
  return { status: answer.status, reason: ((await answer.json()) as { reason?: string }).reason };
}
const red = () => until(ready, ({ status }) => status === 503);
const green = () => until(ready, ({ status }) => status === 200);

/** A soft limit on the size of files: the system refuses what a full disk would refuse, also for root. */
const limitFiles = (bytes: string): void =>
  void execFileSync("prlimit", ["--pid", String(server.pid), `--fsize=${bytes}:`]);

it("T-06 a disk that takes no more bytes turns readiness red, and green again when there is room", async () => {
  await green();
  limitFiles("4096");
  expect((await red()).reason).toMatch(/store_unavailable|storage_full/);
  limitFiles("unlimited");
  await green();
});

it("T-06 a damaged records.db turns readiness red, and green again once a check finds all of it whole", async () => {
  // The server's first check is over: the one below is the only one that runs.
  await until(
    () => readCheck(home).checkedAt,
    (at) => at !== null,
  );
  await green();
  const [file, whole] = [openSync(join(home, "records.db"), "r+"), Buffer.alloc(8192)];
  readSync(file, whole, 0, 8192, 8192);
  writeSync(file, Buffer.alloc(8192, 0xa5), 0, 8192, 8192);
  expect((await red()).reason).toContain("store_damaged");
  writeSync(file, whole, 0, 8192, 8192);
  closeSync(file);
  const sweep = new Sweep(home);
  while (sweep.step());
  await green();
});
