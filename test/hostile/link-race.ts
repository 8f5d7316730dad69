// A process that replaces a file and a directory below a root with links that lead outside, while other processes read
// them.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PdppError } from "../../src/contract/errors.ts";
import { openFiles } from "../../src/files/files.ts";
import { openBelow } from "../../src/files/safe-open.ts";

export interface Race {
  swaps: number;
  opened: number;
  refused: number;
  scans: number;
  /** Outside files that were read. */
  escapes: string[];
}

/** Nothing here belongs to a server's home. */
const NONE = new Set<string>();

const SWAPPER = `
  const { renameSync } = require("node:fs");
  const root = process.argv[1] + "/";
  for (let swaps = 0; ; swaps++) {
    for (const name of ["dir", "file", "deep/dir"]) {
      renameSync(root + name, root + name + ".real");
      renameSync(root + name + ".link", root + name);
      renameSync(root + name, root + name + ".link");
      renameSync(root + name + ".real", root + name);
    }
    if (swaps % 10 === 0) process.stdout.write("10\\n");
  }`;

/** Runs until this many swaps have happened and each kind of read has encountered some of them. */
export async function raceLinks(swaps: number): Promise<Race> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "postern-race-")));
  const root = join(folder, "root");
  const outside = join(folder, "outside");
  mkdirSync(join(root, "dir"), { recursive: true });
  mkdirSync(join(root, "deep/dir"), { recursive: true });
  mkdirSync(join(outside, "below"), { recursive: true });
  for (const path of ["file", "dir/inner", "deep/dir/inner"]) writeFileSync(join(root, path), "inside");
  for (const path of ["inner", "secret", "below/secret"]) writeFileSync(join(outside, path), "outside!");
  symlinkSync(join(outside, "inner"), join(root, "file.link"));
  symlinkSync(outside, join(root, "dir.link"));
  symlinkSync("../../outside", join(root, "deep/dir.link"));
  const home = join(folder, "home");
  mkdirSync(home);
  const files = openFiles({ home });
  const race: Race = { swaps: 0, opened: 0, refused: 0, scans: 0, escapes: [] };
  const swapper = spawn(process.execPath, ["-e", SWAPPER, root], { stdio: ["ignore", "pipe", "inherit"] });
  swapper.stdout.on("data", (text: Buffer) => {
    race.swaps += 10 * text.toString().split("\n").length - 10;
  });
  const isDone = (): boolean =>
    race.escapes.length > 0 ||
    (race.swaps >= swaps && race.scans >= Math.max(3, swaps / 1000) && race.opened > 0 && race.refused > 0);
  try {
    await Promise.all([
      ...[["file"], ["dir", "inner"], ["deep", "dir", "inner"], ["dir", "secret"], ["dir", "below", "secret"]].map(
        (way) => openOften(root, way, race, isDone),
      ),
      scanOften(files, root, race, isDone),
    ]);
  } finally {
    swapper.kill("SIGKILL");
    await new Promise((resolve) => swapper.once("exit", resolve));
    await files.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return race;
}

async function openOften(root: string, names: string[], race: Race, isDone: () => boolean): Promise<void> {
  const way = names.map((name) => Buffer.from(name));
  while (!isDone()) {
    try {
      const { handle } = await openBelow(Buffer.from(root), way, NONE);
      race.opened++;
      if ((await handle.readFile("utf8")) !== "inside") race.escapes.push(`opened ${names.join("/")}`);
      await handle.close();
    } catch (error) {
      if (!(error instanceof PdppError)) throw error;
      race.refused++;
    }
  }
}

/** Files outside have other names and sizes, and none of these may appear in the index. */
async function scanOften(
  files: ReturnType<typeof openFiles>,
  root: string,
  race: Race,
  isDone: () => boolean,
): Promise<void> {
  const { rootId } = await files.addRoot({ path: root });
  while (!isDone()) {
    const { indexId } = await files.jobEnded((await files.index({ rootId, verify: race.scans % 2 === 0 })).jobId);
    const { entries } = await files.find(indexId, {
      filter: { and: [{ kind: "file" }, { or: [{ name: "secret" }, { size: { min: 8, max: 8 } }] }] },
    });
    race.escapes.push(...entries.map(({ path }) => `scanned ${path}`));
    race.scans++;
  }
}
