// Tests pausing, resuming, cancelling and queueing index jobs, and resuming them in the next process.
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { FileJob } from "../contract/files.ts";
import type { Files } from "./files.ts";
import { indexTree, makeTree, rescanTree, temporary, testFiles, totalsOf, walkedTotals } from "./tree.fixture.ts";

/** Enough files to observe a running scan. */
function manyFiles(root: string, dirs = 1500): void {
  for (let dir = 0; dir < dirs; dir++) {
    const path = join(root, `d${dir % 50}`, `e${dir}`);
    mkdirSync(path, { recursive: true });
    // The files are empty, because writing content to a slow disk would take longer than everything else.
    for (let file = 0; file < 2; file++) writeFileSync(join(path, `f${file}`), "");
  }
}

async function started(files: Files, root: string): Promise<FileJob> {
  const { rootId } = await files.addRoot({ path: root });
  return files.index({ rootId });
}

/** Waits until the job has found something, and returns whether it is still running. */
async function isUnderWay(files: Files, jobId: string): Promise<boolean> {
  for (;;) {
    const { status, progress } = await files.job(jobId);
    if (status !== "running" && status !== "queued") return false;
    if (progress.nodes > 0) return true;
    await sleep(1);
  }
}

/** The scanner processes that threads of this process have started. */
function scannersHere(): number[] {
  const started = readdirSync("/proc/self/task").flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  const isScanner = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("scanner");
  return started.filter(isScanner).sort();
}

/** A scan may finish before the pause arrives. If so, try again with another scan. */
async function pausedHalfWay(root: string) {
  for (;;) {
    const home = temporary("home");
    const files = testFiles(home, { commitMs: 1 });
    const { jobId, indexId } = await started(files, root);
    await isUnderWay(files, jobId);
    const paused = await files.pauseJob(jobId).catch(() => undefined);
    if (paused?.status === "paused") return { files, home, jobId, indexId };
  }
}

