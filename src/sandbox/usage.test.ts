// Tests how the memory and processor time of a process are measured with `ps` and /proc.
import { expect, test } from "vitest";
import { psUsage, usageOf } from "./usage.ts";

test("G-05 ps reports a process's memory and processor time, for systems without /proc", async () => {
  // Use more than a second of processor time, because ps counts in seconds.
  while (process.cpuUsage().user < 1_200_000);
  const { residentBytes, cpuMs } = (await psUsage(process.pid))!;
  expect(residentBytes).toBeGreaterThan(10 * 1024 * 1024);
  expect(cpuMs).toBeGreaterThanOrEqual(1000);
  const now = (await usageOf(process.pid))!;
  expect(now.cpuMs).toBeGreaterThanOrEqual(cpuMs);
  expect(await psUsage(2 ** 22 + 1)).toBeUndefined();
});
