// The conformance kit: runs a connector in a home of its own and checks the requirements of the Collection Profile.
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CollectRun } from "../../contract/collect.ts";
import type { Settings } from "../../contract/connector.ts";
import { COLLECT } from "../../contract/limits.ts";
import { withDefaults } from "../../core/connector-check.ts";
import { counted } from "../../core/counted.ts";
import type { Credential } from "../../engine/caller.ts";
import { openHome } from "../../engine/home.ts";
import type { EngineHost } from "../../engine/host.ts";
import { grantBindings } from "./bindings.ts";
import { type ConnectorProcess, startProcess } from "./connector-process.ts";
import { commandOf, type LocatedConnector } from "./manifest-file.ts";
import { redactor } from "./redact.ts";
import { newScratch, removeScratch } from "./run-connector.ts";
import { ConnectorRunner } from "./runner.ts";

export interface ConformanceCheck {
  name: string;
  status: "pass" | "fail" | "skip";
  /** Why the check failed or was skipped, or what was observed. */
  reason: string;
}

export interface ConformanceOptions {
  connector: LocatedConnector;
  settings: Settings;
  secrets: Record<string, string>;
  onCheck?: (check: ConformanceCheck) => void;
}

const OWNER: Credential = { home: true };
/** How much of the previous chunk is kept, because a secret can span two chunks. */
const OVERLAP = 4096;