describe("P-05 an index job", () => {
  it("S-12 paused halfway shows the results so far, survives a restart and continues from there when resumed", async () => {
    const root = temporary("paused");
    manyFiles(root);
    const { files: first, home, jobId, indexId } = await pausedHalfWay(root);
    await sleep(100);
    const partial = await first.indexInfo(indexId);
    expect(partial).toMatchObject({ status: "partial", jobId });
    expect(partial.totals!.dirs).toBeGreaterThan(0);
    const { entries } = await first.children(indexId, partial.rootNodeId, { limit: 100 });
    expect(entries.length).toBeGreaterThan(0);
    expect((await first.find(indexId, { filter: { kind: "dir" } })).matches.nodes).toBeGreaterThan(0);
    await first.close();

    const files = testFiles(home);
    expect(await files.job(jobId)).toMatchObject({ status: "paused" });
    expect((await files.node(indexId, entries[0]!.nodeId)).name).toBe(entries[0]!.name);
    await files.resumeJob(jobId);
    expect(await files.jobEnded(jobId)).toMatchObject({ status: "succeeded", jobId });
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
    expect((await files.node(indexId, entries[0]!.nodeId)).name).toBe(entries[0]!.name);
    expect((await files.indexInfo(indexId)).status).toBe("complete");
  });

  it("continues after its caller stops waiting", async () => {
    const root = temporary("left");
    manyFiles(root);
    const { files, jobId } = await pausedHalfWay(root);
    const leave = new AbortController();
    const waiting = files.jobEnded(jobId, leave.signal);
    leave.abort(new Error("the server stops"));
    await expect(waiting).rejects.toThrow("the server stops");
    expect(await files.job(jobId)).toMatchObject({ status: "paused" });
  });

  it("is continued by the next process when this one ends", async () => {
    const [root, home] = [temporary("ended"), temporary("home")];
    manyFiles(root);
    const first = testFiles(home, { commitMs: 1 });
    const { jobId, indexId } = await started(first, root);
    await isUnderWay(first, jobId);
    await first.close();
    const files = testFiles(home);
    expect(await files.jobEnded(jobId)).toMatchObject({ status: "succeeded" });
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
  });

  it("keeps the results so far if a first scan is cancelled, and leaves the index unchanged if a rescan is; both can be repeated", async () => {
    const root = temporary("cancelled");
    manyFiles(root);
    const files = testFiles();
    const { jobId, indexId } = await started(files, root);
    await isUnderWay(files, jobId);
    expect(await files.cancelJob(jobId)).toMatchObject({ status: "cancelled" });
    expect((await files.indexInfo(indexId)).status).toBe("partial");
    await expect(files.resumeJob(jobId)).rejects.toMatchObject({
      code: "invalid_request",
      message: `the job ${jobId} is already cancelled`,
    });
    await files.jobEnded((await files.rescan(indexId)).jobId);
    const before = await totalsOf(files, indexId);
    expect(before).toEqual(walkedTotals(root));
    makeTree(root, { "new/file": 5 });
    const again = await files.rescan(indexId, { verify: true });
    await isUnderWay(files, again.jobId);
    await files.cancelJob(again.jobId);
    expect(await totalsOf(files, indexId)).toEqual(before);
    await files.jobEnded((await files.rescan(indexId)).jobId);
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
  });

  it("runs once per index at a time; jobs for other indexes wait, and all finish", async () => {
    const roots = [temporary("one"), temporary("two"), temporary("three")];
    for (const root of roots) manyFiles(root, 100);
    const files = testFiles();
    const jobs = await Promise.all(roots.map((root) => started(files, root)));
    expect((await started(files, roots[1]!)).jobId).toBe(jobs[1]!.jobId);
    const statuses = (await files.jobs()).map(({ status }) => status);
    expect(statuses.filter((status) => status === "running").length).toBeLessThanOrEqual(1);
    for (const { jobId, indexId } of jobs) {
      expect(await files.jobEnded(jobId)).toMatchObject({ status: "succeeded", indexId });
    }
    expect(new Set((await files.indexes()).map(({ rootId }) => rootId)).size).toBe(3);
    await expect(files.job("job_nope")).rejects.toMatchObject({ code: "not_found" });
  });

  it("reports its progress, and estimates the remaining time from the previous scan", async () => {
    const root = temporary("told");
    manyFiles(root);
    const files = testFiles();
    const { indexId } = await indexTree(files, root);
    const reported: FileJob[] = [];
    const forget = files.onJob((job) => reported.push(job));
    const { jobId } = await files.rescan(indexId, { verify: true });
    const end = await files.jobEnded(jobId);
    forget();
    expect(end.progress).toMatchObject({ files: 3000, dirs: 1550, nodes: 4550, percent: 100, bytes: 0 });
    expect(reported.at(-1)).toEqual(end);
    for (const { progress } of reported.filter(({ progress: { percent } }) => percent !== undefined))
      expect(progress.percent).toBeLessThanOrEqual(100);
  });

  it.skipIf(process.platform !== "linux")(
    "passes its scanner processes on to the next scan, and they do not touch the disk in between",
    async () => {
      const root = temporary("kept");
      manyFiles(root);
      const files = testFiles();
      const { indexId } = await indexTree(files, root);
      const first = scannersHere();
      expect(first.length).toBeGreaterThan(0);
      while (first.some((pid) => readlinkSync(`/proc/${pid}/cwd`) !== "/")) await sleep(5);
      writeFileSync(join(root, "new"), "");
      await rescanTree(files, indexId, { verify: true });
      expect(scannersHere()).toEqual(first);
      expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
      await files.close();
      expect(scannersHere()).toEqual([]);
    },
  );

  it("ends when its root is removed: the indexes are deleted, but nothing in the root is", async () => {
    const root = temporary("removed");
    manyFiles(root, 500);
    const files = testFiles();
    const { indexId } = await indexTree(files, root);
    const { jobId } = await files.rescan(indexId, { verify: true });
    await files.removeRoot((await files.roots())[0]!.rootId);
    expect(await files.roots()).toEqual([]);
    await expect(files.indexInfo(indexId)).rejects.toMatchObject({ code: "not_found" });
    await expect(files.job(jobId)).rejects.toMatchObject({ code: "not_found" });
    expect(walkedTotals(root).files).toBe(1000);
    const again = await indexTree(files, root);
    expect(again.indexId).not.toBe(indexId);
  });
});
