// Reads tar archives: headers one after another, and each entry in place. A gzipped archive is first unpacked to a
// copy.
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Entry } from "../entry.ts";
import { ArchiveRefused, type Meter, watcher } from "./limits.ts";
import { decodeName, isClutter, plainPath } from "./names.ts";
import type { Unpacked } from "./unpacked.ts";

const BLOCK = 512;
/** The maximum size of the names and attributes that precede a member. */
const EXTENDED_MAX = 1024 * 1024;

export async function* openTar(file: string, unpacked: Unpacked, meter: Meter): AsyncGenerator<Entry> {
  for await (const { path, size, start, modifiedAt } of members(file, meter)) {
    if (path === "" || isClutter(path)) continue;
    const watch = watcher(path, size, meter);
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      if (size === 0) return;
      let left = size;
      for await (const part of createReadStream(file, { start, end: start + size - 1 }) as AsyncIterable<Buffer>) {
        left -= part.length;
        yield part;
      }
      if (left > 0) throw new ArchiveRefused(`${path} is cut off: the archive is truncated`);
    };
    const own = (): AsyncGenerator<Uint8Array> => watch(bytes());
    yield { path, size, modifiedAt, open: own, file: unpacked.copier(path, own) };
  }
}

interface Member {
  path: string;
  size: number;
  start: number;
  modifiedAt: number;
}

/** Attributes from the headers before a member. */
interface PaxHeader {
  path?: string;
  size?: number;
  modifiedAt?: number;
  sparse?: boolean;
}

/**
 * Yields only files, not links, devices or folders. Sparse files are refused after all other files have been yielded.
 */
async function* members(file: string, meter: Meter): AsyncGenerator<Member> {
  const handle = await open(file, "r");
  const sparse: string[] = [];
  try {
    let attributesBefore: PaxHeader = {};
    for (let at = 0; ; ) {
      const block = await blockAt(handle, at, BLOCK);
      if (block.length === 0 || block.every((byte) => byte === 0)) break;
      if (block.length < BLOCK) throw new ArchiveRefused("it is incomplete; download it again");
      const header = parseHeader(block);
      if (header === undefined) {
        throw new ArchiveRefused(
          at === 0 ? "it has the name of a tar archive but is not one" : `it is broken at byte ${at}`,
        );
      }
      meter.addEntry();
      at += BLOCK;
      const { type } = header;
      if (type === "L" || type === "x") {
        if (header.size > EXTENDED_MAX) throw new ArchiveRefused("a name in it is longer than a megabyte");
        const bytes = await blockAt(handle, at, header.size);
        attributesBefore =
          type === "L"
            ? { ...attributesBefore, path: decodeName(untilNul(bytes)) }
            : { ...attributesBefore, ...attributes(bytes) };
        at += padded(header.size);
        continue;
      }
      const size = attributesBefore.size ?? header.size;
      if (type === "K" || type === "g") {
        at += padded(header.size);
        continue;
      }
      const path = plainPath(attributesBefore.path ?? header.path);
      if (type === "S") at = await afterSparseMap(handle, block, at);
      if (type === "S" || attributesBefore.sparse) sparse.push(path);
      else if (type === "0" || type === "\0" || type === "7") {
        yield { path, size, start: at, modifiedAt: attributesBefore.modifiedAt ?? header.modifiedAt };
      }
      at += padded(size);
      attributesBefore = {};
    }
  } finally {
    await handle.close();
  }
  if (sparse.length > 0)
    throw new ArchiveRefused(`it contains sparse files (${sparse.slice(0, 5).join(", ")}); unpack it first`);
}

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

async function blockAt(handle: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, position);
  return buffer.subarray(0, bytesRead);
}

/** GNU's oldest sparse format continues its map in extra blocks after the header. */
async function afterSparseMap(handle: FileHandle, header: Buffer, start: number): Promise<number> {
  let at = start;
  for (let more = header[482] === 1; more; at += BLOCK) {
    const block = await blockAt(handle, at, BLOCK);
    more = block.length === BLOCK && block[504] === 1;
  }
  return at;
}

function parseHeader(block: Buffer): { path: string; size: number; modifiedAt: number; type: string } | undefined {
  const size = octal(block.subarray(124, 136));
  const sum = octal(block.subarray(148, 156));
  if (size === undefined || sum === undefined) return undefined;
  let actual = 0;
  for (let at = 0; at < BLOCK; at++) actual += at >= 148 && at < 156 ? 32 : block[at]!;
  if (actual !== sum) return undefined;
  const prefix = decodeName(untilNul(block.subarray(345, 500)));
  const name = decodeName(untilNul(block.subarray(0, 100)));
  // GNU's own header stores other data where the standard header stores the name prefix.
  const standard = block.subarray(257, 263).toString("latin1") === "ustar\0";
  return {
    path: standard && prefix !== "" ? `${prefix}/${name}` : name,
    size,
    modifiedAt: (octal(block.subarray(136, 148)) ?? 0) * 1000,
    type: String.fromCharCode(block[156]!),
  };
}

const untilNul = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
};

/** Parses octal text, or base 256 for larger values. */
function octal(bytes: Buffer): number | undefined {
  if (bytes[0]! & 0x80) {
    const value = bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const text = untilNul(bytes).toString("latin1").trim();
  return text === "" ? 0 : /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

/**
 * Parses pax attributes: a series of `LENGTH NAME=VALUE\n`. The length includes itself, and a value can contain any
 * bytes.
 */
function attributes(bytes: Buffer): PaxHeader {
  const attributesBefore: PaxHeader = {};
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const length = space === -1 ? Number.NaN : Number(bytes.toString("latin1", at, space));
    if (!Number.isInteger(length) || length < 5 || at + length > bytes.length) break;
    const equals = bytes.indexOf(61, space);
    const name = bytes.toString("latin1", space + 1, equals);
    const value = bytes.subarray(equals + 1, at + length - 1);
    at += length;
    if (name === "path") attributesBefore.path = decodeName(value);
    if (name === "size" && /^\d{1,15}$/.test(value.toString("latin1")))
      attributesBefore.size = Number(value.toString("latin1"));
    if (name === "mtime") attributesBefore.modifiedAt = Math.floor(Number(value.toString("latin1")) * 1000) || 0;
    if (name.startsWith("GNU.sparse.")) attributesBefore.sparse = true;
  }
  return attributesBefore;
}
