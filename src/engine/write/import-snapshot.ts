// What an export that shows all there is no longer shows, and what a run brought in and shall be taken back: deletions by origin.
import type { ImportUndone } from "../../contract/import.ts";
import type { JsonObject } from "../../contract/record.ts";
import { keysIn } from "../../core/key-set.ts";
import type { StreamShape } from "../../core/scope.ts";
import type { Change, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { requestOf, requireImport } from "./imports.ts";
import { targetStream } from "./ingest.ts";
import { consentTime } from "./parse-line.ts";

/** Records looked at together: what is held in memory. */
const PAGE = 2000;

/** Records that an earlier import of the same thing brought in and this one has not met. */
export async function deleteUnseen(
  view: WriteView,
  caller: Caller,
  { connection_id, file, runId }: { connection_id: string; file: string; runId: string },
  seen: readonly { stream: string; hashes: Uint8Array }[],
  now: number,
): Promise<number> {
  let deleted = 0;
  for (const { stream, hashes } of seen) {
    const shape = targetStream(caller, { stream, connection_id });
    const met = keysIn(hashes);
    const origin = JSON.stringify({ run_id: runId, file });
    for await (const page of pagesFrom(view, shape, "file", file)) {
      const gone = page.filter(({ id }) => !met.has(id)).map(({ id }) => id);
      deleted += await remove(view, shape, gone, origin, now);
    }
  }
  return deleted;
}

/** Takes back what a run made; what it only changed cannot be given its old shape and stays. */
export async function undoImport(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  now: number,
): Promise<ImportUndone> {
  const job = await requireImport(view, caller, id);
  const { connection_id } = requestOf(job);
  let removed = 0;
  let kept = 0;
  for (const shape of caller.catalog.streams.filter(({ connectionId }) => connectionId === connection_id)) {
    for await (const page of pagesFrom(view, shape, "run_id", id)) {
      const gone = page.filter(({ created }) => created).map((row) => row.id);
      kept += page.length - gone.length;
      removed += await remove(view, shape, gone, null, now);
    }
  }
  await view.putJob(caller.subjectId, { ...job, status: "cancelled", updatedAt: now });
  return { object: "import_undone", import_id: id, connection_id, records_removed: removed, records_kept: kept };
}

async function* pagesFrom(view: WriteView, { streamNo }: StreamShape, member: "run_id" | "file", value: string) {
  // What is deleted meanwhile moves behind this.
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
  now: number,
): Promise<number> {
  const gone = ids.map((id): Change => ({ id, data: null, ord: null, time: null, emittedAt: now, origin, blobs: [] }));
  return view.apply(shape.streamNo, gone, {
    appendOnly: false,
    timeOf: (data) => consentTime(shape, JSON.parse(data) as JsonObject),
    now,
  });
}
