// Authorizes each call from the files lens under its grants, and logs it.
import type { z } from "zod";
import type { FilesBearer, fileCall, fileServed, filesEntry } from "../../contract/file-calls.ts";
import { fileRoots, requirePower, rootRow } from "../../core/file-roots.ts";
import { formatInstant } from "../../core/instant.ts";
import { requireOwner } from "../caller.ts";
import type { Answer, ReadContext } from "./context.ts";

/** Nothing is read yet, so nothing is logged except refusals. */
export async function admitToFiles(
  { caller }: ReadContext,
  { connection_id, may, owner }: z.infer<typeof filesEntry>,
): Promise<Answer<FilesBearer>> {
  const { scope, until } = caller;
  if (owner) requireOwner(caller);
  if (connection_id !== undefined) rootRow(scope, connection_id);
  if (may !== undefined) requirePower(scope, may, connection_id);
  const bearer: FilesBearer = {
    ...scope.bearer,
    roots: fileRoots(scope),
    ...(Number.isFinite(until) ? { expires_at: formatInstant(until) } : {}),
  };
  return { body: JSON.stringify(bearer), records: 0, reads: [] };
}

/** Refuses a call whose grant has ended in the meantime, so that its results are not sent. */
export async function tellFileCall(
  { caller: { scope } }: ReadContext,
  { connection_id, records, bytes, outcome }: z.infer<typeof fileCall>,
): Promise<Answer> {
  if (outcome !== undefined) return { body: "{}", records: 0, outcome };
  const row = connection_id === undefined ? {} : { row: rootRow(scope, connection_id) };
  return { body: "{}", ...row, records, bytes };
}

export async function tellFileServed(
  { caller: { scope } }: ReadContext,
  { connection_id, records = 0, bytes }: z.infer<typeof fileServed>,
): Promise<Answer> {
  return { body: "{}", row: rootRow(scope, connection_id), records, bytes };
}
