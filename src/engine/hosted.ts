// Restrictions for an owner who shares an operator's server with others. Calls that contain a path on the server's
// machine, run programs that read its files, or reach into its network are refused here, whichever surface they arrive
// through.
import { PdppError } from "../contract/errors.ts";
import { callNamed } from "./calls/calls.ts";
import { changeAnswer, type EngineHost, hostAround } from "./host.ts";
import type { Housekeeping } from "./housekeeping.ts";

export const notHosted = (why: string): PdppError =>
  new PdppError("not_found", `this server has many owners: ${why}`, {
    next_step: "Ask its operator. Files can be uploaded on the dashboard's Import page, or with POST /v1/imports.",
  });

export function hostedEngine(host: EngineHost): EngineHost {
  return hostAround(host, (next) => async (name, query, credential, requestId) => {
    const { notHosted: reason, hosted } = callNamed(name);
    if (reason !== undefined) {
      await host.call("admit", { owner: true }, credential, requestId);
      throw notHosted(reason);
    }
    const text = await next(name, query, credential, requestId);
    return hosted === undefined ? text : changeAnswer(text, hosted);
  });
}

const ofOperator = async (): Promise<never> => {
  throw notHosted("its operator is responsible for backups and health checks");
};

export const hostedHousekeeping = ({ version }: Housekeeping): Housekeeping => ({
  version,
  examine: ofOperator,
  backUp: ofOperator,
  backups: async () => [],
  archive: ofOperator,
  restore: ofOperator,
  plan: async () => undefined,
  followPlan: async () => undefined,
});
