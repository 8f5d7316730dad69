// How fresh the data is and, for the owner, the health of its source.

import { FILES_CONNECTOR } from "../../contract/file-access.ts";
import type { Freshness, Health } from "../../contract/schedule.ts";
import { freshnessOf, healthOf } from "../../core/freshness.ts";
import type { MethodContext } from "../calls/define.ts";
import type { CatalogConnection } from "../catalog.ts";
import { checkOf } from "../write/checks.ts";
import { lastRun } from "../write/collect-runs.ts";
import { CONNECTOR } from "../write/connection-items.ts";
import { plannedCheck } from "../write/schedules.ts";

type Context = Pick<MethodContext, "view" | "caller" | "now">;

/** The time of the last check against the source reveals nothing about hidden records. */
export async function readFreshness({ view, caller, now }: Context, connectionId: string): Promise<Freshness> {
  const { subjectId } = caller;
  const [check, planned] = await Promise.all([
    checkOf(view, subjectId, connectionId),
    plannedCheck(view, subjectId, connectionId),
  ]);
  return freshnessOf(check, planned, now);
}

export async function readHealth(
  { view, caller, now }: Context,
  { connectionId, connectorKey }: CatalogConnection,
  hasRecords: boolean,
): Promise<Health> {
  const { subjectId } = caller;
  const isConnector = (await view.item(subjectId, CONNECTOR, connectionId)) !== undefined;
  return healthOf(
    {
      connectionId,
      kind: connectorKey === FILES_CONNECTOR ? "disk" : isConnector ? "connector" : "hand",
      check: await checkOf(view, subjectId, connectionId),
      planned: await plannedCheck(view, subjectId, connectionId),
      ...(isConnector ? { question: (await lastRun(view, caller, connectionId))?.question?.message } : {}),
      hasRecords,
    },
    now,
  );
}
