// Looks up and deletes a caller's saved queries.
import { PdppError } from "../../contract/errors.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import type { QueryRow } from "./query-rows.ts";

/** False for an unnamed query that has expired, a day after its last use. */
export const isKept = ({ lens }: FileCall, { expires_at }: { expires_at: number | null }): boolean =>
  expires_at === null || expires_at > lens.now();

export async function ownQuery(call: FileCall, queryId: string): Promise<QueryRow> {
  const query = await call.lens.store.query(queryId);
  const isOpen =
    query !== undefined &&
    call.sees(query) &&
    isKept(call, query) &&
    (await call.roots()).some(({ indexIds }) => indexIds.includes(query.index_id));
  if (isOpen) return query;
  throw new PdppError("not_found", `there is no query ${JSON.stringify(queryId.slice(0, 60))}`, {
    param: "queryId",
    next_step: "Call query-list({}) to list your queries, or query-run with a filter to create one.",
  });
}

/** Deletes the query, but keeps the selection with its results. */
export async function queryDelete(
  call: FileCall,
  { queryId }: { queryId: string },
): Promise<FileAnswer<{ queryId: string; deleted: true }>> {
  const query = await ownQuery(call, queryId);
  const { root } = await call.index(query.index_id, "curate");
  await call.lens.store.deleteQuery(queryId);
  return { connectionId: root.connectionId, answer: { queryId, deleted: true } };
}
