// The server as a process: where it starts, where it refuses to start, and how it stops.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pdpp, type Serving, serve } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-serve-"));
const home = join(folder, "home");
let server: Serving;

beforeAll(async () => {
  server = await serve(home);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.runIf(process.platform === "linux")(
  "O-09 the threads of a server share one malloc arena, and the main thread's young generation is limited",
  () => {
    // The server has the id of the process that was started, so signals still reach it.
    const environment = readFileSync(`/proc/${server.pid}/environ`, "utf8").split("\0");
    expect(environment).toContain("MALLOC_ARENA_MAX=1");
    expect(readFileSync(`/proc/${server.pid}/cmdline`, "utf8").split("\0")).toContain("--max-semi-space-size=8");
  },
);

it("stops cleanly, even if it receives several signals", async () => {
  const own = join(folder, "stopped");
  const stopped = await serve(own);
  expect(await stopped.stop("SIGINT", "SIGINT", "SIGTERM")).toBe(0);
  expect(readdirSync(own).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([]);
});

it("refuses to start in a directory with other files, in a backup or on a port in use, and changes nothing", async () => {
  const full = join(folder, "photos");
  mkdirSync(full);
  writeFileSync(join(full, "cat.jpg"), "x");
  const copy = join(folder, "it's a copy");
  await pdpp(["backup", copy, "--home", home]);
  const before = readdirSync(copy);
  const fresh = join(folder, "fresh");
  const [foreign, backup, taken, remoteServe] = await Promise.all([
    pdpp(["serve", "--home", full, "--port", "0"]),
    pdpp(["serve", "--home", copy, "--port", "0"]),
    pdpp(["serve", "--home", fresh, "--port", new URL(server.url).port]),
    pdpp(["serve", "--home", fresh, "--server", server.url]),
  ]);
  expect([foreign.code, foreign.stderr]).toEqual([6, expect.stringContaining("--home")]);
  expect(readdirSync(full)).toEqual(["cat.jpg"]);
  expect([backup.code, backup.stderr]).toEqual([
    6,
    expect.stringMatching(/pdpp restore '.*it'\\''s a copy' --home NEW/),
  ]);
  expect(readdirSync(copy)).toEqual(before);
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining("is taken")]);
  expect([remoteServe.code, existsSync(fresh)]).toEqual([2, false]);
  expect((await pdpp(["serve", "--help"])).stdout).not.toMatch(/--server|--token/);
});

it("speaks http, and says so to a caller that uses https", async () => {
  const run = await pdpp(["schema", "--server", server.url.replace("http:", "https:"), "--token", "t"]);
  expect([run.code, run.stderr]).toEqual([1, expect.stringContaining("it does not speak https; try http")]);
});

it("a second server on the same home exits with code 6", async () => {
  const second = await pdpp(["serve", "--home", home, "--port", "0"]);
  expect([second.code, second.stdout]).toEqual([6, ""]);
});

it("P-07 multi-owner mode refuses single-owner options and invalid options", async () => {
  const none = join(folder, "none");
  const star = (url: string, env: Record<string, string> = {}, ...more: string[]) =>
    pdpp(["serve", "--home", none, "--port", "0", "--public-url", url, ...more], {
      env: { DATABASE_URL: "postgres://127.0.0.1:1/none", AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", ...env },
    });
  const runs = await Promise.all([
    star("https://*.data.example/path"),
    star("https://*.data.example", {}, "--demo"),
    star("https://*.data.example", { PDPP_OWNER: "alice" }),
    star("https://*.data.example", { PDPP_OBJECTS: "s3://b/p?endpoint=http://127.0.0.1:1&region=us-east-1" }),
    star("https://*.data.example", { PDPP_OBJECTS: "relative/folder" }),
  ]);
  for (const [n, words] of [
    "must not have a path",
    "--demo",
    "PDPP_OWNER",
    "AWS_ACCESS_KEY_ID",
    "PDPP_OBJECTS",
  ].entries())
    expect([runs[n]!.code, runs[n]!.stderr]).toEqual([2, expect.stringContaining(words)]);
  expect(existsSync(none)).toBe(false);
});
