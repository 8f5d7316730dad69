// Time from process start to `ready` on an empty home, compared with the smallest Hono server; and memory when idle.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { compare } from "../measure.ts";
import { inMs } from "../report.ts";
import { startPostern, startYardstick } from "../server.ts";

const ROUNDS = 11;
const IDLE_MS = 3000;
const IDLE_BYTES_MAX = 130 * 1024 * 1024;

export const start: Bench = {
  name: "start",
  async onAll() {
    const ours: number[] = [];
    const bare: number[] = [];
    const folder = mkdtempSync(join(tmpdir(), "postern-start-"));
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startPostern(join(folder, String(round)));
      ours.push(server.startMs);
      await server.stop();
      const yardstick = await startYardstick("hono-empty.js");
      bare.push(yardstick.startMs);
      await yardstick.stop();
    }
    const idle = await startPostern(join(folder, "idle"));
    await sleep(IDLE_MS);
    const bytes = idle.residentBytes();
    await idle.stop();
    rmSync(folder, { recursive: true });
    const { ratio, ...sides } = compare(ours, bare);
    const megabytes = (value: number): string => `${(value / 2 ** 20).toFixed(0)} MB`;
    return [
      {
        line: "process start to ready, empty home",
        size: "–",
        ratio,
        budget: { atMost: 4 },
        ours: inMs(sides.ours.median),
        yardstick: inMs(sides.yardstick.median),
        against: "the start of a bare Hono server",
      },
      {
        line: "memory of an idle server (RSS)",
        size: "–",
        ratio: bytes / IDLE_BYTES_MAX,
        budget: { atMost: 1 },
        ours: megabytes(bytes),
        yardstick: megabytes(IDLE_BYTES_MAX),
        against: "the budget",
      },
    ];
  },
};
