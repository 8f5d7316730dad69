// W-04: the blocks of the documents that run npm scripts. Each script runs here, as far as a test can run it.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { USAGE } from "../../bench/options.ts";
import { demoHome } from "../demo-home.ts";
import { blocksOf, documentPaths, ROOT } from "./blocks.ts";

interface Script {
  path: string;
  /** The command with its comment. */
  text: string;
  name: string;
  args: string[];
}

const scripts: Script[] = documentPaths().flatMap((path) =>
  blocksOf(path)
    .filter(({ notRun }) => notRun === "`test/documents/scripts.test.ts` runs it")
    .flatMap(({ commands }) => commands.map(({ text }) => scriptOf(path, text))),
);

/** `npm run bench -- --quick` is the script `bench` with `-- --quick`. */
function scriptOf(path: string, text: string): Script {
  const [, ...words] = text
    .replace(/\s#.*$/, "")
    .trim()
    .split(/\s+/);
  const [name, ...args] = words[0] === "run" ? words.slice(1) : words;
  return { path, text, name: name!, args };
}

/** A script that starts vitest must not take itself for one of our workers. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|POSTERN_TEST)/.test(name)));

const npm = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)("npm", args, { cwd: ROOT, env })).stdout;

const RUN: Record<string, (script: Script) => Promise<void>> = {
  // `test/package.test.ts` compares the output while a new home is filled; this home is already filled.
  async start({ args }) {
    const home = await demoHome();
    const given = args.map((word) => (word.startsWith("/tmp/") ? home : word));
    const server = spawn("npm", ["start", ...given, "--port", "0"], { cwd: ROOT, env, detached: true });
    const ended = once(server, "close");
    try {
      expect(await (await fetch(`${await readyAt(server.stdout)}/readyz`)).json()).toMatchObject({ status: "ready" });
    } finally {
      process.kill(-server.pid!, "SIGTERM");
      await ended;
      rmSync(home, { recursive: true, force: true });
    }
  },
  // The tests under every path already run in a full test run, so only the paths are checked. Without a path, a small
  // file is run to check how a run ends.
  async test({ args: [, ...paths] }) {
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    if (paths.length > 0) return;
    const printed = await npmTest();
    expect(printed.trimEnd().split("\n").at(-1)).toMatch(/^\d+ passed, 0 failed$/);
  },
  // A measurement takes up to an hour, so the program lists the sections that it would measure.
  async bench({ text, args }) {
    const printed = await npm("run", "--silent", "bench", ...(args.length === 0 ? ["--"] : args), "--list");
    expect(printed).toMatch(/^(?:[^\n]+ at 1[^\n]+\n)+$/);
    const options = text.match(/--[a-z]+/g) ?? [];
    expect(options.filter((option) => !USAGE.includes(`  ${option} `))).toEqual([]);
  },
  // The script installs eleven programs, so here it only lists their versions, which must be those in the table on the
  // page.
  async clients({ path }) {
    const page = readFileSync(join(ROOT, path), "utf8");
    const printed = [...(await npm("run", "--silent", "clients", "--", "--list")).matchAll(/^([\w ]+): (.*@.*)$/gm)];
    expect(printed.length).toBeGreaterThan(5);
    for (const [, client, packages] of printed) {
      const versions = packages!.split(", ").map((name) => name.slice(name.lastIndexOf("@") + 1));
      expect(page).toContain(`| ${client} | ${versions.join(", ")} |`);
    }
  },
};

let small: Promise<string> | undefined;
const npmTest = (): Promise<string> => (small ??= npm("test", "--", "src/core/time-buckets.test.ts"));

async function readyAt(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /^ready (http:\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error("npm start ended before the server was ready");
}

it("W-04 the documents have blocks that start, test and measure Postern, and that run real clients", () => {
  const names = scripts.map(({ name }) => name).toSorted();
  expect(names).toEqual(["bench", "bench", "clients", "start", "test", "test", "test", "test"]);
});

it.each(scripts)("W-04 $path: $text", (script) => RUN[script.name]!(script));
