// Scanning threads have a lower priority than those that serve point reads and execute writes.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { EngineHost } from "../host.ts";
import { threadedHost } from "./threaded-host.ts";

const OWNER = { home: true } as const;
let home: string;
let host: EngineHost;
/** Threads of other tests in this process. */
let others: Set<string>;
beforeEach(() => {
  others = new Set(nice().keys());
  home = mkdtempSync(join(tmpdir(), "postern-priority-"));
  prepareHome(home);
  host = threadedHost({ place: { home }, onFailure: () => {} });
});
afterEach(async () => {
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

/** The nice value of each of this process's threads. */
function nice(): Map<string, number> {
  const threads = readdirSync("/proc/self/task");
  // Field 19. The name in field 2 may contain spaces.
  const value = (id: string): number =>
    Number(readFileSync(`/proc/self/task/${id}/stat`, "utf8").split(") ")[1]!.split(" ")[16]);
  return new Map(threads.map((id) => [id, value(id)]));
}

it.runIf(process.platform === "linux")(
  "D-05 scanning threads have a lower priority than those that serve point reads",
  async () => {
    const own = nice().get(String(process.pid))!;
    const lowered = (): number => [...nice()].filter(([id, value]) => value > own && !others.has(id)).length;
    await host.call("connections", {}, OWNER);
    await host.call("probeWrite", {}, OWNER);
    // The threads for rows and writes keep their priority. The keeper may have started.
    expect(lowered()).toBeLessThanOrEqual(1);
    await host.call("streams", {}, OWNER);
    await host.call("verifyActivity", {}, OWNER);
    expect(lowered()).toBeGreaterThanOrEqual(2);
  },
);
