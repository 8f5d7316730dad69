// Tests jobs that take longer than a click: they start once, show progress while they run, and store their result,
// success or failure.
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { testOwner } from "../../../test/postgres.ts";
import { PdppError } from "../../contract/errors.ts";
import { localHost } from "../../engine/local-host.ts";
import { openStore } from "../../store/place.ts";
import { type PageJobs, pageJobsOf } from "./page-jobs.ts";

it("P-06 a short job is done before the click gets its response", async () => {
  const pageJobs = pageJobsOf(() => undefined);
  expect(await pageJobs.last("none")).toBeUndefined();
  await pageJobs.start("short", async () => 42);
  expect(await pageJobs.last("short")).toMatchObject({ result: 42, endedAt: expect.any(String) });
});

it("P-06 a long job is started once, and reports its progress", async () => {
  const pageJobs = pageJobsOf(() => undefined);
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = 0;
  const work = (onProgress: (text: string) => void): Promise<string> => {
    begun++;
    onProgress("half");
    return promise;
  };
  await Promise.all([pageJobs.start("long", work), pageJobs.start("long", work)]);
  expect([begun, await pageJobs.last("long")]).toEqual([1, { startedAt: expect.any(String), progress: "half" }]);
  resolve("all");
  await expect.poll(async () => (await pageJobs.last("long"))?.result).toBe("all");
});

it("P-06 a job that fails says why, and what to do; details of an unexpected failure are only in the log", async () => {
  const log: string[] = [];
  const pageJobs = pageJobsOf((text) => log.push(text));
  await pageJobs.start("refused", async () => {
    throw new PdppError("storage_full", "the disk is full", { next_step: "Free some space." });
  });
  expect((await pageJobs.last("refused"))?.failed).toBe("The disk is full. Free some space.");
  await pageJobs.start("broken", async () => {
    throw new TypeError("secret detail");
  });
  expect((await pageJobs.last("broken"))?.failed).not.toContain("secret");
  expect(log.join()).toContain("secret detail");
});

it("P-07 a job of one process is reported by the other and not started again", async () => {
  const { url, subject, close } = await testOwner();
  const home = tmpdir();
  const open = async () => localHost(await openStore({ home, database: { url, subject } }), { home, persist: false });
  const hosts = [await open(), await open()] as const;
  const [here, there] = hosts.map((host) => pageJobsOf(() => undefined, host)) as [PageJobs, PageJobs];
  const { promise, resolve } = Promise.withResolvers<string>();
  await here.start("long", (onProgress) => {
    onProgress("half");
    return promise;
  });
  await there.start("long", () => Promise.reject(new Error("begun twice")));
  await expect.poll(() => there.last("long")).toEqual({ startedAt: expect.any(String), progress: "half" });
  resolve("all");
  await expect.poll(async () => (await there.last("long"))?.result).toBe("all");
  for (const host of hosts) await host.close();
  await close();
});

it("P-07 if the store is unavailable at the start, no job appears to be running", async () => {
  const { url, subject, close } = await testOwner();
  const home = tmpdir();
  const host = localHost(await openStore({ home, database: { url, subject } }), { home, persist: false });
  let isAway = true;
  const call: typeof host.call = (...asked) =>
    isAway ? Promise.reject(new PdppError("store_unavailable", "away")) : host.call(...asked);
  const pageJobs = pageJobsOf(() => undefined, { ...host, call });
  await expect(pageJobs.start("one", async () => 1)).rejects.toThrow("away");
  isAway = false;
  await pageJobs.start("one", async () => 2);
  expect((await pageJobs.last("one"))?.result).toBe(2);
  await host.close();
  await close();
});
