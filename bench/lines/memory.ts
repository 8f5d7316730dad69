// Resident memory of a server: at the start, after a mixed workload, and after an idle period (O-09).
import type { Bench } from "../bench.ts";
import { runMixed } from "../mixed-load.ts";
import type { Result } from "../report.ts";
import { issueToken, startPostern } from "../server.ts";

const ROUNDS = 1500;
const IDLE_MS = 30_000;
const MEGABYTE = 2 ** 20;

export const memory: Bench = {
  name: "memory",
  async onHome({ name, path, records }) {
    const token = await issueToken(path, "grant");
    const server = await startPostern(path);
    const levels = { "at the start": server.residentBytes() } as Record<string, number>;
    await runMixed({ port: server.port, token, records }, ROUNDS);
    levels["after the mixed workload"] = server.residentBytes();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    levels["half a minute after the workload"] = server.residentBytes();
    await server.stop();
    const goal = (records >= 1_000_000 ? 600 : 300) * MEGABYTE;
    return Object.entries(levels).map(
      ([when, bytes]): Result => ({
        line: `resident memory of a server ${when}`,
        size: name,
        ratio: bytes / goal,
        ...(when.startsWith("after") ? { budget: { atMost: 1 } } : {}),
        ours: `${Math.round(bytes / MEGABYTE)} MB`,
        yardstick: `${goal / MEGABYTE} MB`,
        against: "the budget",
      }),
    );
  },
};
