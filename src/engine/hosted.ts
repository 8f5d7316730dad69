// One of many owners on somebody's server: its machine and its network are the operator's. Whatever names a path there, has
// a program run that reads its files, or reaches into the network is refused here, whichever surface it was asked through.
import { PdppError } from "../contract/errors.ts";
import type { Sending } from "./events/delivery.ts";
import type { EngineHost } from "./host.ts";
import type { Housekeeping } from "./housekeeping.ts";
import type { MethodName } from "./methods.ts";
import type { RunnableSetup } from "./write/connector-setups.ts";

/** Calls that are the operator's, and why. */
const REFUSED: Partial<Record<MethodName, string>> = {
  watchFolder: "folders of its machine are not watched",
  putSetup: "connectors are added by who runs it",
  // They say where it connects to, and its secrets go there.
  putSettings: "connectors are set up by who runs it",
  allowEventHost: "events are not sent into its own network",
};

export const notHosted = (why: string): PdppError =>
  new PdppError("not_found", `this server has many owners: ${why}`, {
    next_step: "Ask who runs it. Files can be sent: on the dashboard's Import page, or with POST /v1/imports.",
  });

export function hostedEngine(host: EngineHost): EngineHost {
  return {
    ...host,
    async call(method, query, credential, requestId) {
      const why = REFUSED[method];
      if (why !== undefined) {
        await host.call("admit", { owner: true }, credential, requestId);
        throw notHosted(why);
      }
      const body = await host.call(method, query, credential, requestId);
      // What follows may have come along with a home from elsewhere. Every event is sent as this says:
      if (method === "eventToSend") return withoutLeave(body);
      // Every run begins with it.
      if (method === "runnableSetup" && (JSON.parse(body) as RunnableSetup).manifest.bindings.filesystem !== undefined)
        throw notHosted("connectors that read files of its machine are not run");
      return body;
    },
  };
}

function withoutLeave(body: string): string {
  const sending = JSON.parse(body) as Sending | null;
  return JSON.stringify(sending && { ...sending, allowed: false });
}

const ofOperator = async (): Promise<never> => {
  throw notHosted("backups and its health are matters of who runs it");
};

export const hostedHouse = ({ version }: Housekeeping): Housekeeping => ({
  version,
  examine: ofOperator,
  backUp: ofOperator,
  backups: async () => [],
});
