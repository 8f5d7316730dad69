// From paths that people give to entries: files, folders, and what lies in archives, in a fixed order.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { createGunzip } from "node:zlib";
import { ARCHIVE_LIMITS, type ArchiveLimits, ArchiveRefused, totalMeter, watched } from "./archive/limits.ts";
import { isClutter } from "./archive/names.ts";
import { openTar } from "./archive/tar.ts";
import type { Unpacked } from "./archive/unpacked.ts";
import { openZip } from "./archive/zip.ts";
import type { Entry } from "./entry.ts";

/** One thing that was given, with all that is in it. */
export interface Root {
  /** As people call it: the last part of its path, without what split archives add. */
  name: string;
  entries: Entry[];
  /** What could not be read, and why. */
  unreadable: { path: string; reason: string }[];
}

export async function walk(
  paths: readonly string[],
  unpacked: Unpacked,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<Root[]> {
  const roots = new Map<string, Root>();
  for (const path of paths) {
    const name = rootName(basename(await realpath(path)));
    const root = roots.get(name) ?? { name, entries: [], unreadable: [] };
    roots.set(name, root);
    await walkInto(root, path, "", unpacked, limits);
  }
  for (const root of roots.values())
    root.entries.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  return [...roots.values()];
}

/** takeout-20240101T000000Z-001.zip and -002.zip are one export; so are archive.zip and the folder archive. */
const rootName = (name: string): string =>
  name.replace(/\.(?:zip|tar|tgz|tar\.gz)$/i, "").replace(/^(takeout-\d{8}T\d{6}Z)(?:-\d+)*$/i, "$1");

async function walkInto(
  root: Root,
  disk: string,
  path: string,
  unpacked: Unpacked,
  limits: ArchiveLimits,
): Promise<void> {
  const refuse = (error: unknown): void => {
    root.unreadable.push({ path: path || basename(disk), reason: reasonOf(error) });
  };
  try {
    const found = await lstat(disk);
    // A link could lead anywhere; only what was named itself is followed.
    if (found.isSymbolicLink() && path !== "") return;
    const real = found.isSymbolicLink() ? await realpath(disk) : disk;
    const facts = found.isSymbolicLink() ? await lstat(real) : found;
    if (facts.isDirectory()) {
      const names = (await readdir(real)).sort();
      for (const name of names) {
        const inner = path === "" ? name : `${path}/${name}`;
        if (!isClutter(inner)) await walkInto(root, join(real, name), inner, unpacked, limits);
      }
      return;
    }
    if (!facts.isFile()) {
      root.unreadable.push({ path: path || basename(disk), reason: "it is neither a file nor a folder" });
      return;
    }
    const own: Entry = {
      path: path || basename(disk),
      size: facts.size,
      modifiedAt: facts.mtimeMs,
      open: () => createReadStream(real),
      digest: digestOf(real),
      file: async () => real,
    };
    await addEntry(root, own, unpacked, limits, 0, path === "");
  } catch (error) {
    refuse(error);
  }
}

/** An archive gives its entries; anything else is one. Archives of other formats' own (docx, apk) are files. */
async function addEntry(
  root: Root,
  entry: Entry,
  unpacked: Unpacked,
  limits: ArchiveLimits,
  depth: number,
  isRoot: boolean,
): Promise<void> {
  const kind = archiveKind(entry.path);
  if (kind === undefined) {
    root.entries.push(entry);
    return;
  }
  try {
    if (depth >= limits.depth) throw new ArchiveRefused(`archives lie ${limits.depth} deep in one another`);
    const inner = await unfold(entry, kind, unpacked, limits);
    for (const one of inner) {
      const path = isRoot ? one.path : `${entry.path}/${one.path}`;
      await addEntry(root, { ...one, path, digest: entry.digest }, unpacked, limits, depth + 1, false);
    }
  } catch (error) {
    root.unreadable.push({ path: entry.path, reason: reasonOf(error) });
  }
}

async function unfold(entry: Entry, kind: ArchiveKind, unpacked: Unpacked, limits: ArchiveLimits): Promise<Entry[]> {
  const file = await entry.file();
  const head = await firstBytes(file, 4);
  const gzipped = head[0] === 0x1f && head[1] === 0x8b;
  if (kind === "zip") {
    if (head.toString("latin1").slice(0, 2) !== "PK")
      throw new ArchiveRefused("it is called a zip archive and is none");
    return openZip(file, unpacked, limits);
  }
  if (kind === "tar") return openTar(file, { gzipped, packed: entry.size }, unpacked, limits);
  if (!gzipped) throw new ArchiveRefused("it is called gzipped and is not");
  const path = entry.path.split("/").at(-1)!.replace(/\.gz$/i, "");
  const total = totalMeter(limits);
  const bytes = (): AsyncIterable<Uint8Array> =>
    watched(createReadStream(file).pipe(createGunzip()), { path, packed: entry.size }, total, limits);
  return [{ path, size: -1, open: bytes, file: () => unpacked.copy(entry.path, bytes()) }];
}

/** Computed when it is asked for, and once. */
function digestOf(file: string): () => Promise<string> {
  let digest: Promise<string> | undefined;
  const compute = async (): Promise<string> => {
    const hash = createHash("sha256");
    for await (const part of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(part as Buffer);
    return `sha256:${hash.digest("hex")}`;
  };
  return () => {
    digest ??= compute();
    return digest;
  };
}

type ArchiveKind = "zip" | "tar" | "gzip";

function archiveKind(path: string): ArchiveKind | undefined {
  const name = path.toLowerCase();
  if (name.endsWith(".zip")) return "zip";
  if (/\.(?:tar|tgz|tar\.gz)$/.test(name)) return "tar";
  return name.endsWith(".gz") ? "gzip" : undefined;
}

async function firstBytes(file: string, count: number): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, "r");
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle?.close();
  }
}

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read by this user",
  EPERM: "it may not be read by this user",
  ELOOP: "its links go round in a circle",
};

export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ""] ?? message;
}
