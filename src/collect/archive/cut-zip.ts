// Reads zip archives whose end is missing: finds the entries by their local headers, one after another, up to the cut.
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInflateRaw } from "node:zlib";
import type { Entry } from "../entry.ts";
import { ArchiveRefused, type Meter, watcher } from "./limits.ts";
import { decodeName, isClutter, plainPath } from "./names.ts";
import type { Unpacked } from "./unpacked.ts";

const HEADER_BYTES = 30;
const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const ENCRYPTED = 1;
/** The flag that says that the sizes follow the data. */
const SIZES_FOLLOW = 8;
const STORED = 0;
const DEFLATED = 8;
const ZIP64 = 0xffffffff;

interface Local {
  path: string;
  isFolder: boolean;
  flags: number;
  method: number;
  packed: number;
  start: number;
  modifiedAt: number;
}

export async function* openCutZip(file: string, unpacked: Unpacked, meter: Meter): AsyncGenerator<Entry> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    for (let at = 0; ; ) {
      const local = await localAt(handle, at);
      if (local === undefined) return;
      meter.addEntry();
      const { path, start, flags, method } = local;
      const watch = watcher(path, size - start, meter);
      const hasSize = (flags & SIZES_FOLLOW) === 0 || local.packed > 0;
      const packed = hasSize ? local.packed : await packedBytes(file, local, watch);
      const bytes = async function* (): AsyncGenerator<Uint8Array> {
        if ((flags & ENCRYPTED) !== 0)
          throw new ArchiveRefused(`${path} is encrypted; unpack it with its password first`);
        if (method !== STORED && method !== DEFLATED)
          throw new ArchiveRefused(`${path} uses an unsupported compression method; unpack it first`);
        if (packed !== 0) yield* unpackedBytes(file, start, packed, method);
        if (packed === undefined || start + packed > size)
          throw new ArchiveRefused(`${path} is cut off: the archive is truncated`);
      };
      const own = (): AsyncGenerator<Uint8Array> => watch(bytes());
      if (path !== "" && !local.isFolder && !isClutter(path))
        yield { path, size: -1, modifiedAt: local.modifiedAt, open: own, file: unpacked.copier(path, own) };
      if (packed === undefined) return;
      at = start + packed + (hasSize ? 0 : await descriptorBytes(handle, start + packed));
    }
  } finally {
    await handle.close();
  }
}

async function localAt(handle: FileHandle, at: number): Promise<Local | undefined> {
  const { buffer: header, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, at);
  if (bytesRead < HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER) return undefined;
  const [nameBytes, extraBytes] = [header.readUInt16LE(26), header.readUInt16LE(28)];
  const rest = Buffer.alloc(nameBytes + extraBytes);
  if ((await handle.read(rest, 0, rest.length, at + HEADER_BYTES)).bytesRead < rest.length) return undefined;
  const name = decodeName(rest.subarray(0, nameBytes));
  const packed = header.readUInt32LE(18);
  return {
    path: plainPath(name),
    isFolder: /[\\/]$/.test(name),
    flags: header.readUInt16LE(6),
    method: header.readUInt16LE(8),
    packed: packed === ZIP64 ? zip64Packed(rest.subarray(nameBytes)) : packed,
    start: at + HEADER_BYTES + rest.length,
    modifiedAt: dosTime(header.readUInt16LE(12), header.readUInt16LE(10)),
  };
}

/** Extra field 1 contains both sizes; the packed size is the second. */
function zip64Packed(extra: Buffer): number {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1 && at + 20 <= extra.length) return Number(extra.readBigUInt64LE(at + 12));
  }
  throw new ArchiveRefused("an entry in it has no length");
}

const dosTime = (date: number, time: number): number =>
  new Date(
    (date >> 9) + 1980,
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  ).getTime();

/** Returns the length of packed data with no stated size, or undefined if the data ends beyond the cut. */
async function packedBytes(
  file: string,
  { start, method }: Local,
  watch: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): Promise<number | undefined> {
  if (method !== DEFLATED) return undefined;
  const inflate = createInflateRaw();
  const source = createReadStream(file, { start });
  source.pipe(inflate);
  try {
    for await (const _part of watch(inflate));
    return inflate.bytesWritten;
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error;
    return undefined;
  } finally {
    source.destroy();
  }
}

async function* unpackedBytes(
  file: string,
  start: number,
  packed: number | undefined,
  method: number,
): AsyncGenerator<Uint8Array> {
  const end = packed === undefined ? {} : { end: start + packed - 1 };
  const source = createReadStream(file, { start, ...end });
  if (method === STORED) {
    yield* source;
    return;
  }
  const inflate = createInflateRaw();
  source.on("error", (error) => inflate.destroy(error));
  source.pipe(inflate);
  try {
    yield* inflate;
  } catch (error) {
    // The end is missing. Everything that could be unpacked has been returned, and the caller reports the error.
    if ((error as NodeJS.ErrnoException).code !== "Z_BUF_ERROR") throw error;
  } finally {
    source.destroy();
  }
}

/** The data is followed by an optional signature, the checksum and both sizes. */
async function descriptorBytes(handle: FileHandle, at: number): Promise<number> {
  for (const length of [16, 12, 24, 20]) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length + 4), 0, length + 4, at);
    const isMarked = bytesRead >= 4 && buffer.readUInt32LE(0) === DESCRIPTOR;
    const isFitting = isMarked === (length === 16 || length === 24);
    if (isFitting && bytesRead === length + 4 && buffer.readUInt32LE(length) === LOCAL_HEADER) return length;
  }
  return 16;
}
