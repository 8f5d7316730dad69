// Imports compared with another build of Postern, such as one of an earlier commit. Both run the same commands on the
// same file: `pdpp import`, then the first search, which indexes the words of the records.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { wordOfRank } from "../data.ts";
import { median, milliseconds } from "../measure.ts";
import { inMs, type Result } from "../report.ts";

/** The limit of G-05. */
const RATIO_MAX = 1.1;
const OWN_CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const TICKS_PER_SECOND = 100;

interface Spent {
  wallMs: number;
  cpuMs: number;
}

interface Turn {
  imported: Spent;
  searched: Spent;
}

/**
 * `pairs` is how many times each build is measured. Another pair before them warms up the file cache and is not counted.
 * The limit applies to the same span of work as the format's line without `--against`.
 */
export async function compareBuilds(
  { against, pairs }: { against: string; pairs: number },
  { path, format, mb, limit }: { path: string; format: string; mb: number; limit: "import" | "import and search" },
): Promise<Result[]> {
  const turns: { ours: Turn; theirs: Turn }[] = [];
  for (let pair = 0; pair <= pairs; pair++) {
    const turn = { ours: await measureBuild(OWN_CHECKOUT, path), theirs: await measureBuild(against, path) };
    if (pair > 0) turns.push(turn);
  }
  const line = (what: string, spent: (turn: Turn) => number, atMost?: number): Result => {
    const ours = median(turns.map((turn) => spent(turn.ours)));
    const theirs = median(turns.map((turn) => spent(turn.theirs)));
    return {
      line: `import: ${format}, ${what}`,
      size: `${mb} MB`,
      ratio: ours / theirs,
      ...(atMost === undefined ? {} : { budget: { atMost } }),
      ours: inMs(ours),
      yardstick: inMs(theirs),
      against: "the other build",
    };
  };
  return [
    line("pdpp import", ({ imported }) => imported.wallMs, limit === "import" ? RATIO_MAX : undefined),
    line("first search", ({ searched }) => searched.wallMs),
    line(
      "both",
      ({ imported, searched }) => imported.wallMs + searched.wallMs,
      limit === "import and search" ? RATIO_MAX : undefined,
    ),
    line("CPU time of both", ({ imported, searched }) => imported.cpuMs + searched.cpuMs),
  ];
}

function commandOf(checkout: string): string {
  const command = resolve(checkout, "bin/pdpp.js");
  for (const needed of [command, resolve(checkout, "dist")])
    if (!existsSync(needed)) throw new Error(`--against: ${needed} is missing; run npm run build in that checkout`);
  return command;
}

async function measureBuild(checkout: string, path: string): Promise<Turn> {
  const command = commandOf(checkout);
  const home = join(path, "..", "home-against");
  try {
    return {
      imported: await run(command, "import", path, "--home", home, "--yes"),
      searched: await run(command, "search", wordOfRank(0), "--limit", "1", "--home", home),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function run(command: string, ...args: string[]): Promise<Spent> {
  const before = childrenCpuMs();
  const wallMs = await milliseconds(
    () =>
      new Promise<void>((done, fail) => {
        spawn(process.execPath, [command, ...args], { stdio: "ignore" })
          .once("error", fail)
          .once("exit", (code) =>
            code === 0 ? done() : fail(new Error(`${command} ${args.join(" ")} exited with code ${code}`)),
          );
      }),
  );
  return { wallMs, cpuMs: childrenCpuMs() - before };
}

/** The CPU time of all processes that this one has started and that have ended, including their own children. */
function childrenCpuMs(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
  // proc_pid_stat(5) numbers the fields from 1; the state, number 3, is the first after the name.
  const field = (number: number): number => Number(fields[number - 3]);
  return ((field(16) + field(17)) / TICKS_PER_SECOND) * 1000;
}
