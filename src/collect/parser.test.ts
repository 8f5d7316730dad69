// A parser process: if an importer fails on an entry, only that entry is lost, and the others are imported.
import { createHash } from "node:crypto";
import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { zipOf } from "./archive/archives.fixture.ts";
import { importWorld } from "./import.fixture.ts";
import { WAITS } from "./misbehaving.fixture.ts";

let world: ReturnType<typeof importWorld>;
beforeEach(() => {
  world = importWorld();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await world.close();
});

const HOUR = 3_600_000;

/**
 * The idle time is measured by a clock that advances by hours while a parser waits, so that a busy machine does not
 * make a parser look idle.
 */
async function skipWaiting(): Promise<void> {
  const waits = (): string[] => globSync(`scratch/**/${WAITS}`, { cwd: world.home });
  await expect.poll(waits).toHaveLength(1);
  const now = performance.now.bind(performance);
  let skipped = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    if (waits().length > 0) skipped += HOUR;
    return now() + skipped;
  });
}

const fileOf = (job: Awaited<ReturnType<typeof world.one>>, path: string) =>
  job.progress.files.find((file) => file.path === path);

/** Puts an entry that fails between two that do not. */
async function between(what: string, limits = {}) {
  world.put("in/a.lines", "a1 first\na2 second\n");
  world.put("in/b.lines", `b1 before\n!${what}\nb2 after\n`);
  world.put("in/c.lines", "c1 last\n");
  const [job] = await Promise.all([world.one(["in"], { limits }), what === "wait" && skipWaiting()]);
  const ids = (await world.records("lines")).map(({ id }) => id).sort();
  return { job, ids, broken: fileOf(job, "b.lines")! };
}

describe("SECURITY row 16: an importer", () => {
  test("SECURITY row 16 that throws loses the rest of that entry; earlier results are kept", async () => {
    const { job, ids, broken } = await between("throw");
    expect(job.status).toBe("succeeded");
    expect(ids).toEqual(["a1", "a2", "b1", "c1"]);
    expect(broken).toMatchObject({
      imported: 1,
      failed: 1,
      reasons: [{ reason: "the parser stumbled", failed: true }],
    });
    expect(job.progress.counts).toEqual({ imported: 4, changed: 0, unchanged: 0, skipped: 0, failed: 1 });
    expect(job.progress.files.map(({ path }) => path).sort()).toEqual(["a.lines", "b.lines", "c.lines"]);
  });

  test.each([
    ["hang", { silentCpuMs: 1000 }, /worked for 1 seconds of CPU time without a result/],
    ["wait", {}, /the parser sent nothing for 60 seconds/],
    ["heap", {}, /the parser needed more than 64 MB of heap/],
    ["bytes", {}, /the parser needed more than 200 MB of memory/],
    ["exit", {}, /the parser stopped/],
  ])(
    "SECURITY row 16 with the fault %s is terminated, its entry is reported, and the others are imported",
    async (what, limits, why) => {
      const { job, ids, broken } = await between(what, { ...limits, heapMb: 64, residentMb: 200 });
      expect(job.status).toBe("succeeded");
      expect(ids).toEqual(["a1", "a2", "c1"]);
      expect(broken.reasons[0]!.reason).toMatch(why);
      expect(job.progress.counts).toMatchObject({ imported: 3, failed: 1 });
    },
  );

  test("SECURITY row 16 that crashes one process after another is abandoned", async () => {
    for (let n = 10; n < 40; n++) world.put(`in/${n}.lines`, "!throw\n");
    const job = await world.one(["in"]);
    expect(job.status).toBe("failed");
    expect(job.progress.error).toBe("the parser stumbled");
    expect(job.progress.counts.failed).toBe(20);
  });

  test("that writes to an undeclared stream fails entirely, and is not retried forever", async () => {
    world.put("a.lines", "!undeclared\n");
    const job = await world.one(["a.lines"]);
    expect(job).toMatchObject({ status: "failed", progress: { error: 'no connection has a stream "others"' } });
  });

  test("that cannot plan has its files skipped, with the reason, and one that fails on a file's first bytes is ignored", async () => {
    world.put("in/unplannable.lines", "a1 x\n");
    world.put("in/a.stumble", "x");
    const { planned } = await world.bring(["in"]);
    expect(planned.groups).toEqual([]);
    expect(planned.left).toEqual([
      { path: "a.stumble", reason: "no importer supports this format" },
      { path: "unplannable.lines", reason: "lines: there is no plan", failed: true },
    ]);
  });

  test("P-05 an entry that is truncated during planning does not exclude others; its readable part is imported", async () => {
    const message = (id: number): string =>
      `From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b.example\nMessage-ID: <${id}@x>\n\n${createHash("shake256", { outputLength: 600 }).update(String(id)).digest("hex")}\n\n`;
    const many = (from: number): string => Array.from({ length: 20 }, (_, n) => message(from + n)).join("");
    world.put("mail/a.mbox", many(0));
    world.put("mail/b.mbox.gz", gzipSync(many(100)).subarray(0, 8000));
    world.put("mail/c.mbox", many(200));
    const { planned, jobs } = await world.bring(["mail"], { real: true });
    expect([planned.left, jobs.length]).toEqual([[], 1]);
    const { counts, files } = jobs[0]!.progress;
    expect(counts).toMatchObject({ skipped: 0, failed: 1 });
    expect(files.map(({ path, failed }) => [path, failed])).toEqual([
      ["a.mbox", 0],
      ["b.mbox.gz/b.mbox", 1],
      ["c.mbox", 0],
    ]);
    expect(files.map(({ imported }) => imported)).toEqual([20, expect.toSatisfy((one) => one > 3 && one < 20), 20]);
    // Messages that are also in a complete file are taken from that file, so a truncated copy loses nothing.
    world.put("mail/b2.mbox", many(100));
    const again = (await world.bring(["mail"], { real: true })).jobs[0]!.progress;
    expect(again.counts).toMatchObject({ failed: 1 });
    expect(await world.records("messages")).toHaveLength(60);
  });

  test("leaves no copy behind, even if it was killed", async () => {
    const inner = zipOf([{ name: "a.lines", content: "a1 x\n!hang\n" }]);
    world.put("outer.zip", zipOf([{ name: "inner.zip", content: inner }]));
    const job = await world.one(["outer.zip"], { limits: { silentCpuMs: 1000 } });
    expect(fileOf(job, "inner.zip/a.lines")!.failed).toBe(1);
    expect(readdirSync(join(world.home, "scratch"))).toEqual([]);
  });

  test("is stopped at once, and the next run resumes where it stopped", async () => {
    world.put("a.lines", `!wide 13000\n!checkpoint\n!wait\n`);
    const controller = new AbortController();
    const job = await world.one(["a.lines"], {
      signal: controller.signal,
      onProgress: ({ progress }) => void (progress.counts.imported > 0 && controller.abort()),
    });
    expect(job.status).toBe("paused");
    expect(job.progress.counts.imported).toBeGreaterThan(0);
    const [again] = await Promise.all([world.one(["a.lines"]), skipWaiting()]);
    expect(again.import_id).toBe(job.import_id);
    expect(again.progress.counts).toMatchObject({ imported: 13_000, unchanged: 0, failed: 1 });
  });
});
