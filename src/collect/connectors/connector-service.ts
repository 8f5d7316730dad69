// Runs connectors as jobs in a serving process: wakes the runner, and passes answers to a run.
import { PdppError } from "../../contract/errors.ts";
import type { Credential } from "../../engine/caller.ts";
import type { ConnectorAnswer, Services } from "../../engine/calls/services.ts";
import type { JobService } from "../../engine/jobs.ts";
import { Stopped } from "../schedules/scheduler.ts";
import { noteState } from "./run-folder.ts";
import type { CollectOutcome, ConnectorRunner, ConnectorRunnerOptions } from "./runner.ts";

export interface ConnectorService extends JobService {
  liveLog: Services["connectors"]["liveLog"];
  locate: Services["connectors"]["locate"];
  check: Services["connectors"]["check"];
  /**
   * Runs a connection's connector and waits until it ends. Refuses to start while another run of that connection is
   * open.
   */
  collect(...args: Parameters<ConnectorRunner["run"]>): Promise<CollectOutcome>;
}

/** How often to check whether a command has left a note. */
const POLL_MS = 500;

export function connectorService(options: ConnectorRunnerOptions): ConnectorService {
  const { home, host } = options;
  let loaded: Promise<ConnectorRunner> | undefined;
  let closed = false;
  /** The credential under which connectors run here, if any. */
  let as: Credential | undefined;
  /** Loaded on the first run, to keep startup fast. */
  const runner = (): Promise<ConnectorRunner> => {
    loaded ??= import("./runner.ts").then(({ ConnectorRunner }) => new ConnectorRunner({ ...options, as: () => as }));
    return loaded;
  };
  let left: Promise<void> = Promise.resolve();
  let noted = noteState(home);
  // A command outside this server can add connectors and request runs.
  const watch = setInterval(() => {
    const now = noteState(home);
    if (now === noted) return;
    noted = now;
    void runner().then((running) => running.wake());
  }, POLL_MS).unref();

  async function passAnswer({ id, request_id, values = {}, remember, refuse }: ConnectorAnswer): Promise<void> {
    const running = await runner();
    if (remember && !refuse) {
      const { connection_id } = await host.call("collectRun", { id }, { home: true });
      await host.call("keepSecrets", { connection_id, secrets: values }, { home: true });
    }
    const answer = refuse ? undefined : values;
    if (as !== undefined) running.answer(id, request_id, answer);
    else await host.call("leaveAnswer", { id, request_id, ...(answer && { values: answer }) }, { home: true });
  }

  return {
    effects: {
      async wakesConnectors() {
        if (!closed) (await runner()).wake();
      },
      stopsConnectorRun: async ({ id }) => (await runner()).stopped(id),
      answersConnector: passAnswer,
      removesConnector: async ({ connection_id }) => (await loaded)?.leave(connection_id),
    },
    liveLog: async (id) => (await loaded)?.logOf(id),
    async locate(named) {
      const { place, manifest } = await (await import("./manifest-file.ts")).locateConnector(named);
      return { place, manifest };
    },
    async check(place, settings, secrets) {
      const [{ connectorAt }, { checkConnector }] = await Promise.all([
        import("./manifest-file.ts"),
        import("./check-connector.ts"),
      ]);
      return checkConnector(await connectorAt(place), settings, secrets);
    },
    begin(credential) {
      as = credential;
      // Finds waiting runs and runs that a stopped process left behind. A restored home has no other sign of them.
      left = host
        .call("collectTasks", {}, { home: true })
        // If the runs cannot be listed now, the runner lists them later.
        .catch(() => undefined)
        .then((tasks) => {
          if (tasks?.length !== 0 && !closed) void runner().then((running) => running.wake());
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
    async idle() {
      await (await loaded)?.idle();
    },
    async close() {
      closed = true;
      clearInterval(watch);
      await left;
      await (await loaded)?.close();
    },
  };
}

/** Runs the connector of a scheduled connection. Returns a summary, or throws with a reason. */
export const collectOnSchedule =
  ({ collect }: Pick<ConnectorService, "collect">) =>
  async (connectionId: string, signal: AbortSignal): Promise<string> => {
    const { status, counts, error } = await collect(connectionId, { reason: "schedule", signal }).catch((failed) => {
      // The connection was deleted while its connector ran.
      if (failed instanceof PdppError && failed.code === "not_found") throw new Stopped(failed.message);
      throw failed;
    });
    if (status === "cancelled") throw new Stopped(error?.message ?? "it was cancelled");
    if (status !== "succeeded") throw new Error(error?.message ?? `the run was ${status}`);
    const { created, changed, deleted, rejected } = counts;
    const parts = [
      created === 0 ? "" : `${created} new`,
      changed === 0 ? "" : `${changed} changed`,
      deleted === 0 ? "" : `${deleted} deleted`,
      rejected === 0 ? "" : `${rejected} refused`,
    ].filter((part) => part !== "");
    return parts.length === 0 ? "nothing new" : parts.join(", ");
  };
