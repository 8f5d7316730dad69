// Checks a backup and unpacks it into a directory. The backup can be a repository, an archive of one, or a copy made by
// an earlier version.
import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import type { BlobRow } from "../../store/rows.ts";
import { checkDatabase, listBlobs } from "../../store/sqlite/maintenance.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";
import { blobName } from "../blob-files.ts";
import { unpackArchive } from "./archive.ts";
import { type ChunkId, type ChunkNames, namesFrom, PAGE_BYTES, PIECE_BYTES, piecesOf } from "./chunks.ts";
import { restoreCopied } from "./copied-backup.ts";
import { backupDamaged } from "./damaged.ts";
import { type Manifest, type ManifestFile, readManifest } from "./manifest.ts";
import type { PackIndex } from "./pack-index.ts";
import { readPack } from "./pack-reader.ts";
import { openIdentity } from "./passphrase.ts";
import {
  IDENTITY_FILE,
  indexesOf,
  isRepository,
  openRepository,
  type Repository,
  type Snapshot,
  snapshotFile,
  snapshotsIn,
} from "./repository.ts";

export interface BackupSource {
  /** A backup directory, or an archive of one. */
  directory: string;
  /** A snapshot's name or a prefix of it. The default is the newest snapshot. */
  at?: string;
  passphrase?: string;
  onProgress?: (text: string) => void;
}

export interface RestoredSnapshot {
  created_at: string;
  counts: Record<string, number>;
  missing_blobs: string[];
}

interface UnpackOptions extends BackupSource {
  into: string;
  /** If true, blobs are checked but not written. */
  checkOnly?: boolean;
}

export async function unpackBackup(options: UnpackOptions): Promise<RestoredSnapshot> {
  const { directory, into } = options;
  if (statSync(directory, { throwIfNoEntry: false })?.isFile()) {
    const folder = join(into, "archive");
    await unpackArchive(directory, folder, options.passphrase);
    const restored = await unpackRepository({ ...options, directory: folder });
    await rm(folder, { recursive: true });
    return restored;
  }
  return isRepository(directory) ? unpackRepository(options) : restoreCopied(directory, into);
}

async function unpackRepository(options: UnpackOptions): Promise<RestoredSnapshot> {
  const { directory, at, passphrase, into, onProgress = () => {}, checkOnly = false } = options;
  const repository = await openRepository(directory);
  const snapshot = chosen(await snapshotsIn(repository), at, directory);
  const identity =
    repository.recipient === undefined
      ? undefined
      : await openIdentity(await readFile(join(directory, IDENTITY_FILE)), passphrase);
  const manifest = await readManifest(snapshotFile(repository, snapshot.name), identity);
  const packs = await indexesOf(repository, Object.keys(snapshot.packs));
  const reader = { repository, packs, onProgress, ...(identity === undefined ? {} : { identity }) };
  onProgress("databases");
  await writeDatabases(reader, manifest, into);
  onProgress("blobs");
  await writeBlobs(reader, manifest, into, checkOnly);
  const { created_at, counts, missing_blobs } = manifest;
  return { created_at, counts, missing_blobs };
}

function chosen(snapshots: readonly Snapshot[], at: string | undefined, directory: string): Snapshot {
  const wanted = at === undefined ? undefined : at.replace(/:|\.\d+/g, (part) => (part === ":" ? "-" : ""));
  // A second snapshot within the same second has a longer name, so look for an exact match first.
  const found =
    snapshots.find(({ name }) => name === wanted) ??
    snapshots.find(({ name }) => wanted === undefined || name.startsWith(wanted));
  if (found !== undefined) return found;
  const names = snapshots.slice(0, 5).map(({ name }) => name);
  throw new PdppError(
    "not_found",
    at === undefined ? `${directory} has no complete backup` : `there is no backup from ${at}`,
    {
      param: "at",
      next_step: names.length === 0 ? "Choose another directory." : `Choose one of these: ${names.join(", ")}.`,
    },
  );
}

interface RepositoryReader {
  repository: Repository;
  packs: readonly PackIndex[];
  identity?: string;
  onProgress: (text: string) => void;
}

/** Reads each pack that contains needed chunks exactly once. Throws if a chunk is in no pack. */
async function readChunks(
  { repository, packs, identity, onProgress }: RepositoryReader,
  wanted: ReadonlySet<ChunkId>,
  take: (id: ChunkId, bytes: Buffer) => Promise<void>,
): Promise<void> {
  const left = new Set(wanted);
  const needed = packs.filter(({ chunks }) => chunks.some(({ id }) => left.has(id)));
  for (const [done, pack] of needed.entries()) {
    onProgress(`pack ${done + 1} of ${needed.length}`);
    await readPack(pack, {
      folder: repository.packs,
      ...(identity === undefined ? {} : { identity }),
      wants: (id) => left.has(id),
      async take(id, bytes) {
        left.delete(id);
        await take(id, bytes);
      },
    });
  }
  if (left.size > 0) throw backupDamaged(`${left.size} of its chunks are missing`);
}