export async function testConnector(tested: ConformanceOptions): Promise<ConformanceCheck[]> {
  const folder = await mkdtemp(join(tmpdir(), "pdpp-conformance-"));
  const home = join(folder, "home");
  const host = openHome(home, { create: true, note: () => undefined });
  try {
    return await new ConformanceKit(tested, home, host).run();
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class ConformanceKit {
  readonly #tested: ConformanceOptions;
  readonly #home: string;
  readonly #host: EngineHost;
  readonly #checks: ConformanceCheck[] = [];
  readonly #leaks = new Set<string>();

  constructor(tested: ConformanceOptions, home: string, host: EngineHost) {
    this.#tested = tested;
    this.#home = home;
    this.#host = host;
  }

  async run(): Promise<ConformanceCheck[]> {
    const { connector, settings, secrets } = this.#tested;
    const { manifest, place } = connector;
    this.#check(
      "manifest",
      `${manifest.connector_key} ${manifest.version}, ${counted(manifest.declaration.streams.length, "stream")}`,
    );
    const query = { place, manifest, settings, secrets };
    const { connection_id } = await this.#host.call("putSetup", query, OWNER);
    const seen = { stdout: this.#listener("stdout"), stderr: this.#listener("stderr") };
    const runner = new ConnectorRunner({
      home: this.#home,
      host: this.#host,
      log: () => undefined,
      tap: { output: seen.stdout, log: seen.stderr },
    });
    try {
      await this.#runs(runner, connection_id);
    } finally {
      await runner.close();
    }
    await this.#stops("ends on SIGTERM", (process) => signal(process, "SIGTERM"));
    await this.#stops("ends when its pipes are closed", (process) => {
      process.hangUp();
      process.stdout.destroy();
      process.stderr.destroy();
    });
    this.#secrets();
    return this.#checks;
  }

  async #runs(runner: ConnectorRunner, connectionId: string): Promise<void> {
    const run = async (mode: CollectRun["mode"]): Promise<CollectRun> => {
      const { run_id } = await runner.run(connectionId, { mode });
      return await this.#host.call("collectRun", { id: run_id }, OWNER);
    };
    const first = await run("full_refresh");
    this.#ran("a full refresh succeeds", first);
    this.#check("DONE is last and counts correctly", ...ended(first));
    const { received, rejected } = first.counts;
    const [refused] = first.rejections;
    this.#check(
      "records match the declaration",
      `${received - rejected} of ${received}`,
      refused && `${rejected} of ${received} records were refused; line ${refused.line}: ${refused.message}`,
    );
    if (first.status !== "succeeded") {
      for (const name of ["keys stay the same", "cursors are sent", "an incremental run succeeds"])
        this.#skip(name, "the first run did not succeed");
      return;
    }
    const second = await run("full_refresh");
    const { created } = second.counts;
    const other =
      created === 0
        ? undefined
        : `${created} of ${second.counts.received} records have keys that the first run did not have`;
    this.#check(
      "keys stay the same",
      `${counted(second.counts.received, "record")} again`,
      second.error?.message ?? other,
    );
    const given = second.states;
    this.#check(
      "cursors are sent",
      given.join(", "),
      given.length === 0 ? "no STATE: every run would start over" : undefined,
    );
    const third = await run("incremental");
    this.#ran("an incremental run succeeds", third);
  }

  #ran(name: string, { status, counts, error }: CollectRun): void {
    const { received, created, changed, deleted } = counts;
    const failed = status === "succeeded" ? undefined : (error?.message ?? status);
    this.#check(name, `${counted(received, "record")}: ${created} new, ${changed} changed, ${deleted} deleted`, failed);
  }

  /** Starts the connector, waits for its first output, and checks that it stops. */
  async #stops(name: string, tell: (process: ConnectorProcess) => void): Promise<void> {
    const { connector, settings } = this.#tested;
    const { manifest } = connector;
    const scratch = await newScratch();
    try {
      const given = withDefaults(manifest.settings ?? [], settings);
      const bindings = grantBindings(manifest, { canAsk: true, scratch, settings: given });
      const process = startProcess(commandOf(connector), "conformance", scratch);
      process.stderr.resume();
      const streams = manifest.declaration.streams.map((stream) => ({ name: stream.name }));
      const start = {
        type: "START",
        run_id: "conformance",
        collection_mode: "full_refresh",
        scope: { streams },
        state: null,
        bindings,
      };
      process.send(start);
      await Promise.race([
        once(process.stdout, "data"),
        process.ended,
        sleep(COLLECT.startMs, undefined, { ref: false }),
      ]);
      tell(process);
      const over = await Promise.race([process.ended.then(() => true), sleep(COLLECT.graceMs, false, { ref: false })]);
      await process.stop();
      this.#check(
        name,
        "it does",
        over ? undefined : `it was still running after ${COLLECT.graceMs / 1000} s and had to be killed`,
      );
    } catch (error) {
      this.#check(name, "", (error as Error).message);
    } finally {
      await removeScratch(scratch);
    }
  }

  #listener(where: string): (part: Buffer) => void {
    const find = redactor(Object.values(this.#tested.secrets));
    let before = "";
    return (part) => {
      const text = before + part.toString("utf8");
      if (find.finds(text)) this.#leaks.add(where);
      before = text.slice(-OVERLAP);
    };
  }

  #secrets(): void {
    const name = "no secret is printed";
    if (Object.keys(this.#tested.secrets).length === 0) this.#skip(name, "no secret was set");
    else
      this.#check(
        name,
        "not on stdout or stderr",
        this.#leaks.size === 0 ? undefined : `on ${[...this.#leaks].join(" and ")}`,
      );
  }

  #check(name: string, seen: string, failed?: string): void {
    this.#add(failed === undefined ? { name, status: "pass", reason: seen } : { name, status: "fail", reason: failed });
  }

  #skip(name: string, reason: string): void {
    this.#add({ name, status: "skip", reason });
  }

  #add(check: ConformanceCheck): void {
    this.#checks.push(check);
    this.#tested.onCheck?.(check);
  }
}

/** Reports a problem with the last message of the run. */
function ended({ error, counts }: CollectRun): [seen: string, failed?: string] {
  const about = error?.code === "crashed" || (error?.code === "protocol_error" && error.message.includes("DONE"));
  return about ? ["", error!.message] : [counted(counts.received, "record")];
}

function signal({ pid }: ConnectorProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(process.platform === "win32" ? pid : -pid, name);
  } catch {
    // The process has already ended.
  }
}
