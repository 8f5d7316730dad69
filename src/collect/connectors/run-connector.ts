// One connector run: checks the requirements, starts the connector, reads its output, and cleans up.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CollectError, CollectLog, CollectRun } from "../../contract/collect.ts";
import { PdppError } from "../../contract/errors.ts";
import type { JsonValue } from "../../contract/record.ts";
import { missingSettings, withDefaults } from "../../core/connector-check.ts";
import type { RunnableSetup } from "../../engine/write/connector-setups.ts";
import { asksForMore, grantBindings } from "./bindings.ts";
import { startProcess } from "./connector-process.ts";
import { type ConversationOptions, type ConversationResult, runConversation } from "./conversation.ts";
import { logTail } from "./log-tail.ts";
import { commandOf, connectorAt, type LocatedConnector } from "./manifest-file.ts";
import { type AskOwner, questioning } from "./questions.ts";
import { redactor } from "./redact.ts";

export interface ConnectorRun extends Pick<ConversationOptions, "store" | "progress" | "stopped" | "tap"> {
  runId: string;
  /** `check` only signs in and reads no records. */
  mode: CollectRun["mode"] | "check";
  connector: LocatedConnector;
  setup: Pick<RunnableSetup, "settings" | "opened" | "id_key" | "state">;
  scratch: string;
  /** Absent if there is no one to ask. */
  ask?: AskOwner;
  spawned?: (pid: number) => void;
  /** Gives access to the log while the connector runs. */
  onLog?: (read: () => Pick<CollectLog, "text" | "truncated">) => void;
  tapLog?: (part: Buffer) => void;
  now: () => number;
}

export interface RunEnd extends ConversationResult {
  log: Pick<CollectLog, "text" | "truncated">;
}

/** Outside the home, because the connector must not learn where the home is. */
export const newScratch = (): Promise<string> => mkdtemp(join(tmpdir(), "pdpp-run-"));

export const removeScratch = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });

export async function runConnector(run: ConnectorRun): Promise<RunEnd> {
  const { runId, mode, connector, setup, scratch, stopped, now } = run;
  const { manifest } = connector;
  const defined = manifest.settings ?? [];
  const settings = withDefaults(defined, setup.settings);
  const missing = missingSettings(defined, settings, Object.keys(setup.opened)).find(
    // A missing secret can be requested during the run.
    ({ secret }) => !secret || run.ask === undefined || manifest.bindings.interactive === undefined,
  );
  if (missing !== undefined) {
    return notReady(`${missing.name} is not set (${missing.title})`);
  }
  let bindings: ReturnType<typeof grantBindings>;
  try {
    bindings = grantBindings(manifest, { canAsk: run.ask !== undefined, scratch, settings });
  } catch (error) {
    return notReady((error as Error).message);
  }
  const redact = redactor([...Object.values(setup.opened), ...(setup.id_key === undefined ? [] : [setup.id_key])]);
  const remarks: string[] = [];
  const log = logTail(redact);
  run.onLog?.(log.read);
  const process = startProcess(commandOf(connector), runId, scratch);
  process.stderr.on("data", (part: Buffer) => {
    run.tapLog?.(part);
    log.add(part);
  });
  if (process.pid !== undefined) run.spawned?.(process.pid);
  const streams = manifest.declaration.streams.map(({ name }) => ({ name }));
  process.send({
    type: "START",
    run_id: runId,
    collection_mode: mode,
    scope: { streams },
    state: mode !== "incremental" ? null : stateFor(setup.state, streams),
    bindings,
    ...(setup.id_key === undefined ? {} : { id_key: setup.id_key }),
  });
  const interactive = manifest.bindings.interactive !== undefined;
  const answer = questioning({
    manifest,
    settings,
    secrets: setup.opened,
    ...(run.ask !== undefined && interactive ? { ask: run.ask } : {}),
    redact,
    remark: (text) => remarks.push(text),
    now,
    signal: stopped,
  });
  const { store, progress, tap } = run;
  const result = await runConversation({ manifest, process, redact, store, progress, tap, answer, stopped, remarks });
  return { ...result, log: log.read() };
}

/** Selects the connector's own streams, because the state also contains entries of other parts of the server. */
function stateFor(
  state: RunnableSetup["state"],
  streams: readonly { name: string }[],
): Record<string, JsonValue> | null {
  const own = streams.flatMap(({ name }): [string, JsonValue][] =>
    state[name] === undefined ? [] : [[name, state[name]]],
  );
  return own.length === 0 ? null : Object.fromEntries(own);
}

/** The result of a run that was never started. */
export function notReady(message: string, code: CollectError["code"] = "not_ready"): RunEnd {
  return {
    status: "failed",
    error: { code, message },
    states: {},
    report: { skipped: [], coverage: [], gaps: [], remarks: [], left_out: 0 },
    log: { text: "", truncated: false },
  };
}

/** Returns the connector as it is on disk now. Without new consent, it gets only the permissions that were approved. */
export async function currentConnector({
  place,
  manifest,
}: RunnableSetup): Promise<LocatedConnector & { changed: boolean }> {
  const found = await connectorAt(place);
  const changed = JSON.stringify(found.manifest) !== JSON.stringify(manifest);
  const more = changed && !found.builtIn ? asksForMore(manifest, found.manifest) : undefined;
  if (more !== undefined)
    throw new PdppError(
      "invalid_request",
      `${found.manifest.display_name} has changed since it was added: ${more} is different`,
      {
        next_step: `Review it and approve it again: \`pdpp connectors add ${place} --connection ID\`.`,
      },
    );
  return { ...found, changed };
}
