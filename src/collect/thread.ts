// A thread in which importers parse: memory is limited by who starts it, there is no network, and batches wait for their turn.
import { parentPort, workerData } from "node:worker_threads";
import { storeBlob } from "../engine/blob-files.ts";
import { ARCHIVE_LIMITS } from "./archive/limits.ts";
import { unpackedFolder } from "./archive/unpacked.ts";
import { batcher } from "./batcher.ts";
import type { ImportContext } from "./importer.ts";
import { IMPORTERS } from "./importers/index.ts";
import type { FromThread, PlannedGroup, ThreadTask, ToThread } from "./messages.ts";
import { withoutNetwork } from "./no-network.ts";
import { type Recognised, recognise } from "./recognise.ts";
import { reasonOf, walk } from "./walk.ts";

const { home, paths, task } = workerData as ThreadTask;
const say = (message: FromThread): void => parentPort!.postMessage(message);

withoutNetwork();
const unpacked = unpackedFolder(ARCHIVE_LIMITS.copyBytes);
try {
  const recognised = await recognise(await walk(paths, unpacked), IMPORTERS);
  if (task.kind === "plan") say({ plan: await plan(recognised) });
  else await run(recognised);
} catch (error) {
  say({ failed: reasonOf(error) });
} finally {
  await unpacked.close();
  parentPort!.close();
}

async function plan({ groups, left }: Recognised): Promise<{ groups: PlannedGroup[]; left: Recognised["left"] }> {
  const planned: PlannedGroup[] = [];
  const broken: Recognised["left"] = [];
  for (const { id, importer, reason, input } of groups) {
    try {
      const found = await importer.plan(input, (task as { answers: ImportContext["answers"] }).answers);
      planned.push({
        ...found,
        group: id,
        importer: importer.name,
        reason,
        name: input.name,
        files: input.entries.length,
        bytes: input.entries.reduce((sum, { size }) => sum + Math.max(0, size), 0),
      });
    } catch (error) {
      broken.push(...input.entries.map(({ path }) => ({ path, reason: `${reason}: ${reasonOf(error)}` })));
    }
  }
  return { groups: planned, left: [...left, ...broken] };
}

async function run({ groups }: Recognised): Promise<void> {
  const { group: wanted, runId, answers, resume, past } = task as Extract<ThreadTask["task"], { kind: "run" }>;
  const group = groups.find(({ id }) => id === wanted);
  if (group === undefined) {
    say({ failed: "what was to be imported is not there any more" });
    return;
  }
  const { importer } = group;
  // An entry that brought the parser down is passed over; what comes after it is not lost.
  const entries = group.input.entries.filter(({ path }) => past === undefined || path > past);
  let read = 0;
  const counted = entries.map((entry) => ({
    ...entry,
    async *open(): AsyncGenerator<Uint8Array> {
      say({ at: entry.path });
      for await (const part of entry.open()) {
        read += part.byteLength;
        yield part;
      }
    },
  }));
  say({ total: { bytes: entries.reduce((sum, { size }) => sum + Math.max(0, size), 0), entries: entries.length } });
  const batches = batcher({ runId, file: group.input.name, read: () => read, say, turn: turns() });
  const context: ImportContext = {
    answers,
    ...(resume === undefined || past !== undefined ? {} : { resume }),
    async blob(bytes, mimeType) {
      const stored = await storeBlob(home, once(bytes));
      batches.blob({ ...stored, mimeType });
      return { blob_id: stored.blobId, mime_type: mimeType, size_bytes: stored.sizeBytes, sha256: stored.sha256 };
    },
  };
  for await (const event of importer.run({ ...group.input, entries: counted }, context)) await batches.take(event);
  await batches.end();
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** One batch may be stored while the next is parsed; not more, so that memory has a bound. */
function turns(): () => Promise<void> {
  let free = 2;
  let waiting: (() => void) | undefined;
  parentPort!.on("message", (message: ToThread) => {
    if ("stop" in message) process.exit();
    free++;
    waiting?.();
  });
  return async () => {
    free--;
    if (free > 0) return;
    await new Promise<void>((resolve) => {
      waiting = resolve;
    });
  };
}
