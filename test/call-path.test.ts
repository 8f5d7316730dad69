// D-01: checks on a running server that `query_records` follows the call path listed in docs/work/architecture.md, from
// the socket to SQLite.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { localHost } from "../src/engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../src/store/sqlite/sqlite-store.ts";
import { declaration } from "./non-interference/world.ts";

const OWNER = { home: true } as const;
const ROOT = new URL("..", import.meta.url);
const CALLS = 20;
const MOST = 20;

let home: string;
let coverage: string;
beforeAll(() => {
  [home, coverage] = [mkdtempSync(join(tmpdir(), "postern-path-")), mkdtempSync(join(tmpdir(), "postern-path-"))];
});
afterAll(() => {
  for (const folder of [home, coverage]) rmSync(folder, { recursive: true, force: true });
});

/** Returns the files in the columns "hands on" and "asks". */
function listed(): { handsOn: string[]; asks: string[] } {
  const text = readFileSync(new URL("docs/work/architecture.md", ROOT), "utf8");
  const rows = text.split("\n").filter((line) => /^\| \d+ /.test(line));
  const column = (at: number): string[] =>
    rows.flatMap((row) => [...row.split("|")[at]!.matchAll(/`(src\/[^`]+)`/g)].map((match) => match[1]!));
  return { handsOn: column(3), asks: column(4) };
}

/** Returns how many times the busiest function of each source file ran, across all threads. */
function mostRuns(): Map<string, number> {
  const runs = new Map<string, number>();
  for (const file of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, file), "utf8")) as {
      result: { url: string; functions: { ranges: { count: number }[] }[] }[];
    };
    for (const { url, functions } of result) {
      if (!url.startsWith(`${ROOT.href}src/`)) continue;
      const path = url.slice(ROOT.href.length);
      runs.set(path, Math.max(runs.get(path) ?? 0, ...functions.map(({ ranges }) => ranges[0]!.count)));
    }
  }
  return runs;
}

async function prepared(): Promise<{ token: string; stream: string }> {
  prepareHome(home);
  const host = localHost(openSqliteStore(home), { home, persist: false });
  await host.call("putConnector", { connector_key: "world", declaration }, OWNER);
  await host.call("createConnection", { connector_id: "world" }, OWNER);
  const { access_token } = await host.call("issueGrant", { all: true }, OWNER);
  await host.close();
  return { token: access_token, stream: declaration.streams[0]!.name };
}

it("D-01 a query_records call passes through at most 20 files", async () => {
  const { token, stream } = await prepared();
  // Runs the sources, because the build does not keep file names.
  const program = `import(${JSON.stringify(`${ROOT.href}src/surfaces/cli/cli.ts`)}).then(({ main }) => main(["serve", "--home", ${JSON.stringify(home)}, "--port", "0"]))`;
  const server = spawn(process.execPath, ["-e", program], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = await new Promise<string>((resolve) => {
    let text = "";
    server.stdout.on("data", (part: Buffer) => {
      text += part;
      const ready = /^ready (\S+)$/m.exec(text)?.[1];
      if (ready !== undefined) resolve(ready);
    });
  });
  for (let id = 0; id < CALLS; id++) {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { name: "query_records", arguments: { stream, limit: 5 } },
      }),
    });
    expect(await response.text()).toContain('"structuredContent"');
  }
  server.kill("SIGTERM");
  await ended;
  const { handsOn, asks } = listed();
  const runs = mostRuns();
  const idle = [...handsOn, ...asks].filter((file) => (runs.get(file) ?? 0) < CALLS);
  expect(idle).toEqual([]);
  expect(new Set(handsOn).size).toBe(handsOn.length);
  expect(handsOn.length).toBeLessThanOrEqual(MOST);
});
