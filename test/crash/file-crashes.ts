// Index jobs are killed at random moments and resumed. Each must end with the same sums as an independent walk.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { openFiles } from "../../src/files/files.ts";
import { walkedTotals } from "../../src/files/tree.fixture.ts";
import { type Random, randomFrom } from "./random.ts";

export interface FileCrashOptions {
  seed: number;
  kills: number;
  onKill?: (killed: number, summary: string) => void;
}

const WORKER = fileURLToPath(new URL("./file-indexer.ts", import.meta.url));
const DIRS = 1500;
/** The number of kills before an index is allowed to finish. */
const PER_INDEX = 3;

export async function runFileCrashes({ seed, kills, onKill }: FileCrashOptions): Promise<number> {
  const random = randomFrom(seed);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "postern-file-crash-")));
  const root = join(folder, "root");
  try {
    growTree(root, random, DIRS);
    const spent = await timeOfOne(folder, root);
    let killed = 0;
    for (let round = 0; killed < kills; round++) {
      const home = join(folder, `home-${round}`);
      mkdirSync(home);
      // First interrupts the scan of an empty index, then rescans of a complete one, while the tree keeps changing.
      for (const mode of ["first", "changed", "verify"]) {
        const times = Math.min(PER_INDEX, kills - killed);
        for (let kill = 0; kill < times; kill++) await killAfter(home, root, mode, random.next() * spent);
        killed += times;
        const { totals, readable } = await finish(home, root, mode);
        const expected = walkedTotals(root);
        if (!isDeepStrictEqual(totals, expected))
          throw new Error(`${mode}, after ${times} kills: ${JSON.stringify(totals)}, not ${JSON.stringify(expected)}`);
        if (!readable) throw new Error(`${mode}: the complete index could not be read while it was scanned again`);
        onKill?.(killed, `${mode}, ${times} kills, ${totals.files} files`);
        growTree(root, random, 40);
        if (killed >= kills) break;
      }
      rmSync(home, { recursive: true });
    }
    return killed;
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message} (again: npm run soak -- files --seed ${seed})`, {
      cause: error,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds only new files. A change of content does not change the directory, so only a verifying scan would detect it. */
function growTree(root: string, random: Random, dirs: number): void {
  mkdirSync(root, { recursive: true });
  let at = root;
  for (let dir = 0; dir < dirs; dir++) {
    at = random.next() < 0.3 ? root : join(at, `d${Math.floor(random.next() * 20)}`);
    if (at.length > 2000) at = root;
    mkdirSync(at, { recursive: true });
    const count = Math.floor(random.next() * 8);
    for (let file = 0; file < count; file++) {
      const path = join(at, `f${Math.floor(random.next() * 50)}.txt`);
      if (!existsSync(path)) writeFileSync(path, "x".repeat(Math.floor(random.next() * 3000)));
    }
  }
}

const start = (home: string, root: string, mode: string): ChildProcess =>
  spawn(process.execPath, [WORKER, home, root, mode], { stdio: ["ignore", "pipe", "inherit"] });

async function timeOfOne(folder: string, root: string): Promise<number> {
  const home = join(folder, "home-timed");
  mkdirSync(home);
  const child = start(home, root, "first");
  let began = 0;
  child.stdout!.once("data", () => {
    began = performance.now();
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`an uninterrupted index job ended with ${code}`);
  return performance.now() - began;
}

/** Kills the process this many milliseconds after it has created the job. */
async function killAfter(home: string, root: string, mode: string, ms: number): Promise<void> {
  const child = start(home, root, mode);
  child.stdout!.once("data", () => setTimeout(() => child.kill("SIGKILL"), ms));
  await new Promise((resolve) => child.once("exit", resolve));
}

/** Opening the home is enough to resume running jobs. */
async function finish(home: string, root: string, mode: string) {
  const files = openFiles({ home });
  try {
    const before = (await files.indexes())[0];
    const { rootId } = await files.addRoot({ path: root });
    // If the kill came after the job ended, another scan finds the later changes.
    const { jobId, indexId } = await files.index({ rootId, verify: mode === "verify" });
    const info = await files.indexInfo(indexId);
    const readable = before?.status !== "complete" || (info.totals !== undefined && info.status === "complete");
    const job = await files.jobEnded(jobId);
    if (job.status !== "succeeded") throw new Error(`the job ${job.status}: ${job.error}`);
    const { problems: _problems, ...totals } = (await files.indexInfo(indexId)).totals!;
    return { totals, readable };
  } finally {
    await files.close();
  }
}
