// Tracks which stored objects contain the bytes of blobs, and which can be removed. A write determines this, and the
// objects are removed later (0023).
//
// An object's name is used only once. The write that deletes the last row referring to it lists it as unused, and no
// later write can refer to it again. So any process can remove it at any time after that commit.
import { PdppError } from "../contract/errors.ts";
import type { BlobRow, ItemRow } from "../store/rows.ts";
import type { ReadView, WriteView } from "../store/store.ts";
import { blobName, blobOfName, generationTime } from "./blob-files.ts";

const UNUSED = "unused_blob";
const AWAITED = "awaited_blob";
/**
 * How long an uploaded blob is kept for the record that will refer to it, even if other records that referred to it are
 * removed in the meantime.
 */
const AWAITED_MS = 24 * 3_600_000;
/** The maximum time between storing bytes and the first record that refers to them. */
const NAMING_MS = 12 * 3_600_000;
/**
 * Objects without a row are removed at this age. The margin over the limit above is larger than any difference between
 * two clocks.
 */
export const STRAY_MS = 48 * 3_600_000;
const TAKEN_AT_ONCE = 256;

export interface NamedBlob {
  blob_id: string;
  mime_type: string;
  size_bytes: number;
  sha256: string;
  /** The generation that the bytes were stored under for this write. Absent if the blob already had a row. */
  generation?: string | undefined;
}

/** A blob that has a row keeps it. The object that was stored for this write is then removed as unused. */
export async function putBlobs(view: WriteView, blobs: readonly NamedBlob[], now: number): Promise<void> {
  const rows = await Promise.all(blobs.map(({ blob_id }) => view.blob(blob_id)));
  for (const [index, { blob_id, mime_type, size_bytes, sha256, generation }] of blobs.entries()) {
    if (rows[index] !== undefined) continue;
    if (generation === undefined)
      throw new PdppError("blob_not_found", `the bytes of ${blob_id} are not stored`, {
        next_step: "Send them again: POST /v1/blobs.",
      });
    if (now - generationTime(generation) > NAMING_MS)
      throw new PdppError(
        "store_unavailable",
        `the bytes of ${blob_id} were stored too long ago to be referred to now`,
        {
          next_step: "Try again: an import resumes where it stopped; a blob has to be sent again.",
        },
      );
    await view.putBlob({ blobId: blob_id, generation, mimeType: mime_type, sizeBytes: size_bytes, sha256 }, now);
  }
}

/** Keeps an upload for the record that will refer to it in a later write. */
export async function awaitRecord(view: WriteView, subjectId: string, blobId: string, now: number): Promise<void> {
  await view.putItem(subjectId, item(AWAITED, blobId, now, now + AWAITED_MS));
}

/** Deletes the rows of blobs that no record refers to any more. Returns the objects that are unused from now on. */
export async function releaseBlobs(
  view: WriteView,
  subjectId: string,
  blobIds: ReadonlySet<string>,
  now: number,
): Promise<string[]> {
  const droppable: string[] = [];
  for (const blobId of blobIds) {
    const awaited = await view.item(subjectId, AWAITED, blobId);
    if (awaited === undefined) droppable.push(blobId);
    // Checked again when the waiting period ends.
    else await view.putItem(subjectId, { ...awaited, body: { released: true } });
  }
  return listUnused(view, subjectId, await view.dropUnusedBlobs(droppable), now);
}

/** Lists objects without a row: they were stored but never referred to, or an interrupted removal left them behind. */
export async function releaseStrays(
  view: WriteView,
  subjectId: string,
  names: readonly string[],
  now: number,
): Promise<object> {
  const strays: Pick<BlobRow, "blobId" | "generation">[] = [];
  for (const found of names.map(blobOfName)) {
    if (found === undefined) continue;
    const { blobId, generation } = found;
    if (generation !== null && now - generationTime(generation) <= STRAY_MS) continue;
    const row = await view.blob(blobId);
    if (row === undefined || row.generation !== generation) strays.push(found);
  }
  await listUnused(view, subjectId, strays, now);
  return {};
}

async function listUnused(
  view: WriteView,
  subjectId: string,
  blobs: readonly Pick<BlobRow, "blobId" | "generation">[],
  now: number,
): Promise<string[]> {
  const names = blobs.map(({ blobId, generation }) => blobName(blobId, generation));
  for (const name of names) await view.putItem(subjectId, item(UNUSED, name, now, now));
  return names;
}

const item = (kind: string, id: string, now: number, dueAt: number): ItemRow => ({
  kind,
  id,
  holder: null,
  createdAt: now,
  dueAt,
  body: {},
});

/** Returns some objects to remove. */
export async function takeUnused(view: WriteView, subjectId: string, now: number): Promise<{ names: string[] }> {
  for (const { id, body } of await view.dueItems(subjectId, AWAITED, now, TAKEN_AT_ONCE)) {
    await view.deleteItem(subjectId, AWAITED, id);
    const { released = false } = body as { released?: boolean };
    if (released) await listUnused(view, subjectId, await view.dropUnusedBlobs([id]), now);
  }
  const due = await view.dueItems(subjectId, UNUSED, now, TAKEN_AT_ONCE);
  return { names: due.map(({ id }) => id) };
}

/** Called when these objects have been removed. */
export async function forgetUnused(view: WriteView, subjectId: string, names: readonly string[]): Promise<object> {
  for (const name of names) await view.deleteItem(subjectId, UNUSED, name);
  return {};
}

/** When there is something to do next. Null if nothing is listed. */
export async function unusedHorizon(view: ReadView, subjectId: string): Promise<{ next_at: number | null }> {
  const first = async (kind: string): Promise<number[]> =>
    (await view.dueItems(subjectId, kind, Number.MAX_SAFE_INTEGER, 1)).map(({ dueAt }) => dueAt!);
  const times = [...(await first(UNUSED)), ...(await first(AWAITED))];
  return { next_at: times.length === 0 ? null : Math.min(...times) };
}

/** Returns which of these blobs have a row, and which objects contain their bytes. */
export async function knownBlobs(
  view: ReadView,
  blobIds: readonly string[],
): Promise<Pick<BlobRow, "blobId" | "generation">[]> {
  const rows = await Promise.all(blobIds.map((blobId) => view.blob(blobId)));
  return rows.flatMap((row) => (row === undefined ? [] : [{ blobId: row.blobId, generation: row.generation }]));
}
