// Removes stored objects that no blob refers to, in the process that runs the owner's jobs. In a home, most are removed
// right after the write that released them.
import { failureText } from "../contract/errors.ts";
import { BLOBS_FOLDER, blobName, blobOfName, generationTime } from "./blob-files.ts";
import type { Credential } from "./caller.ts";
import type { EngineHost } from "./host.ts";
import type { JobHost } from "./jobs.ts";
import type { ObjectStorage } from "./objects-place.ts";
import { STRAY_MS } from "./unused-blobs.ts";

export interface BlobSweepOptions {
  objects: ObjectStorage;
  host: EngineHost;
  log: (text: string) => void;
}

const SWEEP_MS = 10 * 60_000;
/** Once a day, because listing a bucket costs money. */
const STRAYS_MS = 24 * 3_600_000;
const LOOKED_UP_AT_ONCE = 256;

export function blobSweep({ objects, host, log }: BlobSweepOptions): JobHost {
  let as: Credential | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  let again = false;
  let straysAt = 0;
  /** After a failure, the storage is retried on the timer, not after every write. */
  let failed = false;

  function look(work: () => Promise<void>): void {
    // The running sweep may have read the list before this call was made.
    again = sweeping !== undefined;
    sweeping ??= untilDone(work)
      .catch((error: unknown) => {
        failed = true;
        log(`blobs: ${failureText(error)}`);
      })
      .finally(() => {
        sweeping = undefined;
      });
  }

  async function untilDone(work: () => Promise<void>): Promise<void> {
    do {
      again = false;
      await work();
    } while (again);
  }

  const parts = { objects, host, goesOn: () => as };
  async function sweepAll(): Promise<void> {
    failed = false;
    if (Date.now() >= straysAt) {
      await listStrays(parts);
      straysAt = Date.now() + STRAYS_MS;
    }
    await sweepBlobs(parts);
  }

  return {
    begin(credential) {
      as = credential;
      failed = false;
      timer = setInterval(() => look(sweepAll), SWEEP_MS).unref();
      look(() => sweepBlobs(parts));
    },
    async news() {
      if (!failed) look(() => sweepBlobs(parts));
    },
    async rest() {
      as = undefined;
      clearInterval(timer);
      await sweeping;
    },
  };
}

interface SweepParts {
  objects: ObjectStorage;
  host: EngineHost;
  /** Returns undefined if another process runs the owner's jobs. */
  goesOn: () => Credential | undefined;
  now?: () => number;
}

/** Objects that cannot be removed now remain listed. */
export async function sweepBlobs({ objects, host, goesOn, now = Date.now }: SweepParts): Promise<void> {
  for (let as = goesOn(); as !== undefined; as = goesOn()) {
    // Usually nothing is listed, and checking with a read is cheaper than a write.
    const { next_at } = await host.call("unusedBlobs", {}, as);
    if (next_at === null || next_at > now()) return;
    const { names } = await host.call("takeUnusedBlobs", {}, as);
    await objects.delete(names);
    await host.call("forgetUnusedBlobs", { names }, as);
  }
}

/**
 * Lists old objects that no row refers to. They exist because an upload was interrupted, or because two uploads stored
 * the same bytes at once.
 */
export async function listStrays({ objects, host, goesOn, now = Date.now }: SweepParts): Promise<void> {
  let found: string[] = [];
  async function lookUp(): Promise<void> {
    const as = goesOn();
    if (as === undefined || found.length === 0) return;
    const blob_ids = found.map((name) => blobOfName(name)!.blobId);
    const rows = await host.call("knownBlobs", { blob_ids }, as);
    const used = new Set(rows.map(({ blobId, generation }) => blobName(blobId, generation)));
    const names = found.filter((name) => !used.has(name));
    found = [];
    if (names.length > 0) await host.call("releaseStrayBlobs", { names }, as);
  }
  for await (const { name, modifiedAt } of objects.list(`${BLOBS_FOLDER}/`)) {
    const blob = blobOfName(name);
    if (blob === undefined) continue;
    const storedAt = blob.generation === null ? modifiedAt : generationTime(blob.generation);
    if (now() - storedAt <= STRAY_MS) continue;
    if (found.push(name) >= LOOKED_UP_AT_ONCE) await lookUp();
  }
  await lookUp();
}
