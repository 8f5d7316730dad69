// Deletions by origin: records that a complete export no longer contains, and records of an import that is being
// undone.
import type { ImportUndone } from "../../contract/import.ts";
import type { JsonObject, JsonValue } from "../../contract/record.ts";
import { formatInstant } from "../../core/instant.ts";
import { keysIn } from "../../core/key-set.ts";
import type { StreamShape } from "../../core/scope.ts";
import type { JobRow } from "../../store/rows.ts";
import type { BatchOptions, Change, ReadView, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { requestOf, requireImport } from "./imports.ts";
import { targetStream } from "./ingest.ts";
import { limitsOf } from "./parse-line.ts";

/** How many records are compared at a time, which bounds memory. */
const PAGE = 2000;

/** `onReleased` receives the blobs that removed records referred to. */
export type Removal = Pick<BatchOptions, "now"> & Required<Pick<BatchOptions, "onReleased">>;

/** Deletes records that an earlier import of the same export added and that this import did not find. */
export async function deleteUnseen(
  view: WriteView,
  caller: Caller,
  { connection_id, file, runId }: { connection_id: string; file: string; runId: string },
  seen: readonly { stream: string; hashes: Uint8Array }[],
  { now, onReleased }: Removal,
): Promise<number> {
  let deleted = 0;
  for (const { stream, hashes } of seen) {
    const shape = targetStream(caller, { stream, connection_id });
    const met = keysIn(hashes);
    const origin = JSON.stringify({ run_id: runId, file });
    for await (const page of pagesFrom(view, shape, "file", file)) {
      const gone = page.filter(({ id }) => !met.has(id)).map(({ id }) => id);
      deleted += await remove(view, shape, gone, origin, { now, onReleased });
    }
  }
  return deleted;
}

/**
 * Deletes the records that a run added. Records that it only changed are kept, because there is no earlier version to
 * return to.
 */
export async function undoImport(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  { now, onReleased }: Removal,
): Promise<ImportUndone> {
  const job = await requireImport(view, caller, id);
  const { connection_id } = requestOf(job);
  let removed = 0;
  let kept = 0;
  for await (const { shape, gone, others } of broughtBy(view, caller, job)) {
    kept += others;
    removed += await remove(view, shape, gone, null, { now, onReleased });
  }
  const counts = { records_removed: removed, records_kept: kept };
  // If an import is undone twice, the counts from the first time are kept.
  const progress: JsonValue = { undone: { at: formatInstant(now), ...counts }, ...(job.progress as JsonObject) };
  await view.putJob(caller.subjectId, { ...job, status: "cancelled", progress, updatedAt: now });
  return { object: "import_undone", import_id: id, connection_id, ...counts };
}

/** Counts the records that an undo would remove, without removing them. */
export async function undoSize(
  view: ReadView,
  caller: Caller,
  { id }: { id: string },
): Promise<Pick<ImportUndone, "records_removed" | "records_kept">> {
  const size = { records_removed: 0, records_kept: 0 };
  for await (const { gone, others } of broughtBy(view, caller, await requireImport(view, caller, id))) {
    size.records_removed += gone.length;
    size.records_kept += others;
  }
  return size;
}

/** Yields, for each page, the records that the run created and how many it only changed. */
async function* broughtBy(view: ReadView, { catalog }: Caller, job: JobRow) {
  const { connection_id } = requestOf(job);
  for (const shape of catalog.streams.filter(({ connectionId }) => connectionId === connection_id)) {
    for await (const page of pagesFrom(view, shape, "run_id", job.jobId)) {
      const gone = page.filter(({ created }) => created).map((row) => row.id);
      yield { shape, gone, others: page.length - gone.length };
    }
  }
}

async function* pagesFrom(view: ReadView, { streamNo }: StreamShape, member: "run_id" | "file", value: string) {
  // Records that are deleted in the meantime get a version above this one.
  const upTo = await view.version();
  for (let after = 0; ; ) {
    const page = await view.recordsFrom(streamNo, { [member]: value }, { after, upTo, limit: PAGE });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.version;
  }
}

async function remove(
  view: WriteView,
  shape: StreamShape,
  ids: readonly string[],
  origin: string | null,
  { now, onReleased }: Removal,
): Promise<number> {
  const gone = ids.map((id): Change => ({ id, data: null, ord: null, time: null, emittedAt: now, origin, blobs: [] }));
  return view.apply(shape.streamNo, gone, {
    appendOnly: false,
    limitsOf: (data) => limitsOf(shape, JSON.parse(data) as JsonObject),
    now,
    onReleased,
  });
}
