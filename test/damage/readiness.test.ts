// T-06: a server is not ready (/readyz) while a read or a write on its home would fail, and recovers without a restart.
import { closeSync, openSync, readSync, realpathSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readCheck } from "../../src/store/sqlite/home-check.ts";
import { Sweep } from "../../src/store/sqlite/sweep.ts";
import { type ServerProcess, startServerProcess } from "../crash/server-process.ts";
import { until } from "../events/receiver.ts";
import { type DiskFault, type FaultyDisk, faultyDisk } from "../faults/disk-faults.ts";
import { newHome } from "../harness.ts";

const home = realpathSync(newHome());
let disk: FaultyDisk;
let server: ServerProcess;

beforeAll(async () => {
  disk = faultyDisk(home);
  server = await startServerProcess(home, disk.env);
});
afterAll(async () => {
  await server.kill();
  disk.remove();
  rmSync(home, { recursive: true, force: true });
});

async function ready(): Promise<{ status: number; reason?: string }> {
  const answer = await fetch(`${server.url}/readyz`);
  return { status: answer.status, reason: ((await answer.json()) as { reason?: string }).reason };
}
const red = () => until(ready, ({ status }) => status === 503);
const green = () => until(ready, ({ status }) => status === 200);

it.each<[DiskFault, string]>([
  ["full", "storage_full"],
  ["read-only", "store_unavailable"],
  ["unwritable", "storage_failed"],
  // SQLite treats this read error as damage (SQLITE_IOERR_CORRUPTFS).
  ["unreadable", "storage_failed|store_damaged"],
])("T-06 a disk that is %s makes the server unready until the disk works again", async (fault, code) => {
  await green();
  disk.fail(fault);
  expect((await red()).reason).toMatch(new RegExp(code));
  disk.heal();
  await green();
});

it("T-06 a damaged records.db makes the server unready once a check finds the damage, until all of it is repaired", async () => {
  // Waits for the server's first check, so that only the checks below run.
  await until(
    () => readCheck(home).checkedAt,
    (at) => at !== null,
  );
  await green();
  const check = (): void => {
    const sweep = new Sweep(home);
    while (sweep.step());
  };
  const [file, whole] = [openSync(join(home, "records.db"), "r+"), Buffer.alloc(8 * 8192)];
  const size = readSync(file, whole, 0, whole.length, 8192);
  writeSync(file, Buffer.alloc(size, 0xa5), 0, size, 8192);
  check();
  expect((await red()).reason).toContain("store_damaged");
  writeSync(file, whole, 0, size, 8192);
  closeSync(file);
  check();
  await green();
});
