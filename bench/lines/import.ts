// Exports brought in: time against a bare parse of the same bytes, and the memory of the command over large ones.
import { spawn } from "node:child_process";
import { createReadStream, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import PostalMime from "postal-mime";
import type { Entry } from "../../src/collect/entry.ts";
import { jsonItems } from "../../src/collect/importers/json-items.ts";
import { splitMbox } from "../../src/collect/importers/mail/split.ts";
import { openParser } from "../../src/collect/parser-thread.ts";
import { runImport } from "../../src/collect/run.ts";
import { openHome } from "../../src/engine/home.ts";
import type { Bench } from "../bench.ts";
import { wordOfRank } from "../data.ts";
import { benchFolder } from "../home.ts";
import { writeCsv, writeMbox, writeTelegram } from "../import-data.ts";
import { alternate, type Compared, type Work } from "../measure.ts";
import { inMs, type Result } from "../report.ts";

const OWNER = { home: true } as const;
const MB = 2 ** 20;
const TIMED_MB = 50;
const CSV_ROWS = 1_000_000;
const PEAK_BYTES_MAX = 350 * MB;
const LOOK_MS = 50;
/** The first warms up. */
const EFFORT = { rounds: 4, calls: 1 };
const COMMAND = fileURLToPath(new URL("../../bin/pdpp.js", import.meta.url));

const folder = benchFolder("import");

export const imports: Bench = {
  name: "import",
  async onSize(size, { sizes, mboxMb }) {
    // Its size is its own: once a run.
    if (size !== sizes[0]) return [];
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    try {
      return [
        await mbox(),
        await telegram(),
        await peak("mail.mbox", `${mboxMb} MB mbox`, (path) => writeMbox(path, mboxMb * MB)),
        await peak("readings.csv", "1 M-row CSV", (path) => writeCsv(path, CSV_ROWS)),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function mbox(): Promise<Result> {
  const path = join(folder, "inbox.mbox");
  writeMbox(path, TIMED_MB * MB);
  // Cut up beforehand: the yardstick is the parser and nothing else.
  const messages: Buffer[] = [];
  for await (const message of splitMbox(entryOf(path), 0)) {
    if ("bytes" in message) messages.push(Buffer.from(message.bytes));
  }
  const compared = await alternate(
    {
      ours: bringIn(path, messages.length),
      async yardstick() {
        for (const bytes of messages) await PostalMime.parse(bytes);
      },
    },
    EFFORT,
  );
  return timed(
    `import: mbox to searchable records, ${messages.length} messages`,
    compared,
    2,
    "bare postal-mime parse",
  );
}

async function telegram(): Promise<Result> {
  const path = join(folder, "result.json");
  writeTelegram(path, TIMED_MB * MB);
  const parse = async (): Promise<number> => {
    let items = 0;
    for await (const item of jsonItems(entryOf(path), (place) => place.length === 5)) if ("value" in item) items++;
    return items;
  };
  const messages = await parse();
  const compared = await alternate({ ours: bringIn(path, messages), yardstick: parse }, EFFORT);
  return timed(`import: Telegram JSON to records, ${messages} messages`, compared, 3, "bare streaming parse");
}

function timed(line: string, { ours, yardstick, ratio }: Compared, atMost: number, against: string): Result {
  return {
    line,
    size: `${TIMED_MB} MB`,
    ratio,
    budget: { atMost },
    ours: inMs(ours.median),
    yardstick: inMs(yardstick.median),
    against,
  };
}

/** As `pdpp import` does it, into a home of its own, until a search finds something. */
function bringIn(path: string, atLeast: number): Work {
  return async (index) => {
    const home = join(folder, `home-${index}`);
    const host = openHome(home, { create: true, note: () => undefined });
    const parser = openParser({ home, given: [path] });
    try {
      const { groups } = await parser.plan({});
      let imported = 0;
      for (const group of groups) {
        const { progress } = await runImport({ host, credential: OWNER, parser, answers: {} }, group);
        imported += progress.counts.imported;
      }
      if (imported < atLeast) throw new Error(`${path}: ${imported} of ${atLeast} came in`);
      const found = await host.call("search", { q: wordOfRank(0), limit: 1 }, OWNER);
      if ((JSON.parse(found) as { data: unknown[] }).data.length === 0) throw new Error(`${path}: not searchable`);
    } finally {
      await parser.close();
      await host.close();
      rmSync(home, { recursive: true, force: true });
    }
  };
}

/** The command as a process of its own; VmHWM is the kernel's own note of the most it ever held, mapped files included. */
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
    bytes = Math.max(bytes, highWater(child.pid!));
    await sleep(LOOK_MS);
  }
  const code = await exited;
  const fileMb = (statSync(path).size / MB).toFixed(0);
  rmSync(home, { recursive: true, force: true });
  rmSync(path);
  if (code !== 0) throw new Error(`pdpp import ${name} ended with ${code}`);
  if (bytes === 0) throw new Error("the memory of a process cannot be read here: /proc is needed");
  const megabytes = (value: number): string => `${(value / MB).toFixed(0)} MB`;
  return {
    line: `import: peak memory (RSS), ${size}`,
    size: `${fileMb} MB`,
    ratio: bytes / PEAK_BYTES_MAX,
    budget: { atMost: 1 },
    ours: megabytes(bytes),
    yardstick: megabytes(PEAK_BYTES_MAX),
    against: "the budget",
  };
}

function highWater(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    // It ended between the look and this.
    return 0;
  }
}

const entryOf = (path: string): Entry => ({
  path,
  size: statSync(path).size,
  open: () => createReadStream(path),
  file: async () => path,
});
