// Disks: scans compared with du and duc, rescans compared with first scans, and reads that must cost the same for ten
// thousand nodes and for millions.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { FileFilter } from "../../src/contract/files.ts";
import type { openFiles } from "../../src/files/files.ts";
import { nameOf } from "../../src/files/read/columns.ts";
import { compileFilter } from "../../src/files/read/filter.ts";
import { find } from "../../src/files/read/find.ts";
import { IndexReader } from "../../src/files/read/index-reader.ts";
import { type IndexReadContext, readCalls } from "../../src/files/read/read-calls.ts";
import type { Bench } from "../bench.ts";
import { feedIndex, writeTree } from "../files-data.ts";
import { benchFolder } from "../home.ts";
import { alternate, compare, median, milliseconds } from "../measure.ts";
import type { SizeName } from "../options.ts";
import { inMs, type Result } from "../report.ts";

/**
 * The number of nodes on disk for each benchmark size, and the number of nodes in an index that is written without a
 * disk.
 */
const ON_DISK: Record<SizeName, number> = { "10k": 30_000, "100k": 300_000, "1m": 1_000_000 };
const IN_INDEX: Record<SizeName, number> = { "10k": 100_000, "100k": 1_000_000, "1m": 5_000_000 };
const SMALL_INDEX = 10_000;
const ROUNDS = 4;
const LOOK_MS = 20;
const SETTLE_MS = 500;
const MB = 2 ** 20;
const PEAK_BYTES_MAX = 256 * MB;
const INDEX_BYTES_MAX = 60;
/** A tree of real files that exists on most systems. */
const SYSTEM_TREE = "/usr";

const folder = benchFolder("files");

