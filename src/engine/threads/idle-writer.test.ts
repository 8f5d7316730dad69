// The writer's thread ends when there is nothing to write, and a new one starts with the next write.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { EngineHost } from "../host.ts";
import { threadedHost } from "./threaded-host.ts";

const OWNER = { home: true } as const;
const started: Worker[] = [];
const note = (worker: Worker): number => started.push(worker);
let home: string;
let host: EngineHost;
beforeEach(() => {
  started.length = 0;
  home = mkdtempSync(join(tmpdir(), "postern-idle-"));
  prepareHome(home);
  process.on("worker", note);
  host = threadedHost({ place: { home }, onFailure: () => {}, writerIdle: { firstMs: 20, againMs: 600_000 } });
});
afterEach(async () => {
  await host.close();
  process.off("worker", note);
  rmSync(home, { recursive: true, force: true });
});

it("O-09 an idle writer ends and releases its memory, and the next write starts another", async () => {
  await host.call("probeWrite", {}, OWNER);
  // The thread for rows started first. The keeper starts a moment after the first call.
  const [, writer] = started;
  await once(writer!, "exit");
  expect(await host.call("issueOwnerToken", {}, OWNER)).toHaveProperty("access_token");
  expect(started.length).toBeGreaterThan(2);
});

it("O-09 a writer that is needed again soon after the previous one ended stays open", async () => {
  await host.call("probeWrite", {}, OWNER);
  await once(started[1]!, "exit");
  await host.call("probeWrite", {}, OWNER);
  const exited = vi.fn();
  for (const worker of started) worker.on("exit", exited);
  // Several times as long as the first writer was idle.
  await sleep(200);
  await host.call("probeWrite", {}, OWNER);
  expect(exited).not.toHaveBeenCalled();
});