async function writeDatabases(reader: RepositoryReader, manifest: Manifest, into: string): Promise<void> {
  const paths = new Set(manifest.files.map(({ path }) => path));
  for (const needed of [FILES.records, FILES.audit, FILES.key])
    if (!paths.has(needed)) throw backupDamaged(`its manifest does not list ${needed}`);
  const names = namesFrom(manifest.secret);
  const places = new Map<ChunkId, [file: number, at: number][]>();
  const handles: FileHandle[] = [];
  try {
    for (const [file, { path, chunks }] of manifest.files.entries()) {
      await mkdir(dirname(join(into, path)), { recursive: true, mode: 0o700 });
      handles.push(await open(join(into, path), "wx", 0o600));
      for (const [index, id] of chunks.entries()) {
        const known = places.get(id);
        if (known === undefined) places.set(id, [[file, index * PAGE_BYTES]]);
        else known.push([file, index * PAGE_BYTES]);
      }
    }
    await readChunks(reader, new Set(places.keys()), async (id, bytes) => {
      if (names.ofPage(bytes) !== id) throw backupDamaged("a page does not match its id");
      for (const [file, at] of places.get(id)!) await handles[file]!.write(bytes, 0, bytes.length, at);
    });
    for (const [file, handle] of handles.entries()) {
      await checkSize(handle, manifest.files[file]!);
      await handle.sync();
    }
  } finally {
    for (const handle of handles) await handle.close();
  }
}

async function checkSize(handle: FileHandle, { path, bytes }: ManifestFile): Promise<void> {
  if ((await handle.stat()).size !== bytes) throw backupDamaged(`${path} does not match the manifest`);
}

async function writeBlobs(
  reader: RepositoryReader,
  { secret, missing_blobs }: Manifest,
  into: string,
  checkOnly: boolean,
): Promise<void> {
  const names = namesFrom(secret);
  const missing = new Set(missing_blobs);
  const blobs = listBlobs(join(into, FILES.records)).filter(({ blobId }) => !missing.has(blobId));
  const places = placesOf(blobs, names);
  if (!checkOnly) await makeEmpty(blobs, into);
  await readChunks(reader, new Set(places.keys()), async (id, bytes) => {
    const { row, index } = places.get(id)!;
    const expected = Math.min(PIECE_BYTES, row.sizeBytes - index * PIECE_BYTES);
    if (bytes.length !== expected) throw backupDamaged(`the blob ${row.blobId} does not match the records`);
    if (!checkOnly) await writeAt(pathOf(into, row), bytes, index * PIECE_BYTES);
  });
  if (!checkOnly) for (const row of blobs) await checkBlob(pathOf(into, row), row);
}

const pathOf = (into: string, { blobId, generation }: BlobRow): string => join(into, blobName(blobId, generation));

function placesOf(blobs: readonly BlobRow[], names: ChunkNames): Map<ChunkId, { row: BlobRow; index: number }> {
  const places = new Map<ChunkId, { row: BlobRow; index: number }>();
  for (const row of blobs) for (const [index, id] of piecesOf(row, names).entries()) places.set(id, { row, index });
  return places;
}

async function makeEmpty(blobs: readonly BlobRow[], into: string): Promise<void> {
  await mkdir(join(into, FILES.blobs), { recursive: true, mode: 0o700 });
  for (const row of blobs) {
    await mkdir(dirname(pathOf(into, row)), { recursive: true, mode: 0o700 });
    await (await open(pathOf(into, row), "wx", 0o600)).close();
  }
}

async function writeAt(path: string, bytes: Buffer, at: number): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.write(bytes, 0, bytes.length, at);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function checkBlob(path: string, { blobId, sha256 }: BlobRow): Promise<void> {
  const digest = createHash("sha256");
  for await (const part of createReadStream(path)) digest.update(part as Buffer);
  if (digest.digest("hex") !== sha256) throw backupDamaged(`the blob ${blobId} does not match its name`);
}

/**
 * Checks that a backup could be restored: everything is read, and SQLite checks the databases. Throws if something is
 * wrong.
 */
export function checkUnpacked(into: string): void {
  for (const name of [FILES.records, FILES.audit]) {
    if (!existsSync(join(into, name))) throw backupDamaged(`${name} is missing`);
    const { problems } = checkDatabase(join(into, name));
    if (problems.length > 0) throw backupDamaged(`${name}: ${problems[0]}`);
  }
}