export const files: Bench = {
  name: "files",
  async onSize(size, { sizes }) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    try {
      const tree = join(folder, "tree");
      writeTree(tree, ON_DISK[size]);
      const results = await scans(tree, label(ON_DISK[size]), ON_DISK[size] >= 1_000_000 ? 1.4 : 1.75);
      // The size of this tree is fixed, so it is scanned only once per run.
      if (size === sizes[0] && existsSync(SYSTEM_TREE)) results.push(...(await scans(SYSTEM_TREE, "usr", 1.75)));
      if (size === sizes.at(-1)) results.push(...(await flat(IN_INDEX[size])), ...(await filters(ON_DISK[size])));
      return results;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const label = (nodes: number): string => (nodes >= 1_000_000 ? `${nodes / 1_000_000}m` : `${nodes / 1000}k`);

/**
 * Complete scans through the lens as in a server, with its thread, its processes and the catalogue, using the built
 * files.
 */
async function scans(tree: string, size: string, budget: number): Promise<Result[]> {
  const built = (await import(new URL("../../dist/files/files.js", import.meta.url).href)) as {
    openFiles: typeof openFiles;
  };
  const times = {
    first: [] as number[],
    next: [] as number[],
    unchanged: [] as number[],
    verify: [] as number[],
    du: [] as number[],
    duc: [] as number[],
  };
  let [bytes, nodes] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const home = join(folder, `home-${round}`);
    mkdirSync(home);
    const lens = built.openFiles({ home });
    const { rootId } = await lens.addRoot({ path: tree });
    const scan = async (request: Omit<Parameters<typeof lens.index>[0], "rootId"> = {}): Promise<number> =>
      milliseconds(async () => {
        const { status, error } = await lens.jobEnded((await lens.index({ rootId, ...request })).jobId);
        if (status !== "succeeded") throw new Error(`the scan ended as ${status}: ${error}`);
      });
    const first = await scan();
    // After its result, a scan moves its log into the index. A rescan that starts at once would wait for that.
    await sleep(SETTLE_MS);
    const unchanged = await scan();
    const du = await milliseconds(() => run("du", ["-s", tree]));
    const verify = await scan({ verify: true });
    // Different options create another index. The processes that the earlier scans left running fill it.
    const next = await scan({ options: { depthLimit: 1000 } });
    const duc = hasDuc()
      ? await milliseconds(() => run("duc", ["index", "-d", join(folder, "duc.db"), tree]))
      : Number.NaN;
    const { totals } = await lens.indexInfo("ix1");
    nodes = totals!.files + totals!.dirs;
    await lens.close();
    bytes = statSync(join(home, "files/ix1.db")).size;
    rmSync(home, { recursive: true });
    // The first round only warms the caches for all sides.
    if (round === 0) continue;
    for (const [name, value] of Object.entries({ first, next, unchanged, verify, du, duc }))
      times[name as keyof typeof times].push(value);
  }
  const line = (text: string, ours: number[], other: number[], against: string, atMost?: number): Result => {
    const { ratio } = compare(ours, other);
    return {
      line: `files: ${text}`,
      size,
      ratio,
      ...(atMost === undefined ? {} : { budget: { atMost } }),
      ours: inMs(median(ours)),
      yardstick: inMs(median(other)),
      against,
    };
  };
  const isLarge = nodes >= 900_000;
  const peak = await peakOf(tree);
  return [
    line("first scan, including storing and totals", times.first, times.du, "du -s", budget),
    line("the same by a server that scanned within the last 30 s", times.next, times.du, "du -s", budget),
    ...(hasDuc()
      ? [line("first scan, including storing and totals", times.first, times.duc, "duc index", isLarge ? 1 : undefined)]
      : [
          {
            line: "files: first scan, including storing and totals",
            size,
            ratio: Number.NaN,
            ours: inMs(median(times.first)),
            yardstick: "–",
            against: "duc index (not installed)",
          },
        ]),
    line("rescan with nothing changed", times.unchanged, times.first, "the first scan", 0.15),
    line("rescan that reads every directory again", times.verify, times.du, "du -s", 2),
    {
      line: "files: index bytes per node",
      size,
      ratio: bytes / nodes / INDEX_BYTES_MAX,
      budget: { atMost: 1 },
      ours: `${(bytes / nodes).toFixed(1)} B`,
      yardstick: `${INDEX_BYTES_MAX} B`,
      against: "the budget",
    },
    {
      line: "files: peak memory of a first scan, all processes (PSS)",
      size,
      ratio: peak / PEAK_BYTES_MAX,
      ...(isLarge ? { budget: { atMost: 1 } } : {}),
      ours: `${(peak / MB).toFixed(0)} MB`,
      yardstick: `${PEAK_BYTES_MAX / MB} MB`,
      against: "the budget",
    },
  ];
}

/** The peak total memory of a scanning process and the processes it starts, from frequent samples. */
async function peakOf(tree: string): Promise<number> {
  const home = join(folder, "home-peak");
  mkdirSync(home);
  const script = join(folder, "scan.mjs");
  const text = `
    const { openFiles } = await import(${JSON.stringify(new URL("../../dist/files/files.js", import.meta.url).href)});
    const files = openFiles({ home: ${JSON.stringify(home)} });
    const { rootId } = await files.addRoot({ path: ${JSON.stringify(tree)} });
    await files.jobEnded((await files.index({ rootId })).jobId);
    await files.close();`;
  writeFileSync(script, text);
  const child = spawn(process.execPath, [script], { stdio: "inherit" });
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, heldBy(child.pid!));
    await sleep(LOOK_MS);
  }
  rmSync(home, { recursive: true });
  if (child.exitCode !== 0) throw new Error(`the scan exited with code ${child.exitCode}`);
  return peak;
}

function heldBy(pid: number): number {
  try {
    // Pss counts shared pages only once; all of these processes run the same program.
    const own = Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1024;
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" "));
    return children.filter(Boolean).reduce((sum, inner) => sum + heldBy(Number(inner)), own);
  } catch {
    // The process ended in the meantime.
    return 0;
  }
}

