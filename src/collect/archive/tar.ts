// Tar archives, also gzipped: read once to list them, and again from the start for each entry that is opened.
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Entry } from "../entry.ts";
import { type ArchiveLimits, ArchiveRefused, totalMeter, watched } from "./limits.ts";
import { decodeName, isClutter, plainPath } from "./names.ts";
import type { Unpacked } from "./unpacked.ts";

const BLOCK = 512;

interface Header {
  path: string;
  size: number;
  modifiedAt: number;
  regular: boolean;
}

export async function openTar(
  file: string,
  { gzipped, packed }: { gzipped: boolean; packed: number },
  unpacked: Unpacked,
  limits: ArchiveLimits,
): Promise<Entry[]> {
  const bytes = (): Readable => {
    const stream = createReadStream(file);
    return gzipped ? stream.on("error", () => undefined).pipe(createGunzip()) : stream;
  };
  const total = totalMeter(limits);
  const entries: Entry[] = [];
  let index = 0;
  for await (const { header } of members(bytes(), limits)) {
    const own = index++;
    if (!header.regular || header.path === "" || isClutter(header.path)) continue;
    if (entries.length >= limits.entries) throw new ArchiveRefused(`it has more than ${limits.entries} entries`);
    const open = async function* (): AsyncGenerator<Uint8Array> {
      let at = 0;
      for await (const { header: found, body } of members(bytes(), limits)) {
        if (at++ !== own) continue;
        yield* watched(body(), { path: found.path, packed: gzipped ? packed : found.size }, total, limits);
        return;
      }
    };
    entries.push({
      path: header.path,
      size: header.size,
      modifiedAt: header.modifiedAt,
      open,
      file: () => unpacked.copy(header.path, open()),
    });
  }
  return entries;
}

/** Each member with its body; a body that is not read is passed over. */
async function* members(
  stream: Readable,
  limits: ArchiveLimits,
): AsyncGenerator<{ header: Header; body: () => AsyncGenerator<Uint8Array> }> {
  const reader = blockReader(stream);
  let longName: string | undefined;
  try {
    for (;;) {
      const block = await reader.take(BLOCK);
      if (block.length < BLOCK || block.every((byte) => byte === 0)) return;
      const header = parseHeader(block);
      if (header === undefined) throw new ArchiveRefused("this is no tar archive, or it is broken here");
      const type = String.fromCharCode(block[156]!);
      const padded = Math.ceil(header.size / BLOCK) * BLOCK;
      // GNU long names and pax headers stand before the member they are for.
      if (type === "L" || type === "x") {
        if (header.size > 1024 * 1024) throw new ArchiveRefused("a name in it is longer than a megabyte");
        const text = await reader.take(padded);
        longName = type === "L" ? decodeName(untilNul(text)) : (paxPath(text.subarray(0, header.size)) ?? longName);
        continue;
      }
      const named = { ...header, path: plainPath(longName ?? header.path) };
      longName = undefined;
      if (type === "g") {
        await reader.skip(padded);
        continue;
      }
      let left = header.size;
      const body = async function* (): AsyncGenerator<Uint8Array> {
        while (left > 0) {
          const part = await reader.some(left);
          if (part.length === 0) throw new ArchiveRefused(`${named.path} ends too early`);
          left -= part.length;
          yield part;
        }
      };
      if (header.size > limits.entryBytes)
        throw new ArchiveRefused(`${named.path} is larger than ${limits.entryBytes} bytes`);
      yield { header: named, body };
      await reader.skip(left + (padded - header.size));
    }
  } finally {
    stream.destroy();
  }
}

function parseHeader(block: Buffer): Header | undefined {
  const size = octal(block.subarray(124, 136));
  const sum = octal(block.subarray(148, 156));
  if (size === undefined || sum === undefined) return undefined;
  let actual = 0;
  for (let at = 0; at < BLOCK; at++) actual += at >= 148 && at < 156 ? 32 : block[at]!;
  if (actual !== sum) return undefined;
  const prefix = decodeName(untilNul(block.subarray(345, 500)));
  const name = decodeName(untilNul(block.subarray(0, 100)));
  const ustar = block.subarray(257, 262).toString("latin1") === "ustar";
  const type = block[156]!;
  return {
    path: plainPath(ustar && prefix !== "" ? `${prefix}/${name}` : name),
    size,
    modifiedAt: (octal(block.subarray(136, 148)) ?? 0) * 1000,
    regular: type === 0 || type === 48,
  };
}

const untilNul = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
};

/** Octal text, or base 256 for what is too large for that. */
function octal(bytes: Buffer): number | undefined {
  if (bytes[0]! & 0x80) {
    const value = bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const text = untilNul(bytes).toString("latin1").trim();
  return text === "" ? 0 : /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

function paxPath(bytes: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(decodeName(bytes))?.[1];
}

function blockReader(stream: Readable) {
  const parts = stream[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { value, done } = (await parts.next()) as { value?: Buffer; done?: boolean };
    if (done || value === undefined) return false;
    held = held.length === 0 ? value : Buffer.concat([held, value]);
    return true;
  };
  const cut = (bytes: number): Buffer => {
    const part = held.subarray(0, bytes);
    held = held.subarray(part.length);
    return part;
  };
  return {
    async take(bytes: number): Promise<Buffer> {
      while (held.length < bytes && (await more()));
      return cut(bytes);
    },
    async some(most: number): Promise<Buffer> {
      if (held.length === 0) await more();
      return cut(most);
    },
    async skip(bytes: number): Promise<void> {
      let left = bytes;
      while (left > 0) {
        if (held.length === 0 && !(await more())) return;
        left -= cut(left).length;
      }
    },
  };
}
