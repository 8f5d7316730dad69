// Uploads that several processes take in: each piece is an object, named by where it begins; who imports joins them.
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { PdppError } from "../contract/errors.ts";
import type { ListedObject, ObjectStorage } from "../store/objects.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import { moreCame, removeUploads, type Uploads, uploadFolders, uploadParts, uploadPath } from "./upload-files.ts";

/** Held in memory until it is one; what breaks off loses none of it. */
const PIECE_BYTES = 8 * 1024 * 1024;
const PREFIX = `${FILES.uploads}/`;

export function sharedUploads(home: string, objects: ObjectStorage): Uploads {
  const prefixOf = (uploadId: string): string => {
    const { job, index } = uploadParts(uploadId);
    return `${PREFIX}${job}/${index}/`;
  };

  /** The imports whose files were kept at the last look. */
  let swept: ReadonlySet<string> | undefined;

  /** From the beginning to the first gap. Whatever was sent twice has the same bytes: it is one file's. */
  async function piecesOf(uploadId: string): Promise<ListedObject[]> {
    const prefix = prefixOf(uploadId);
    const found = new Map<number, ListedObject>();
    for await (const piece of objects.list(prefix)) found.set(Number(piece.name.slice(prefix.length)), piece);
    const pieces: ListedObject[] = [];
    for (let next = found.get(0), at = 0; next !== undefined; next = found.get(at)) {
      pieces.push(next);
      at += next.sizeBytes;
    }
    return pieces;
  }

  async function join(uploadId: string, path: string): Promise<void> {
    const pieces = await piecesOf(uploadId);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const aside = `${path}.${randomBytes(6).toString("hex")}`;
    try {
      await pipeline(readPieces(objects, pieces), createWriteStream(aside, { mode: 0o600, flags: "wx" }));
      // An import that another process goes on with knows the file by its time, too.
      const sentAt = Math.max(...pieces.map(({ modifiedAt }) => modifiedAt)) / 1000;
      await utimes(aside, sentAt, sentAt);
      await rename(aside, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOSPC")
        throw new PdppError("storage_full", "the disk is full; what was sent stays where it is");
      throw error;
    } finally {
      await rm(aside, { force: true });
    }
  }

  return {
    bytes: async (uploadId) => sizeOf(await piecesOf(uploadId)),
    async append(uploadId, bytes, { offset, size }) {
      const prefix = prefixOf(uploadId);
      let held: Uint8Array[] = [];
      let at = offset;
      let end = offset;
      const flush = async (): Promise<void> => {
        const own = held;
        held = [];
        if (end === at) return;
        await objects.put(prefix + at, each(own), { sizeBytes: end - at });
        at = end;
      };
      try {
        for await (const part of bytes) {
          if (end + part.byteLength > size) throw moreCame(size);
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
      const path = uploadPath(home, uploadId);
      const joined = await stat(path).catch(() => undefined);
      if (joined === undefined) await join(uploadId, path);
      return path;
    },
    forget: (importId) => removeUploads(home, [importId], new Set()),
    async keep(importIds) {
      // A look costs money, and something is to be removed only when an import has ended.
      if (isSame(swept, await importIds())) return;
      const sent: { name: string; job: string }[] = [];
      for await (const { name } of objects.list(PREFIX)) sent.push({ name, job: name.split("/")[1]! });
      const folders = await uploadFolders(home);
      const kept = await importIds();
      await objects.delete(sent.filter(({ job }) => !kept.has(job)).map(({ name }) => name));
      await removeUploads(home, folders, kept);
      swept = kept;
    },
    any: () => objects.mayHold(FILES.uploads),
  };
}

const isSame = (one: ReadonlySet<string> | undefined, other: ReadonlySet<string>): boolean =>
  one?.size === other.size && [...one].every((id) => other.has(id));

const sizeOf = (pieces: readonly ListedObject[]): number => pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

async function* each(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function* readPieces(objects: ObjectStorage, pieces: readonly ListedObject[]): AsyncGenerator<Uint8Array> {
  for (const { name, sizeBytes } of pieces) {
    const bytes = await objects.open(name);
    let left = sizeBytes;
    for await (const part of bytes ?? []) {
      left -= (part as Uint8Array).byteLength;
      yield part as Uint8Array;
    }
    if (left !== 0) throw new PdppError("store_unavailable", "a piece of the upload went while it was read");
  }
}