/** Reads in this process, without the hop to a thread, to compare the cost of a small and a large index. */
async function flat(nodes: number): Promise<Result[]> {
  const open = (count: number) => {
    const path = join(folder, `fed-${count}.db`);
    feedIndex(path, count);
    const reader = new IndexReader(path, 1);
    const context: IndexReadContext = { reader, root: { path: "/", name: "/" }, digests: () => undefined };
    const dirs = reader.database
      .prepare("SELECT id FROM dir WHERE own_dirs + own_files > 0")
      .all()
      .map(({ id }) => id as number);
    return { reader, context, dirs };
  };
  const [large, small] = [open(nodes), open(SMALL_INDEX)];
  type Fed = typeof large;
  const pick = ({ dirs }: Fed, index: number): number => dirs[(index * 7919) % dirs.length]!;
  const calls: Record<string, (fed: Fed, index: number) => unknown> = {
    "page of a directory's entries": (fed, index) =>
      readCalls.children(fed.context, {
        ref: { dir: pick(fed, index) },
        order: ORDERS[index % 3]!,
        descending: false,
        limit: 100,
      }),
    "largest 100 files in the index": (fed) =>
      readCalls.largest(fed.context, { under: { dir: 1 }, kind: "file", limit: 100, skip: 0 }),
    "largest 100 files in a subtree": (fed, index) =>
      readCalls.largest(fed.context, { under: { dir: pick(fed, index) }, kind: "file", limit: 100, skip: 0 }),
    "totals of a directory": (fed, index) => readCalls.node(fed.context, { ref: { dir: pick(fed, index) } }),
  };
  const results: Result[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const work = (fed: Fed) => (index: number) => fed.reader.snapshot(() => call(fed, index));
    const compared = await alternate({ ours: work(large), yardstick: work(small) }, { rounds: 6, calls: 50 });
    results.push({
      line: `files: ${name}`,
      size: label(nodes),
      ratio: compared.ratio,
      budget: { atMost: 2 },
      ours: inMs(compared.ours.median),
      yardstick: inMs(compared.yardstick.median),
      against: `the same in an index of ${label(SMALL_INDEX)} nodes`,
    });
  }
  for (const { reader } of [large, small]) reader.close();
  return results;
}

const ORDERS = ["name", "size", "time"] as const;

/** Compares filters with the same query in SQL over a table of the same rows. */
async function filters(nodes: number): Promise<Result[]> {
  const path = join(folder, "filtered.db");
  feedIndex(path, nodes);
  const reader = new IndexReader(path, 1);
  const columns = reader.snapshot(() => reader.columns());
  const table = new DatabaseSync(":memory:");
  table.exec(
    "CREATE TABLE file (dir INTEGER, name TEXT, size INTEGER, mtime INTEGER, PRIMARY KEY (dir, name)) WITHOUT ROWID; BEGIN",
  );
  const insert = table.prepare("INSERT OR IGNORE INTO file VALUES (?, ?, ?, ?)");
  for (const block of columns.blocks)
    for (let index = 0; index < block.count; index++)
      insert.run(
        block.parents[index]!,
        Buffer.from(nameOf(block, index)).toString(),
        block.sizes[index]!,
        block.times[index]!,
      );
  table.exec("COMMIT");
  const questions: Record<string, { filter: FileFilter; sql: string }> = {
    "by name pattern": { filter: { name: "*.jpg", caseSensitive: true }, sql: "name GLOB '*.jpg'" },
    "by size": { filter: { size: { min: 10_000_000 } }, sql: "size >= 10000000" },
    "by time": {
      filter: { modified: { after: "2019-01-01", before: "2019-02-01" } },
      sql: `mtime >= ${Date.UTC(2019, 0)} AND mtime < ${Date.UTC(2019, 1)}`,
    },
  };
  const results: Result[] = [];
  for (const [name, { filter, sql }] of Object.entries(questions)) {
    const request = { filter: compileFilter(filter), order: "tree", descending: false, limit: 100 } as const;
    const statement = table.prepare(`SELECT count(*), sum(size) FROM file WHERE ${sql}`);
    const compared = await alternate(
      { ours: () => find(columns, request, () => new Set()), yardstick: () => statement.get() },
      { rounds: 6, calls: 3 },
    );
    results.push({
      line: `files: filter over the whole tree ${name}`,
      size: label(nodes),
      ratio: compared.ratio,
      budget: { atMost: 0.5 },
      ours: inMs(compared.ours.median),
      yardstick: inMs(compared.yardstick.median),
      against: "an SQL scan of the same rows",
    });
  }
  table.close();
  reader.close();
  return results;
}

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ["ignore", "ignore", "ignore"] });
  if (error !== undefined) throw error;
  if (status !== 0 && status !== 1) throw new Error(`${command} exited with code ${status}`);
}

let duc: boolean | undefined;
function hasDuc(): boolean {
  duc ??= spawnSync("duc", ["--version"], { stdio: "ignore" }).error === undefined;
  return duc;
}
