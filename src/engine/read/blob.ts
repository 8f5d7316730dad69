// A blob's place and size, given only through a readable record that refers to it.
import { PdppError } from "../../contract/errors.ts";
import type { BlobQuery } from "../../contract/read.ts";
import { compilePlan, reveal } from "../../core/plan.ts";
import { isOwner, rowsOf } from "../../core/scope.ts";
import { whyNotBlob } from "../../core/why.ts";
import type { BlobRow } from "../../store/store.ts";
import type { Answer, ReadContext } from "./context.ts";

export async function readBlob({ view, caller }: ReadContext, query: BlobQuery): Promise<Answer<BlobRow>> {
  const rows = rowsOf(caller.scope, query.connection_id);
  const blob = await view.blob(query.blob_id);
  for (const use of blob ? await view.blobUses(query.blob_id) : []) {
    for (const row of rows) {
      if (row.stream.streamNo !== use.streamNo || !(row.fields?.has(use.field) ?? true)) continue;
      const plan = compilePlan(row);
      const stored = await view.point(plan, use.recordId);
      if (stored && reveal(plan, stored)) return { body: JSON.stringify(blob), row, records: 1 };
    }
  }
  throw new PdppError("blob_not_found", `no readable record refers to ${JSON.stringify(query.blob_id)}`, {
    param: "blob_id",
    ...(isOwner(caller.scope) ? {} : { why: whyNotBlob(caller.scope) }),
  });
}
