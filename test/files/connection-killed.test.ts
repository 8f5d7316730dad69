// S-14 with SIGKILL: however many times a sync is killed, it ends with exactly one record for each node of the index.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { randomFrom } from "../crash/random.ts";
import { newHome, testServer } from "../harness.ts";

const SYNCER = fileURLToPath(new URL("./record-syncer.ts", import.meta.url));
const DIRS = 120;
const FILES = 40;
const KILLS = 2;

/** Kills the sync after this many milliseconds, or lets it finish if undefined. Returns true if it finished. */
async function sync(home: string, root: string, killAfter?: number): Promise<boolean> {
  const child = spawn(process.execPath, [SYNCER, home, root], { stdio: ["ignore", "pipe", "inherit"] });
  if (killAfter !== undefined) child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), killAfter));
  return (await new Promise((resolve) => child.once("exit", resolve))) === 0;
}

test("S-14 a sync that is killed repeatedly still ends with every node exactly once, including every later change to the tree", async () => {
  const seed = Date.now() % 100_000;
  const random = randomFrom(seed);
  const root = mkdtempSync(join(tmpdir(), "pdpp-killed-"));
  const home = newHome();
  const plant = (dir: number, text: string): void => {
    mkdirSync(join(root, `d${dir}`), { recursive: true });
    for (let n = 0; n < FILES; n++) writeFileSync(join(root, `d${dir}`, `f${n}.txt`), text);
  };
  try {
    for (let dir = 0; dir < DIRS; dir++) plant(dir, "x");
    for (let kill = 0; kill < KILLS; kill++) await sync(home, root, random.next() * 150);
    rmSync(join(root, "d3"), { recursive: true });
    plant(DIRS, "new");
    for (let kill = 0; kill < KILLS; kill++) await sync(home, root, random.next() * 60);
    expect(await sync(home, root), `seed ${seed}`).toBe(true);
    const server = await testServer({ home });
    try {
      const lens = await server.files();
      const [{ connectionId, indexIds }] = (await lens.roots()) as [Awaited<ReturnType<typeof lens.roots>>[0]];
      const query = { connection_id: connectionId, limit: 100 };
      const records = await server.all("/v1/streams/files/records", { query });
      const found = await lens.files.find(indexIds[0]!, { limit: 100_000 });
      const { totals } = await lens.files.indexInfo(indexIds[0]!);
      expect(records).toHaveLength(totals!.files + totals!.dirs);
      expect(records.map(({ data }) => data.handle).sort(), `seed ${seed}`).toEqual(
        found.entries.map(({ nodeId }) => nodeId).sort(),
      );
    } finally {
      await server.close();
    }
  } finally {
    for (const path of [root, home]) rmSync(path, { recursive: true, force: true });
  }
});
