// Bytes of blobs that no record refers to any more. Those in the home go at once; those in a bucket go later, by requests that nobody
// waits for: whoever writes has the owner's row, and others of this owner wait for it.
import type { ObjectStorage } from "../store/objects.ts";
import type { Awaitable, ItemRow, ReadView, Store, WriteView } from "../store/store.ts";
import { blobName } from "./blob-files.ts";
import { eachOf } from "./copy-file.ts";

const KIND = "unused_blob";
/** Longer than anything that looks for bytes takes until it has named them. */
const LATER_MS = 60 * 60_000;
const LOOK_HOLDS_MS = LATER_MS / 2;
/** Who takes some to remove has so long for it. What could not be removed may be named again then, and is taken again an hour later. */
const LEASE_MS = 10 * 60_000;
const TAKEN_AT_ONCE = 256;
const LOOKS_AT_ONCE = 8;
/** So many bytes of blobs are removed while other writes wait. */
const REMOVED_AT_ONCE = 64;

/** Whether a blob's bytes are there, and stay if the write that asks names them. */
type HasBytes = (view: WriteView, subjectId: string, blobId: string) => Awaitable<boolean>;

export class BlobBytes {
  readonly #objects: ObjectStorage;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #far: boolean;

  constructor(objects: ObjectStorage, store: Store, now: () => number) {
    this.#objects = objects;
    this.#store = store;
    this.#now = now;
    this.#far = objects.place.kind === "s3";
  }

  /** Before the write that names them. What fails is said to whoever asks then, and may ask. */
  async look(blobIds: () => readonly string[]): Promise<HasBytes> {
    if (!this.#far) return (_view, _subject, blobId) => this.#objects.size(blobName(blobId)) !== undefined;
    const lookedAt = this.#now();
    const present = new Set<string>();
    try {
      await this.#spare(blobIds());
      await eachOf(blobIds(), LOOKS_AT_ONCE, async (blobId) => {
        if ((await this.#objects.size(blobName(blobId))) !== undefined) present.add(blobId);
      });
    } catch (error) {
      return () => Promise.reject(error);
    }
    return async (view, subjectId, blobId) => {
      const item = await view.item(subjectId, KIND, blobId);
      if (!present.has(blobId) || this.#now() - lookedAt > LOOK_HOLDS_MS || (item && isTaken(item, this.#now())))
        return false;
      if (item !== undefined) await view.deleteItem(subjectId, KIND, blobId);
      return true;
    };
  }

  /** What is to be removed soon is not, while somebody looks for it. */
  async #spare(blobIds: readonly string[]): Promise<void> {
    const items = await this.#store.read(async (view) => {
      const subjectId = await view.subject();
      return Promise.all(blobIds.map((blobId) => view.item(subjectId, KIND, blobId)));
    });
    if (items.every((item) => item === undefined)) return;
    await this.#store.write(async (view) => {
      const subjectId = await view.subject();
      for (const blobId of blobIds) {
        const item = await view.item(subjectId, KIND, blobId);
        if (item !== undefined && !isTaken(item, this.#now()))
          await view.putItem(subjectId, { ...item, dueAt: this.#now() + LATER_MS });
      }
    });
  }

  /** In the write that took the last record away: what is removed later is not forgotten, whoever dies meanwhile. */
  async leave(view: WriteView, subjectId: string, blobIds: readonly string[]): Promise<void> {
    if (!this.#far) return;
    const now = this.#now();
    await Promise.all(
      blobIds.map((id) =>
        view.putItem(subjectId, { kind: KIND, id, holder: null, createdAt: now, dueAt: now + LATER_MS, body: {} }),
      ),
    );
  }

  /**
   * After that write, where it takes no request. Another write may have brought the same bytes in again: they are looked for and
   * removed in a write, and named in none before they were seen to be there.
   */
  async remove(blobIds: readonly string[]): Promise<void> {
    if (this.#far) return;
    for (let at = 0; at < blobIds.length; at += REMOVED_AT_ONCE) {
      const some = blobIds.slice(at, at + REMOVED_AT_ONCE);
      await this.#store.write(async (view) => {
        const known = await Promise.all(some.map((blobId) => view.blob(blobId)));
        await this.#objects.delete(some.filter((_, index) => known[index] === undefined).map(blobName));
      });
    }
  }
}

const isTaken = ({ body }: ItemRow, now: number): boolean => ((body as { until?: number }).until ?? 0) > now;

/** Whose time has come. For a while no write names them. */
export async function takeUnused(view: WriteView, subjectId: string, now: number): Promise<{ blob_ids: string[] }> {
  const blob_ids: string[] = [];
  for (const item of await view.dueItems(subjectId, KIND, now, TAKEN_AT_ONCE)) {
    if ((await view.blob(item.id)) !== undefined) await view.deleteItem(subjectId, KIND, item.id);
    else {
      await view.putItem(subjectId, { ...item, dueAt: now + LATER_MS, body: { until: now + LEASE_MS } });
      blob_ids.push(item.id);
    }
  }
  return { blob_ids };
}

/** They are removed. */
export async function forgetUnused(view: WriteView, subjectId: string, blobIds: readonly string[]): Promise<object> {
  for (const blobId of blobIds) await view.deleteItem(subjectId, KIND, blobId);
  return {};
}

/** When there is something to remove; null: not by itself. */
export async function unusedHorizon(view: ReadView, subjectId: string): Promise<{ next_at: number | null }> {
  const [first] = await view.dueItems(subjectId, KIND, Number.MAX_SAFE_INTEGER, 1);
  return { next_at: first?.dueAt ?? null };
}
