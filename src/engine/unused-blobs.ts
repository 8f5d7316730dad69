// Which stored objects hold the bytes of blobs, and which are to be removed: decided in writes, executed later (0023).
//
// An object's name is used once. It is listed as unused in the write that drops the last row that refers to it, and no later write can refer
// to it again. So it may be removed at any time after that commit, by any process, however late.
import { PdppError } from "../contract/errors.ts";
import type { BlobRow, ItemRow } from "../store/rows.ts";
import type { ReadView, WriteView } from "../store/store.ts";
import { blobName, blobOfName, generationTime } from "./blob-files.ts";

const UNUSED = "unused_blob";
const AWAITED = "awaited_blob";
/**
 * An uploaded blob is kept this long for the record that will refer to it, even if others that referred to it are
 * removed meanwhile.
 */
const AWAITED_MS = 24 * 3_600_000;
/** How long after they were stored bytes may first be referred to. */
const NAMING_MS = 12 * 3_600_000;
/** Objects without a row are removed when they are older; longer than the above, by more than any two clocks differ. */
export const STRAY_MS = 48 * 3_600_000;
const TAKEN_AT_ONCE = 256;

export interface NamedBlob {
  blob_id: string;
  mime_type: string;
  size_bytes: number;
  sha256: string;
  /**
   * The generation that the bytes were stored under for this write; absent: the blob had a row when it was looked up.
   */
  generation?: string | undefined;
}

/** A blob that has a row keeps it; the object that was stored for this write is then removed as unused. */
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
        `the bytes of ${blob_id} were stored too long ago to refer to them now`,
        {
          next_step: "Try again: an import resumes where it stopped; a blob has to be sent again.",
        },
      );
    await view.putBlob({ blobId: blob_id, generation, mimeType: mime_type, sizeBytes: size_bytes, sha256 }, now);
  }
}

/** A record that refers to an upload comes in a later write. */
export async function awaitRecord(view: WriteView, subjectId: string, blobId: string, now: number): Promise<void> {
  await view.putItem(subjectId, item(AWAITED, blobId, now, now + AWAITED_MS));
}

/** Drops the rows of blobs that no record refers to any more; returns the objects that are unused from now on. */
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
    // Checked again when its time has expired.
    else await view.putItem(subjectId, { ...awaited, body: { released: true } });
  }
  return listUnused(view, subjectId, await view.dropUnusedBlobs(droppable), now);
}

/**
 * Objects that were stored but never referred to, or that an interrupted removal left: those without a row are listed.
 */
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

/** Some objects to remove. */
export async function takeUnused(view: WriteView, subjectId: string, now: number): Promise<{ names: string[] }> {
  for (const { id, body } of await view.dueItems(subjectId, AWAITED, now, TAKEN_AT_ONCE)) {
    await view.deleteItem(subjectId, AWAITED, id);
    const { released = false } = body as { released?: boolean };
    if (released) await listUnused(view, subjectId, await view.dropUnusedBlobs([id]), now);
  }
  const due = await view.dueItems(subjectId, UNUSED, now, TAKEN_AT_ONCE);
  return { names: due.map(({ id }) => id) };
}

/** They have been removed. */
export async function forgetUnused(view: WriteView, subjectId: string, names: readonly string[]): Promise<object> {
  for (const name of names) await view.deleteItem(subjectId, UNUSED, name);
  return {};
}

/** When there is something to do next; null: nothing is listed. */
export async function unusedHorizon(view: ReadView, subjectId: string): Promise<{ next_at: number | null }> {
  const first = async (kind: string): Promise<number[]> =>
    (await view.dueItems(subjectId, kind, Number.MAX_SAFE_INTEGER, 1)).map(({ dueAt }) => dueAt!);
  const times = [...(await first(UNUSED)), ...(await first(AWAITED))];
  return { next_at: times.length === 0 ? null : Math.min(...times) };
}

/** Which of these blobs have a row, and which object holds their bytes. */
export async function knownBlobs(
  view: ReadView,
  blobIds: readonly string[],
): Promise<Pick<BlobRow, "blobId" | "generation">[]> {
  const rows = await Promise.all(blobIds.map((blobId) => view.blob(blobId)));
  return rows.flatMap((row) => (row === undefined ? [] : [{ blobId: row.blobId, generation: row.generation }]));
}
