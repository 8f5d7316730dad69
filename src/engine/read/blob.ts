// A blob's location and size, available only through a readable record that refers to the blob.
import { PdppError } from "../../contract/errors.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { BlobQuery } from "../../contract/read.ts";
import { compilePlan, revealData } from "../../core/plan.ts";
import { isOwner, rowsOf } from "../../core/scope.ts";
import { whyNotBlob } from "../../core/why.ts";
import type { BlobRow } from "../../store/rows.ts";
import type { Answer, ReadContext } from "./context.ts";

export async function readBlob({ view, caller }: ReadContext, query: BlobQuery): Promise<Answer<BlobRow>> {
  const rows = rowsOf(caller.scope, query.connection_id);
  const blob = await view.blob(query.blob_id);
  for (const use of blob ? await view.blobUses(query.blob_id) : []) {
    for (const row of rows) {
      if (row.stream.streamNo !== use.streamNo || !(row.fields?.has(use.field) ?? true)) continue;
      const plan = compilePlan(row);
      const stored = await view.point(plan, use.recordId);
      const data = stored && revealData(plan, stored);
      if (data === undefined) continue;
      // Uses the type from this record, because the stored type may come from a hidden record with the same bytes
      // (G-01).
      const mimeType = typeIn(data[use.field], query.blob_id) ?? blob!.mimeType;
      return { body: JSON.stringify({ ...blob, mimeType }), row, records: 1, ids: [use.recordId] };
    }
  }
  throw new PdppError("blob_not_found", `no readable record refers to ${JSON.stringify(query.blob_id)}`, {
    param: "blob_id",
    ...(isOwner(caller.scope) ? {} : { why: whyNotBlob(caller.scope) }),
  });
}

/** The type in the reference to the blob, at any depth inside the field. */
function typeIn(value: JsonValue | undefined, blobId: string): string | undefined {
  if (value === null || typeof value !== "object") return undefined;
  const { blob_id, mime_type } = value as JsonObject;
  if (blob_id === blobId) return typeof mime_type === "string" ? mime_type : undefined;
  for (const inner of Object.values(value)) {
    const found = typeIn(inner, blobId);
    if (found !== undefined) return found;
  }
  return undefined;
}
