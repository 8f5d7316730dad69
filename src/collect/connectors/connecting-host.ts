// An engine that runs connectors: what a server wraps its host in. All other calls go straight through.
import { PdppError } from "../../contract/errors.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost, JobHost } from "../../engine/host.ts";
import { Stopped } from "../schedules/scheduler.ts";
import { noteState } from "./run-place.ts";
import type { CollectOutcome, ConnectorRunner, RunnerOptions } from "./runner.ts";

export interface ConnectingHost extends EngineHost, JobHost {
  /** Runs the connector of a connection and waits for its end; refused while another run of it is open. */
  collect(...args: Parameters<ConnectorRunner["run"]>): Promise<CollectOutcome>;
  /** Resolves when no run is left. */
  collected(): Promise<void>;
}

/** How soon a command's note is found. */
const LOOK_MS = 500;

interface Answered {
  id: string;
  request_id: string;
  values?: Record<string, string>;
  remember?: boolean;
  refuse?: true;
}

export function connectingHost(options: RunnerOptions): ConnectingHost {
  const { home, host } = options;
  let loaded: Promise<ConnectorRunner> | undefined;
  let closed = false;
  /** As whom connectors are run here, if they are. */
  let as: Credential | undefined;
  /** Loaded when there is something to run: a start does not wait for it. */
  const runner = (): Promise<ConnectorRunner> => {
    loaded ??= import("./runner.ts").then(({ ConnectorRunner }) => new ConnectorRunner({ ...options, as: () => as }));
    return loaded;
  };
  let left: Promise<void> = Promise.resolve();
  let noted = noteState(home);
  // A command beside this server adds connectors, and asks for runs.
  const watch = setInterval(() => {
    const now = noteState(home);
    if (now === noted) return;
    noted = now;
    void runner().then((running) => running.wake());
  }, LOOK_MS).unref();

  async function answered(query: Answered): Promise<void> {
    const { id, request_id, values = {}, remember, refuse } = query;
    const running = await runner();
    if (remember && !refuse) {
      const { connection_id } = JSON.parse(await host.call("collectRun", { id }, { home: true })) as {
        connection_id: string;
      };
      await host.call("keepSecrets", { connection_id, secrets: values }, { home: true });
    }
    const answer = refuse ? undefined : values;
    if (as !== undefined) running.answer(id, request_id, answer);
    else await host.call("leaveAnswer", { id, request_id, ...(answer && { values: answer }) }, { home: true });
  }

  return {
    ...host,
    async call(method, query, credential, requestId) {
      const body = await host.call(method, query, credential, requestId);
      switch (method) {
        case "startCollect":
          if (!closed) (await runner()).wake();
          return body;
        case "cancelCollect":
          (await runner()).stopped((query as { id: string }).id);
          return body;
        case "answerCollect":
          await answered(query as Answered);
          return body;
        case "deleteConnection":
        case "removeSetup":
          (await loaded)?.leave((query as { connection_id: string }).connection_id);
          return body;
        case "collectLog": {
          const live = (await loaded)?.logOf((query as { id: string }).id);
          return live === undefined ? body : JSON.stringify(live);
        }
      }
      return body;
    },
    begin(credential) {
      as = credential;
      // Runs that wait, and those that somebody left behind: a home that was restored has no other sign of them.
      left = host
        .call("collectTasks", {}, { home: true })
        // Who could not look looks again.
        .catch(() => undefined)
        .then((tasks) => {
          if (tasks !== "[]" && !closed) void runner().then((running) => running.wake());
        });
    },
    async news() {
      await (await runner()).review();
    },
    async rest() {
      as = undefined;
      await left;
      const running = await loaded;
      loaded = undefined;
      await running?.close();
    },
    collect: async (...args) => (await runner()).run(...args),
    async collected() {
      await (await loaded)?.idle();
    },
    async close() {
      closed = true;
      clearInterval(watch);
      await left;
      await (await loaded)?.close();
      await host.close();
    },
  };
}

/** What a schedule does with a connection: answers what there is to say, throws with a reason. */
export const collectOnSchedule =
  ({ collect }: Pick<ConnectingHost, "collect">) =>
  async (connectionId: string, signal: AbortSignal): Promise<string> => {
    const { status, counts, error } = await collect(connectionId, { reason: "schedule", signal }).catch((failed) => {
      // Deleted with its connection while it ran.
      if (failed instanceof PdppError && failed.code === "not_found") throw new Stopped(failed.message);
      throw failed;
    });
    if (status === "cancelled") throw new Stopped(error?.message ?? "it was cancelled");
    if (status !== "succeeded") throw new Error(error?.message ?? `the run was ${status}`);
    const { created, changed, deleted, rejected } = counts;
    const refused = rejected === 0 ? "" : `, ${rejected} refused`;
    return `${created} new, ${changed} changed, ${deleted} deleted${refused}`;
  };
