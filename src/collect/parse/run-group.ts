// Runs one group from its first entry, or from where an earlier run stopped. Records are sent in batches, and blobs
// before the batch that refers to them.
import { blobFileOf } from "../../engine/blob-files.ts";
import { batcher } from "../batcher.ts";
import type { ImportContext } from "../importer.ts";
import type { RunTask } from "../messages.ts";
import { readMeter } from "../read-meter.ts";
import type { Recognised } from "../recognise.ts";
import { idMaker } from "../record-ids.ts";
import { ownAnswers } from "./plan-groups.ts";
import type { Reporter } from "./reporter.ts";
import { watchedEntry } from "./watched-entry.ts";

const PIECE_BYTES = 1024 * 1024;

/** Sends a picture to the parent, and waits for the thumbnail. */
export type AskThumbnail = (send: () => void) => Promise<Uint8Array | undefined>;

export async function runGroup(
  { groups }: Recognised,
  task: RunTask,
  report: Reporter,
  askThumbnail: AskThumbnail,
): Promise<void> {
  const { answers, resume, broken } = task;
  const group = groups.find(({ id }) => id === task.group);
  if (group === undefined) throw new Error("the file to import no longer exists");
  const { importer, input, whole } = group;
  const start = resume === undefined ? -1 : input.entries.findIndex(({ path }) => path === resume.entry);
  const meter = readMeter(input.entries, Math.max(0, start));
  const entries = input.entries
    .filter(({ path }) => !broken.includes(path))
    .map((entry) => watchedEntry(entry, report, () => meter.opened(entry.path)));
  const batches = batcher({
    file: input.name,
    read: meter.bytes,
    snapshotOf: importer.snapshotOf ?? [],
    async send({ lines, ...batch }) {
      report.tell({ batch }, lines);
    },
  });
  const sent = new Set<string>();
  const context: ImportContext = {
    answers: ownAnswers(group, answers),
    makeId: idMaker(task.idKey),
    ...(resume === undefined ? {} : { resume }),
    async blob(bytes, mimeType) {
      const blob = blobFileOf(bytes);
      if (!sent.has(blob.blobId)) tellBlob(report, blob.blobId, bytes);
      sent.add(blob.blobId);
      batches.blob({ ...blob, mimeType });
      return { blob_id: blob.blobId, mime_type: mimeType, size_bytes: blob.sizeBytes, sha256: blob.sha256 };
    },
    ...(task.thumbnails && { thumbnail: (picture) => askThumbnail(() => tellPicture(report, picture)) }),
  };
  try {
    for await (const event of importer.run({ ...input, entries }, context)) {
      report.beat();
      meter.found(event.entry.path);
      const kept = batches.take(event);
      if (kept !== undefined) await kept;
    }
  } catch (error) {
    // After an error, the rest of the entry is lost, but earlier results are kept.
    await batches.end();
    throw error;
  }
  const seen = await batches.end();
  for (const { stream, hashes } of seen) {
    for (const piece of piecesOf(hashes)) report.tell({ seen: stream }, piece);
  }
  report.tell({ done: { whole: whole && resume === undefined && broken.length === 0 } });
}

function tellBlob(report: Reporter, blob: string, bytes: Uint8Array): void {
  const pieces = [...piecesOf(bytes)];
  for (const [index, piece] of pieces.entries()) report.tell({ blob, last: index === pieces.length - 1 }, piece);
}

function tellPicture(report: Reporter, bytes: Uint8Array): void {
  const pieces = [...piecesOf(bytes)];
  for (const [index, piece] of pieces.entries()) report.tell({ picture: { last: index === pieces.length - 1 } }, piece);
}

/** Yields at least one chunk, even for empty bytes. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at === 0 || at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
