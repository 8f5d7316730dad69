// Uploads that several processes receive. Each piece is an object named after its position, and the importing process
// joins them.
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { PdppError } from "../contract/errors.ts";
import type { ObjectStorage } from "../store/objects.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import { removeUploads, type Uploads, uploadFolders, uploadParts, uploadPath, uploadTooLong } from "./upload-files.ts";

/** A piece is kept in memory until it is complete. An interrupted upload loses nothing that was stored. */
const PIECE_BYTES = 8 * 1024 * 1024;
const PREFIX = `${FILES.uploads}/`;

interface UploadPiece {
  name: string;
  start: number;
  end: number;
}

export function sharedUploads(home: string, objects: ObjectStorage): Uploads {
  // The pieces themselves may be in the home too, so this is a separate folder.
  const folder = join(home, `${FILES.uploads}-joined`);
  const prefixOf = (uploadId: string): string => {
    const { job, index } = uploadParts(uploadId);
    return `${PREFIX}${job}/${index}/`;
  };

  /** The imports whose files were kept at the last check. */
  let swept: ReadonlySet<string> | undefined;

  /**
   * Returns the pieces from the beginning to the first gap. Bytes that were sent twice are the same, because they
   * belong to one file. So pieces may overlap, for example if a stalled process stores its bytes after the same bytes
   * have been sent to another process. No process removes a piece.
   */
  async function piecesOf(uploadId: string): Promise<{ pieces: UploadPiece[]; begunAt: number }> {
    const prefix = prefixOf(uploadId);
    const found: UploadPiece[] = [];
    let begunAt = Number.POSITIVE_INFINITY;
    for await (const { name, sizeBytes, modifiedAt } of objects.list(prefix)) {
      const start = Number.parseInt(name.slice(prefix.length), 10);
      found.push({ name, start, end: start + sizeBytes });
      begunAt = Math.min(begunAt, modifiedAt);
    }
    const pieces: UploadPiece[] = [];
    let at = 0;
    // Of the pieces that begin within the received bytes, choose the one that reaches furthest.
    let next: UploadPiece | undefined;
    for (const piece of found.sort((one, other) => one.start - other.start)) {
      if (piece.start > at && next !== undefined) {
        pieces.push(next);
        at = next.end;
        next = undefined;
      }
      if (piece.start > at) break;
      if (piece.end > (next?.end ?? at)) next = piece;
    }
    if (next !== undefined) pieces.push(next);
    return { pieces, begunAt: found.length === 0 ? 0 : begunAt };
  }

  async function joinPieces(uploadId: string, path: string): Promise<void> {
    const { pieces, begunAt } = await piecesOf(uploadId);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const aside = `${path}.${randomBytes(6).toString("hex")}`;
    try {
      await pipeline(readPieces(objects, pieces), createWriteStream(aside, { mode: 0o600, flags: "wx" }));
      // Another process that continues the import checks the file's time, so late writes must not change it.
      await utimes(aside, begunAt / 1000, begunAt / 1000);
      await rename(aside, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOSPC")
        throw new PdppError("storage_full", "the disk is full; the bytes received so far are kept");
      throw error;
    } finally {
      await rm(aside, { force: true });
    }
  }

  return {
    bytes: async (uploadId) => (await piecesOf(uploadId)).pieces.at(-1)?.end ?? 0,
    async append(uploadId, bytes, { offset, size }) {
      const prefix = prefixOf(uploadId);
      let held: Uint8Array[] = [];
      let at = offset;
      let end = offset;
      const flush = async (): Promise<void> => {
        const own = held;
        held = [];
        if (end === at) return;
        // The name contains the start and the length, so that a shorter piece never replaces a longer one.
        await objects.put(`${prefix}${at}-${end - at}`, each(own), { sizeBytes: end - at });
        at = end;
      };
      try {
        for await (const part of bytes) {
          if (end + part.byteLength > size) throw uploadTooLong(size);
          if (part.byteLength === 0) continue;
          held.push(part);
          end += part.byteLength;
          if (end - at >= PIECE_BYTES) await flush();
        }
      } finally {
        await flush();
      }
      return at;
    },
    async file(uploadId) {
      const path = uploadPath(folder, uploadId);
      const joined = await stat(path).catch(() => undefined);
      if (joined === undefined) await joinPieces(uploadId, path);
      return path;
    },
    async forgetOthers(importIds) {
      const folders = await uploadFolders(folder);
      if (folders.length > 0) await removeUploads(folder, folders, await importIds());
    },
    async keep(importIds) {
      // Listing costs money, and there is something to remove only after an import has ended.
      if (isSame(swept, await importIds())) return;
      const sent: { name: string; job: string }[] = [];
      for await (const { name } of objects.list(PREFIX)) sent.push({ name, job: name.split("/")[1]! });
      const folders = await uploadFolders(folder);
      const kept = await importIds();
      await objects.delete(sent.filter(({ job }) => !kept.has(job)).map(({ name }) => name));
      await removeUploads(folder, folders, kept);
      swept = kept;
    },
    any: () => objects.mayHold(FILES.uploads),
  };
}

const isSame = (one: ReadonlySet<string> | undefined, other: ReadonlySet<string>): boolean =>
  one?.size === other.size && [...one].every((id) => other.has(id));

async function* each(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function* readPieces(objects: ObjectStorage, pieces: readonly UploadPiece[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const { name, start, end } of pieces) {
    const bytes = await objects.open(name, { start: at - start, end: end - start - 1 });
    for await (const part of bytes ?? []) {
      at += (part as Uint8Array).byteLength;
      yield part as Uint8Array;
    }
    if (at !== end)
      throw new PdppError("store_unavailable", "a piece of the upload disappeared while it was being read");
  }
}
