// Imports: time compared with a bare parse of the same bytes or with another build, and the memory that the command
// needs for large exports.
import { spawn } from "node:child_process";
import { createReadStream, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import PostalMime from "postal-mime";
import { type Entry, linesOf } from "../../src/collect/entry.ts";
import { jsonItems } from "../../src/collect/importers/json-items.ts";
import { splitMbox } from "../../src/collect/importers/mail/split.ts";
import type { EngineHost } from "../../src/engine/host.ts";
import type { Bench } from "../bench.ts";
import { wordOfRank } from "../data.ts";
import { benchFolder } from "../home.ts";
import { writeAgentLog, writeCsv, writeMbox, writeSpotify, writeTelegram } from "../import-data.ts";
import { alternate, type Compared, type Work } from "../measure.ts";
import { inMs, type Result } from "../report.ts";
import { compareBuilds } from "./import-against.ts";

const OWNER = { home: true } as const;
const MB = 2 ** 20;
/**
 * Real exports are hundreds of megabytes in size. With less, starting two threads and a cold parser would dominate the
 * result.
 */
const TIMED_MB = 100;
/** A streaming parse is so fast that with less data, starting and closing would be a fifth of the result. */
const JSON_MB = 200;
const CSV_ROWS = 1_000_000;
const PEAK_BYTES_MAX = 350 * MB;
const LOOK_MS = 50;
/** The first round warms up. */
const EFFORT = { rounds: 4, calls: 1 };
const COMMAND = fileURLToPath(new URL("../../bin/pdpp.js", import.meta.url));

const folder = benchFolder("import");

export const imports: Bench = {
  name: "import",
  async onSize(size, { sizes, mboxMb, against, pairs }) {
    // The size of this benchmark is fixed, so it runs only once.
    if (size !== sizes[0]) return [];
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    try {
      if (against !== undefined) return await builds({ against, pairs });
      return [
        await mbox(),
        await again(),
        await json("result.json", "Telegram JSON", writeTelegram, items(5), 3),
        await json("Streaming_History_Audio_2018.json", "Spotify JSON", writeSpotify, items(1), 3),
        // Printed without a budget: V8 parses these lines natively, five times as fast as a parser that can resume
        // anywhere.
        await json("session.jsonl", "agent log (JSONL)", writeAgentLog, lines),
        await peak("mail.mbox", `${mboxMb} MB mbox`, (path) => writeMbox(path, mboxMb * MB)),
        await peak("readings.csv", "1 M-row CSV", (path) => writeCsv(path, CSV_ROWS)),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const FORMATS = [
  { name: "inbox.mbox", format: "mbox", mb: TIMED_MB, write: writeMbox, limit: "import and search" },
  { name: "result.json", format: "Telegram JSON", mb: JSON_MB, write: writeTelegram, limit: "import" },
  {
    name: "Streaming_History_Audio_2018.json",
    format: "Spotify JSON",
    mb: JSON_MB,
    write: writeSpotify,
    limit: "import",
  },
  { name: "session.jsonl", format: "agent log (JSONL)", mb: JSON_MB, write: writeAgentLog, limit: "import" },
] as const;

async function builds(how: { against: string; pairs: number }): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, format, mb, write, limit } of FORMATS) {
    const path = join(folder, name);
    write(path, mb * MB);
    results.push(...(await compareBuilds(how, { path, format, mb, limit })));
    rmSync(path);
  }
  return results;
}

async function mbox(): Promise<Result> {
  const path = join(folder, "inbox.mbox");
  writeMbox(path, TIMED_MB * MB);
  // Split beforehand, so that the yardstick measures only the parser.
  const messages: Buffer[] = [];
  for await (const message of splitMbox(entryOf(path), 0)) {
    if ("bytes" in message) messages.push(Buffer.from(message.bytes));
  }
  const compared = await alternate(
    {
      ours: importPaths(path, { atLeast: messages.length, untilFound: true }),
      async yardstick() {
        for (const bytes of messages) await PostalMime.parse(bytes);
      },
    },
    EFFORT,
  );
  rmSync(path);
  const line = `import: mbox to searchable records, ${messages.length} messages`;
  return timed(line, TIMED_MB, compared, 2, "a bare postal-mime parse");
}

/** Imports the same file again into a home that already has it, as happens with a folder that is imported every day. */
async function again(): Promise<Result> {
  const path = join(folder, "again.mbox");
  writeMbox(path, TIMED_MB * MB);
  const filled = join(folder, "home-again");
  const first = await importOnce(filled, path);
  const compared = await alternate(
    {
      async ours() {
        const { imported, unchanged } = await importOnce(filled, path);
        if (imported > 0 || unchanged !== first.imported)
          throw new Error(`second import: ${imported} new records, ${unchanged} unchanged`);
      },
      async yardstick(index) {
        const home = join(folder, `home-first-${index}`);
        await importOnce(home, path);
        rmSync(home, { recursive: true, force: true });
      },
    },
    EFFORT,
  );
  for (const one of [path, filled]) rmSync(one, { recursive: true, force: true });
  const line = `import: the same mbox a second time, ${first.imported} messages`;
  return timed(line, TIMED_MB, compared, 0.5, "its first import");
}

/** Imports like `pdpp import`, and calls `then` before the home is closed. */
async function importOnce(
  home: string,
  path: string,
  then?: (host: EngineHost) => Promise<void>,
): Promise<{ imported: number; unchanged: number }> {
  const { openHome, openParser, runImport } = await built();
  const host = openHome(home, { create: true, bulk: true, note: () => undefined });
  const parser = openParser({ home, given: [path] });
  const sum = { imported: 0, unchanged: 0 };
  try {
    const { groups } = await parser.plan({});
    for (const group of groups) {
      const { progress } = await runImport({ host, credential: OWNER, parser, answers: {} }, group);
      sum.imported += progress.counts.imported;
      sum.unchanged += progress.counts.unchanged;
    }
    await then?.(host);
    return sum;
  } finally {
    await parser.close();
    await host.close();
  }
}

async function json(
  name: string,
  format: string,
  write: (path: string, bytes: number) => void,
  parse: (path: string) => Promise<number>,
  atMost?: number,
): Promise<Result> {
  const path = join(folder, name);
  write(path, JSON_MB * MB);
  const found = await parse(path);
  const sides = { ours: importPaths(path, { atLeast: found, untilFound: false }), yardstick: () => parse(path) };
  const compared = await alternate(sides, EFFORT);
  rmSync(path);
  const against = atMost === undefined ? "a bare parse, line by line" : "a bare streaming parse";
  return timed(`import: ${format} to records, ${found} items`, JSON_MB, compared, atMost, against);
}

/** Parses every value at that depth and returns how many there are. */
const items =
  (depth: number) =>
  async (path: string): Promise<number> => {
    let found = 0;
    for await (const item of jsonItems(entryOf(path), (place) => place.length === depth)) if ("value" in item) found++;
    return found;
  };

async function lines(path: string): Promise<number> {
  let found = 0;
  for await (const { bytes } of linesOf(entryOf(path))) if (JSON.parse(bytes.toString()) !== undefined) found++;
  return found;
}

function timed(line: string, mb: number, compared: Compared, atMost: number | undefined, against: string): Result {
  const { ours, yardstick, ratio } = compared;
  return {
    line,
    size: `${mb} MB`,
    ratio,
    ...(atMost === undefined ? {} : { budget: { atMost } }),
    ours: inMs(ours.median),
    yardstick: inMs(yardstick.median),
    against,
  };
}

/** Uses the build, as people do. From the sources, each import thread would have to strip types first. */
async function built() {
  const load = async <T>(module: string): Promise<T> =>
    (await import(new URL(`../../dist/${module}.js`, import.meta.url).href)) as T;
  const { openHome } = await load<typeof import("../../src/engine/home.ts")>("engine/home");
  const { openParser } = await load<typeof import("../../src/collect/parser.ts")>("collect/parser");
  const { runImport } = await load<typeof import("../../src/collect/run.ts")>("collect/run");
  return { openHome, openParser, runImport };
}

/** Imports into a new home until the import has finished, or until a search finds something. */
function importPaths(path: string, { atLeast, untilFound }: { atLeast: number; untilFound: boolean }): Work {
  return async (index) => {
    const home = join(folder, `home-${index}`);
    try {
      const { imported } = await importOnce(home, path, untilFound ? searchable : undefined);
      if (imported < atLeast) throw new Error(`${path}: only ${imported} of ${atLeast} records were imported`);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  };
}

async function searchable(host: EngineHost): Promise<void> {
  const found = await host.call("search", { q: wordOfRank(0), limit: 1 }, OWNER);
  if (found.data.length === 0) throw new Error("the search found nothing");
}

/**
 * The peak memory of the command and its parser process together. The kernel attributes half of the pages that both
 * share, such as the program, to each of them.
 */
async function peak(name: string, size: string, write: (path: string) => void): Promise<Result> {
  const path = join(folder, name);
  const home = join(folder, "home-peak");
  write(path);
  const child = spawn(process.execPath, [COMMAND, "import", path, "--home", home], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let bytes = 0;
  while (child.exitCode === null && child.signalCode === null) {
    bytes = Math.max(bytes, held(child.pid!));
    await sleep(LOOK_MS);
  }
  const code = await exited;
  const fileMb = (statSync(path).size / MB).toFixed(0);
  rmSync(home, { recursive: true, force: true });
  rmSync(path);
  if (code !== 0) throw new Error(`pdpp import ${name} exited with code ${code}`);
  if (bytes === 0) throw new Error("cannot read the memory of a process: this benchmark needs /proc");
  const megabytes = (value: number): string => `${(value / MB).toFixed(0)} MB`;
  return {
    line: `import: peak memory, ${size}`,
    size: `${fileMb} MB`,
    ratio: bytes / PEAK_BYTES_MAX,
    budget: { atMost: 1 },
    ours: megabytes(bytes),
    yardstick: megabytes(PEAK_BYTES_MAX),
    against: "the budget",
  };
}

function held(pid: number): number {
  try {
    const share = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
    return children.reduce((sum, child) => sum + held(Number(child)), Number(share ?? 0) * 1024);
  } catch {
    // The process ended in the meantime.
    return 0;
  }
}

const entryOf = (path: string): Entry => ({
  path,
  size: statSync(path).size,
  open: () => createReadStream(path),
  file: async () => path,
});
