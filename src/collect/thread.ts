// A thread in which importers parse: memory is limited by who starts it, there is no network, and batches wait for their turn.
import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { addWaitingBlob } from "../engine/waiting-blobs.ts";
import { answersFor, askedApart } from "./answers.ts";
import { ARCHIVE_LIMITS } from "./archive/limits.ts";
import { unpackedFolder } from "./archive/unpacked.ts";
import { batcher } from "./batcher.ts";
import type { Entry } from "./entry.ts";
import type { Answers, ImportContext, Importer } from "./importer.ts";
import type { Batch, FromThread, PlannedGroup, RunTask, ThreadData, ToThread } from "./messages.ts";
import { withoutNetwork } from "./no-network.ts";
import { withPlainBlobs } from "./plain-blob.ts";
import { readMeter } from "./read-meter.ts";
import { type Recognised, type RecognisedGroup, recognise } from "./recognise.ts";
import { reasonOf, walk } from "./walk.ts";

const { given, scratch, newBlobs, importers } = workerData as ThreadData;
const say = (message: FromThread): void => parentPort!.postMessage(message);

const BEAT_MS = 500;
let beaten = 0;
/** Said wherever something really moves, never by a clock: a parser that goes round in circles is silent. */
function beat(): void {
  const now = performance.now();
  if (now - beaten < BEAT_MS) return;
  beaten = now;
  say({ beat: true });
}

const unpacked = unpackedFolder(scratch, ARCHIVE_LIMITS.copyBytes, beat);
const { IMPORTERS } = (importers === undefined ? await import("./importers/index.ts") : await import(importers)) as {
  IMPORTERS: readonly Importer[];
};
withoutNetwork();
withPlainBlobs();
let found: Promise<Recognised> | undefined;

/** Two batches may wait to be stored while the next is parsed; not more, so that memory has a bound. */
let free = 2;
let waiting: (() => void) | undefined;

parentPort!.on("message", (message: ToThread) => {
  if ("go" in message) {
    free++;
    waiting?.();
  } else {
    answer(message).catch((error) => say({ failed: reasonOf(error) }));
  }
});

async function answer(message: Exclude<ToThread, { go: true }>): Promise<void> {
  say({ beat: true });
  found ??= walk(given, unpacked, { beat }).then((roots) => recognise(roots, IMPORTERS, beat));
  const recognised = await found;
  if ("plan" in message) say({ plan: await plan(recognised, message.plan.answers) });
  else await run(recognised, message.run);
}

async function send(batch: Batch): Promise<void> {
  // Handed over, not copied.
  parentPort!.postMessage({ batch } satisfies FromThread, [batch.lines.buffer]);
  free--;
  if (free > 0) return;
  await new Promise<void>((resolve) => {
    waiting = resolve;
  });
}

async function plan(
  { groups, left }: Recognised,
  answers: Answers,
): Promise<{ groups: PlannedGroup[]; left: Recognised["left"] }> {
  const planned: PlannedGroup[] = [];
  const broken: Recognised["left"] = [];
  for (const group of groups) {
    const { id, importer, reason, input } = group;
    try {
      const entries = input.entries.map((entry) => lookedAt(watchedEntry(entry, () => () => undefined)));
      planned.push({
        ...(await importer.plan({ ...input, entries }, ownAnswers(group, answers))),
        group: id,
        importer: importer.name,
        reason,
        name: input.name,
        files: input.entries.length,
        bytes: input.entries.reduce((sum, { size }) => sum + Math.max(0, size), 0),
        fingerprint: fingerprint(group),
        snapshotOf: importer.snapshotOf ?? [],
      });
    } catch (error) {
      broken.push(
        ...input.entries.map(({ path }) => ({ path, reason: `${reason}: ${reasonOf(error)}`, failed: true as const })),
      );
    }
  }
  return { groups: askedApart(planned), left: [...left, ...broken] };
}

const ownAnswers = ({ importer, input }: RecognisedGroup, answers: Answers): Answers =>
  answersFor({ importer: importer.name, name: input.name }, answers);

function fingerprint({ input }: RecognisedGroup): string {
  const hash = createHash("sha256");
  for (const { path, size, modifiedAt } of input.entries) hash.update(JSON.stringify([path, size, modifiedAt]));
  return hash.digest("base64url").slice(0, 22);
}

async function run({ groups }: Recognised, { group: wanted, answers, resume, broken }: RunTask): Promise<void> {
  const group = groups.find(({ id }) => id === wanted);
  if (group === undefined) throw new Error("what was to be imported is not there any more");
  const { importer, input, whole } = group;
  const start = resume === undefined ? -1 : input.entries.findIndex(({ path }) => path === resume.entry);
  const meter = readMeter(input.entries, Math.max(0, start));
  const entries = input.entries
    .filter(({ path }) => !broken.includes(path))
    .map((entry) => watchedEntry(entry, () => meter.opened(entry.path)));
  const { snapshotOf = [] } = importer;
  const batches = batcher({
    file: input.name,
    read: meter.bytes,
    snapshotOf,
    send,
  });
  const context: ImportContext = {
    answers: ownAnswers(group, answers),
    ...(resume === undefined ? {} : { resume }),
    async blob(bytes, mimeType) {
      const stored = await orHalt(async () => addWaitingBlob(newBlobs, bytes));
      batches.blob({ ...stored, mimeType });
      return { blob_id: stored.blobId, mime_type: mimeType, size_bytes: stored.sizeBytes, sha256: stored.sha256 };
    },
  };
  try {
    for await (const event of importer.run({ ...input, entries }, context)) {
      beat();
      meter.found(event.entry.path);
      const kept = batches.take(event);
      if (kept !== undefined) await kept;
    }
  } catch (error) {
    // One bad place costs what is behind it in its entry; what was found before it stands.
    await batches.end();
    throw error;
  }
  const seen = await batches.end();
  say({ done: whole && resume === undefined && broken.length === 0 ? { seen } : {} });
}

/** A look takes what it gets: one entry that breaks off must not keep its whole group out. The run tells of it. */
const lookedAt = (entry: Entry): Entry => ({
  ...entry,
  async *open(options) {
    try {
      yield* entry.open(options);
    } catch {
      // Whoever looks has seen enough.
    }
  },
});

/** Says which entry is being read, and that something moves. */
function watchedEntry(entry: Entry, opened: () => (bytes: number) => void): Entry {
  return {
    ...entry,
    async *open(options) {
      say({ at: entry.path });
      const onBytes = opened();
      for await (const part of spoken(entry.open(options))) {
        onBytes(part.byteLength);
        beat();
        yield part;
      }
    },
    file() {
      say({ at: entry.path });
      return orHalt(() => entry.file(), isFull);
    },
  };
}

/** What is wrong with a file is told as people say it. */
async function* spoken(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* parts;
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === (error as Error).message ? error : new Error(reason, { cause: error });
  }
}

/** Where it is stored is not for everybody who brings something in. */
function withoutPlace(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return reasonOf(code === undefined ? error : { code, message: code });
}

const isFull = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT", "storage_full"].includes((error as { code?: string }).code ?? "");

/** What cannot be stored here is nothing an importer may shrug off as one file's fault: the run stops, and goes on later. */
async function orHalt<T>(work: () => Promise<T>, isOurs: (error: unknown) => boolean = () => true): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOurs(error)) throw error;
    say({
      halted: isFull(error)
        ? { code: "storage_full", reason: "the disk is full" }
        : { code: "store_unavailable", reason: `what was found cannot be stored: ${withoutPlace(error)}` },
    });
    return new Promise(() => undefined);
  }
}
