// Parsers that a malicious file has taken over: what they can reach, and when they are killed. Each parser is started
// as in the product.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { importWorld } from "../../src/collect/import.fixture.ts";
import { openParser } from "../../src/collect/parser.ts";
import { startSandboxed } from "../../src/sandbox/sandboxed-process.ts";
import { watch } from "../../src/sandbox/watchdog.ts";
import { ATTACKS, type Targets } from "./attacks.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SOURCES = [join(ROOT, "src"), join(ROOT, "test/hostile-parsers")];
const HOSTILE = { module: new URL("./hostile-importer.ts", import.meta.url).href, reads: SOURCES };

const folder = mkdtempSync(join(tmpdir(), "postern-hostile-"));
const reached: string[] = [];
const server = createServer((socket) => {
  reached.push("a connection");
  socket.destroy();
});
let targets: Targets;
let world: ReturnType<typeof importWorld>;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  world = importWorld();
  const database = join(folder, "other.db");
  const other = new DatabaseSync(database);
  other.exec("CREATE TABLE secret (a)");
  other.close();
  writeFileSync(join(folder, "beside"), "beside");
  const { port } = server.address() as { port: number };
  targets = { secret: join(world.home, "key"), beside: join(folder, "beside"), port, database };
  expect(existsSync(targets.secret)).toBe(true);
});
beforeEach(() => {
  reached.length = 0;
});
afterAll(async () => {
  server.close();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Imports these files and returns the records by name. */
async function imported(files: Record<string, string>, limits = {}, signal?: AbortSignal) {
  for (const [name, content] of Object.entries(files)) world.put(name, content);
  const names = Object.keys(files).map((name) => name.split("/")[0]!);
  return world.bring([...new Set(names)], { importers: HOSTILE, limits, ...(signal === undefined ? {} : { signal }) });
}

const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

describe("G-05 an importer taken over by a malicious file", () => {
  test("G-05 cannot reach files, network, programs, threads, native code, other processes or secrets", async () => {
    process.env.PDPP_TEST_SECRET = "not for parsers";
    try {
      await imported({ "attack.hostile": `attack\n${JSON.stringify(targets)}` });
    } finally {
      delete process.env.PDPP_TEST_SECRET;
    }
    const lines = (await world.records("lines")).map(({ data }) => data as { id: string; text: string });
    const outcomes = lines.filter(({ id }) => id.startsWith("attack.hostile ") && !id.endsWith("plain"));
    expect(outcomes).toHaveLength(Object.keys(ATTACKS).length);
    expect(outcomes.filter(({ text }) => text === "got through")).toEqual([]);
    expect(reached).toEqual([]);
  });

  test("G-05 an importer stuck in native code is killed at its CPU limit; its file is reported, and the next one is imported", async () => {
    const { jobs } = await imported({ "t/a1.hostile": "spin", "t/b1.hostile": "ok" }, { silentCpuMs: 1000 });
    expect(jobs[0]!.progress.files.map(({ path, imported, failed }) => [path, imported, failed])).toEqual(
      [
        ["b1.hostile", 1, 0],
        ["a1.hostile", 0, 1],
      ].sort(),
    );
    const broken = jobs[0]!.progress.files.find(({ failed }) => failed === 1)!;
    expect(broken.reasons[0]!.reason).toBe("the parser worked for 1 seconds of CPU time without a result");
    expect(
      childrenOf(process.pid).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--permission")),
    ).toEqual([]);
  });

  test("G-05 is killed at its memory limit", async () => {
    const { jobs } = await imported({ "m/a2.hostile": "fill", "m/b2.hostile": "ok" }, { residentMb: 250 });
    const broken = jobs[0]!.progress.files.find(({ failed }) => failed === 1)!;
    expect([broken.path, broken.reasons[0]!.reason]).toEqual([
      "a2.hostile",
      "the parser needed more than 250 MB of memory",
    ]);
    expect(jobs[0]!.progress.counts).toMatchObject({ imported: 1, failed: 1 });
  });

  test("G-05 an importer stuck in native code during planning loses only its own file; the others are planned and imported", async () => {
    const { planned, jobs } = await imported(
      { "p/a3.hostile": "plan-spin", "p/b3.hostile": "ok" },
      { silentCpuMs: 1000 },
    );
    expect(planned.left).toEqual([
      { path: "a3.hostile", reason: "the parser worked for 1 seconds of CPU time without a result", failed: true },
    ]);
    expect(jobs[0]!.progress.counts).toMatchObject({ imported: 1, failed: 0 });
  });

  test("G-05 an importer stuck in native code is killed when the import is cancelled", async () => {
    world.put("c.hostile", "spin");
    const parser = openParser({ home: world.home, given: [join(world.home, "../c.hostile")], importers: HOSTILE });
    const { groups } = await parser.plan({});
    const stop = new AbortController();
    const running = parser.run(
      { group: groups[0]!.group, answers: {}, broken: [] },
      { batch: async () => undefined, signal: stop.signal },
    );
    const [pid] = childrenOf(process.pid).filter((one) =>
      readFileSync(`/proc/${one}/cmdline`, "utf8").includes("--permission"),
    );
    const cpu = (): number => Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[13]);
    const before = cpu();
    while (cpu() < before + 50) await sleep(50);
    stop.abort();
    expect(await running).toEqual({ ended: "stopped" });
    expect(isAlive(pid!)).toBe(false);
    await parser.close();
  });

  test("G-05 an importer stuck in native code ends when its parent is killed", async () => {
    world.put("o.hostile", "spin");
    const home = join(folder, "home");
    const parent = spawn(process.execPath, [
      fileURLToPath(new URL("./orphan-parent.ts", import.meta.url)),
      home,
      join(world.home, "../o.hostile"),
      HOSTILE.module,
      ROOT,
    ]);
    const [said] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(said.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    await once(parent, "exit");
    while (isAlive(pid)) await sleep(20);
  });
});

describe("G-05 the process that extracts text from files", () => {
  const start = () =>
    startSandboxed({
      work: new URL("./attack-work.ts", import.meta.url),
      start: {},
      reads: SOURCES,
      writes: [],
      heapMb: 192,
      youngMb: 16,
    });

  test("G-05 cannot reach anything either", async () => {
    const child = await start();
    child.send({ targets });
    expect((await child.next())?.message).toEqual({ through: [], tried: Object.keys(ATTACKS).length });
    child.kill();
    await child.ended;
    expect(reached).toEqual([]);
  });

  test("G-05 an attempt to kill another process ends only the attacker", async () => {
    const victim = spawn("sleep", ["600"]);
    try {
      const child = await start();
      child.send({ attack: "kill", targets: { ...targets, victim: victim.pid } });
      expect((await child.ended).signal).toBe("SIGKILL");
      expect([isAlive(victim.pid!), victim.signalCode]).toEqual([true, null]);
    } finally {
      victim.kill("SIGKILL");
    }
  });

  test("G-05 is killed while it sends more than its parent reads", async () => {
    const child = await start();
    child.send({ attack: "flood", targets });
    let pieces = 0;
    child.onBytes = () => {
      pieces++;
    };
    // The parent has stopped reading once no more bytes arrive.
    for (let before = -1; before !== pieces || pieces === 0; await sleep(300)) before = pieces;
    expect((await child.end()).signal).toBe("SIGKILL");
  });

  test.each([
    ["spin", { residentMb: 512, silenceMs: 60_000, silentCpuMs: 1000 }, /CPU time/],
    ["fill", { residentMb: 250, silenceMs: 60_000, silentCpuMs: 30_000 }, /more than 250 MB/],
  ])("G-05 a process that exhausts CPU time or memory is killed: %s", async (attack, limits, why) => {
    const child = await start();
    const reason = new Promise<string>((resolve) => {
      const dog = watch(child.pid, limits, (text) => {
        child.kill();
        resolve(text);
      });
      dog.expect();
    });
    child.send({ attack, targets });
    expect(await reason).toMatch(why);
    expect((await child.ended).signal).toBe("SIGKILL");
    expect(await child.next()).toBeUndefined();
  });
});
