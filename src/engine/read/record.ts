// One record by id.
import { PdppError } from "../../contract/errors.ts";
import type { RecordQuery } from "../../contract/read.ts";
import { compilePlan, type Plan, reveal, type StoredRow } from "../../core/plan.ts";
import { theRow } from "../../core/scope.ts";
import { whyNotRecord } from "../../core/why.ts";
import { type Answer, type ReadContext, recordJson } from "./context.ts";
import { expanderFor } from "./expand.ts";

export async function readRecord(context: ReadContext, query: RecordQuery): Promise<Answer> {
  const row = theRow(context.caller.scope, query.stream, query.connection_id);
  const plan = compilePlan(row, { fields: query.fields });
  const expand = await expanderFor(context, row, query);
  const { stored, revealed } = await findRecord(context, plan, query.id);
  const expanded = expand && (await expand(stored));
  const records = 1 + (expanded?.records ?? 0);
  return { body: recordJson(row, revealed, { expanded: expanded?.json }), row, records, ids: [revealed.id] };
}

/** The response for a record outside the grant is exactly the same as for a record that does not exist. */
export async function findRecord(context: ReadContext, plan: Plan, id: string) {
  const stored: StoredRow | undefined = await context.view.point(plan, id);
  const revealed = stored && reveal(plan, stored);
  if (stored === undefined || revealed === undefined) {
    const why = whyNotRecord(plan.row);
    throw new PdppError("not_found", `no record ${JSON.stringify(id)} in ${plan.row.stream.name}`, {
      param: "id",
      next_step: `List the stream: GET /v1/streams/${encodeURIComponent(plan.row.stream.name)}/records?connection_id=${plan.row.stream.connectionId}`,
      ...(why === undefined ? {} : { why }),
    });
  }
  return { stored, revealed };
}
