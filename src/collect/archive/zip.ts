// Zip archives: entries listed from the directory at the end, each opened as a stream where it lies.
import type { Readable } from "node:stream";
import yauzl from "yauzl";
import type { Entry } from "../entry.ts";
import { type ArchiveLimits, ArchiveRefused, totalMeter, watched } from "./limits.ts";
import { decodeName, isClutter, plainPath } from "./names.ts";
import type { Unpacked } from "./unpacked.ts";

export async function openZip(file: string, unpacked: Unpacked, limits: ArchiveLimits): Promise<Entry[]> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false, decodeStrings: false });
  unpacked.onClose(async () => zip.close());
  const total = totalMeter(limits);
  const entries: Entry[] = [];
  for await (const item of zip.eachEntry()) {
    const path = plainPath(decodeName(item.fileNameRaw));
    if (path === "" || /\/$/.test(decodeName(item.fileNameRaw)) || isClutter(path)) continue;
    if (entries.length >= limits.entries) throw new ArchiveRefused(`it has more than ${limits.entries} entries`);
    const open = async function* (): AsyncGenerator<Uint8Array> {
      if (item.isEncrypted()) throw new ArchiveRefused(`${path} is encrypted; unpack it with its password first`);
      const stream: Readable = await zip.openReadStreamPromise(item);
      yield* watched(stream, { path, packed: item.compressedSize }, total, limits);
    };
    entries.push({
      path,
      size: item.uncompressedSize,
      modifiedAt: item.getLastModDate().getTime(),
      open,
      file: () => unpacked.copy(path, open()),
    });
  }
  return entries;
}
