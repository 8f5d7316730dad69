// Imports killed at random moments and restarted: each ends like an uninterrupted import, with the same records and
// counts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { ImportJob } from "../../src/contract/import.ts";
import { openHome } from "../../src/engine/home.ts";
import { HOME_OWNER, type Loose } from "../harness.ts";
import { sorted, withoutIds } from "./comparable.ts";
import { type Random, randomFrom } from "./random.ts";
import { PDPP } from "./server-process.ts";

export interface ImportCrashOptions {
  seed: number;
  kills: number;
  onRound?: (killed: number, summary: string) => void;
}

const FILES = 10;
const LINKS = 1500;
/** Most imports are killed while they work, and some during their start. */
const EARLY_SHARE = 0.2;

/** Returns the number of killed processes. */
export async function runImportCrashes({ seed, kills, onRound }: ImportCrashOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "postern-import-crash-"));
  const random = randomFrom(seed);
  try {
    const input = join(folder, "input");
    writeInput(input, random);
    const whole = join(folder, "whole");
    const { startMs, workMs } = await importUntil(whole, input);
    const expected = await contents(whole);
    let killed = 0;
    for (let round = 0; killed < kills; round++) {
      const home = join(folder, `home-${round}`);
      let times = 0;
      const life = () =>
        random.next() < EARLY_SHARE
          ? { fromStart: random.next() * startMs }
          : { fromFirstWord: random.next() * workMs };
      while (!(await importUntil(home, input, life())).ended) times++;
      killed += times;
      const found = await contents(home);
      const different = difference(found, expected);
      if (different !== undefined) throw new Error(`after ${times} kills: ${different}`);
      onRound?.(killed, `${times} kills, ${found.records.length} records`);
      rmSync(home, { recursive: true });
    }
    return killed;
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message} (again: npm run soak -- import --seed ${seed})`, {
      cause: error,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes several files. Some links occur twice, some are invalid, and some change from file to file. */
function writeInput(folder: string, random: Random): void {
  mkdirSync(folder);
  for (let file = 0; file < FILES; file++) {
    const lines = ["<!DOCTYPE NETSCAPE-Bookmark-file-1>", "<DL><p>"];
    for (let n = 0; n < LINKS; n++) {
      const kind = random.next();
      const number = kind < 0.1 ? Math.floor(random.next() * file * LINKS) : file * LINKS + n;
      const address = kind > 0.97 ? "nowhere" : `https://example.org/${number}`;
      lines.push(`<DT><A HREF="${address}" ADD_DATE="${1_600_000_000 + number}">${"word ".repeat(20)}${file} ${n}</A>`);
    }
    writeFileSync(join(folder, `bookmarks-${file}.html`), [...lines, "</DL><p>", ""].join("\n"));
  }
}

type Life = { fromStart: number } | { fromFirstWord: number };

/** Kills the process after this time, counted from its start or its first output, unless it has already ended. */
async function importUntil(
  home: string,
  input: string,
  life?: Life,
): Promise<{ ended: boolean; startMs: number; workMs: number }> {
  const begun = performance.now();
  const child = spawn(process.execPath, [PDPP, "import", input, "--home", home, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const limit = new AbortController();
  const killAfter = (ms: number): void =>
    void sleep(ms, undefined, { signal: limit.signal }).then(
      () => child.kill("SIGKILL"),
      () => undefined,
    );
  let firstWord = begun;
  child.stdout.once("data", () => {
    firstWord = performance.now();
    if (life !== undefined && "fromFirstWord" in life) killAfter(life.fromFirstWord);
  });
  if (life !== undefined && "fromStart" in life) killAfter(life.fromStart);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (said += part.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  limit.abort();
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`the import ended with ${code}: ${said}`);
  return { ended: signal !== "SIGKILL", startMs: firstWord - begun, workMs: performance.now() - firstWord };
}

interface Contents {
  records: Loose[];
  report: object;
}

/** Returns everything except import times, run ids and record ids. */
async function contents(home: string): Promise<Contents> {
  const host = openHome(home, { note: () => undefined });
  try {
    const ask = async (method: Parameters<typeof host.call>[0], query: object): Promise<Loose> =>
      await host.call(method, query as never, HOME_OWNER);
    const records: Loose[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await ask("records", {
        stream: "bookmarks",
        limit: 100,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const { data, provenance } of page.data) {
        const { run_id: _run, ...place } = provenance;
        records.push({ data: withoutIds(data), place });
      }
      cursor = page.next_cursor;
      if (cursor === undefined) break;
    }
    const jobs = (await ask("imports", {})).data as ImportJob[];
    // An import that was killed after it stored everything was repeated. The second import must add no records.
    const double = jobs.slice(0, -1).find(({ progress: { counts } }) => counts.imported > 0);
    if (double !== undefined) throw new Error(`a second import added ${double.progress.counts.imported} records`);
    const { status, progress } = jobs.at(-1)!;
    const { counts, streams, files } = progress;
    return { records: sorted(records), report: { status, counts, streams, files } };
  } finally {
    await host.close();
  }
}

function difference(found: Contents, expected: Contents): string | undefined {
  if (found.records.length !== expected.records.length)
    return `${found.records.length} records, not ${expected.records.length}`;
  const at = expected.records.findIndex((record, index) => !isDeepStrictEqual(record, found.records[index]));
  if (at !== -1) return `${JSON.stringify(found.records[at])} is not ${JSON.stringify(expected.records[at])}`;
  if (!isDeepStrictEqual(found.report, expected.report))
    return `the report is ${JSON.stringify(found.report)}, not ${JSON.stringify(expected.report)}`;
  return undefined;
}
