// Removes from a bucket what no record has referred to for an hour, in the process that runs the owner's jobs.
import { failureText } from "../contract/errors.ts";
import { blobName } from "./blob-files.ts";
import type { Credential } from "./caller.ts";
import type { EngineHost, JobHost } from "./host.ts";
import type { ObjectStorage } from "./objects-place.ts";

export interface BlobSweepOptions {
  objects: ObjectStorage;
  host: EngineHost;
  log: (text: string) => void;
}

const SWEEP_MS = 10 * 60_000;
/** A process that was paused for longer removes nothing: another one may have, and a write named the same bytes since. */
const FRESH_MS = 60_000;

export function blobSweep({ objects, host, log }: BlobSweepOptions): JobHost {
  let as: Credential | undefined;
  let sweeper: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;

  function look(): void {
    sweeping ??= sweepBlobs({ objects, host, goesOn: () => as })
      .catch((error: unknown) => log(`blobs: ${failureText(error)}`))
      .finally(() => {
        sweeping = undefined;
      });
  }

  return {
    begin(credential) {
      // In a home they went at once.
      if (objects.place.kind !== "s3") return;
      as = credential;
      sweeper = setInterval(look, SWEEP_MS).unref();
      look();
    },
    news: async () => undefined,
    async rest() {
      as = undefined;
      clearInterval(sweeper);
      await sweeping;
    },
  };
}

/** What cannot be removed now is taken again later. */
export async function sweepBlobs({
  objects,
  host,
  goesOn,
  now = Date.now,
}: Omit<BlobSweepOptions, "log"> & { goesOn: () => Credential | undefined; now?: () => number }): Promise<void> {
  for (let as = goesOn(); as !== undefined; as = goesOn()) {
    // Most have none, and a write is not worth it then.
    const { next_at } = JSON.parse(await host.call("unusedBlobs", {}, as)) as { next_at: number | null };
    if (next_at === null || next_at > now()) return;
    const takenAt = Date.now();
    const { blob_ids } = JSON.parse(await host.call("takeUnusedBlobs", {}, as)) as { blob_ids: string[] };
    if (blob_ids.length === 0 || Date.now() - takenAt > FRESH_MS) return;
    await objects.delete(blob_ids.map(blobName));
    await host.call("forgetUnusedBlobs", { blob_ids }, as);
  }
}
