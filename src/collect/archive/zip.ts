// Reads zip archives: lists the entries from the directory at the end, and opens each as a stream in place.
import yauzl from "yauzl";
import type { Entry } from "../entry.ts";
import { openCutZip } from "./cut-zip.ts";
import { ArchiveRefused, type Meter, watcher } from "./limits.ts";
import { isClutter, isUtf8Name, plainPath } from "./names.ts";
import type { Unpacked } from "./unpacked.ts";

const UNICODE_PATH = 0x7075;
/**
 * Archives stay open, because an export of many small files is read file by file. Their number is limited so that they
 * do not use up all file descriptors.
 */
const OPEN_MAX = 16;

/** Yields the entries that can be listed. If the rest of the directory is broken, the error follows. */
export async function* openZip(file: string, unpacked: Unpacked, meter: Meter): AsyncGenerator<Entry> {
  let zip: yauzl.ZipFile;
  try {
    zip = await opened(file);
  } catch (error) {
    // The directory is at the end. For a truncated archive, yield the entries before the cut first.
    if (isCutOff(error)) yield* openCutZip(file, unpacked, meter);
    throw error;
  }
  for await (const entry of entriesOf(zip, () => pooled(file), meter))
    yield { ...entry, file: unpacked.copier(entry.path, entry.open) };
}

const isCutOff = (error: unknown): boolean =>
  /^End of central directory record signature not found/.test(String((error as Error).message));

/** An entry of an archive that is held in memory. The entry is available only as a stream. */
export type StreamedEntry = Omit<Entry, "file">;

export async function* openZipBytes(bytes: Uint8Array, meter: Meter): AsyncGenerator<StreamedEntry> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const open = (): Promise<yauzl.ZipFile> => yauzl.fromBufferPromise(buffer, OPTIONS);
  yield* entriesOf(await open(), open, meter);
}

async function* entriesOf(
  zip: yauzl.ZipFile,
  reopen: () => Promise<yauzl.ZipFile>,
  meter: Meter,
): AsyncGenerator<StreamedEntry> {
  const items: yauzl.Entry[] = [];
  let failure: unknown;
  try {
    for await (const item of zip.eachEntry()) {
      meter.addEntry();
      items.push(item);
    }
  } catch (error) {
    failure = error;
  } finally {
    zip.close();
  }
  refuseOverlaps(items);
  for (const item of items) {
    const name = nameOf(item);
    const path = plainPath(name);
    if (path === "" || /[\\/]$/.test(name) || isClutter(path)) continue;
    const watch = watcher(path, item.compressedSize, meter);
    const open = async function* (): AsyncGenerator<Uint8Array> {
      if (item.isEncrypted()) throw new ArchiveRefused(`${path} is encrypted; unpack it with its password first`);
      const stream = await (await reopen()).openReadStreamPromise(item);
      yield* watch(stream);
    };
    yield { path, size: item.uncompressedSize, modifiedAt: item.getLastModDate().getTime(), open };
  }
  if (failure !== undefined) throw failure;
}

const OPTIONS = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;

const opened = (file: string): Promise<yauzl.ZipFile> => yauzl.openPromise(file, OPTIONS);

const pool = new Map<string, Promise<yauzl.ZipFile>>();

function pooled(file: string): Promise<yauzl.ZipFile> {
  const zip = pool.get(file) ?? opened(file);
  // Keep the most recently used archive at the end, so that it is closed last.
  pool.delete(file);
  pool.set(file, zip);
  if (pool.size > OPEN_MAX) {
    const [oldest, closing] = pool.entries().next().value!;
    pool.delete(oldest);
    // Streams that are still being read keep the archive open until they end.
    closing.then(
      (one) => one.close(),
      () => undefined,
    );
  }
  return zip;
}

/** Some programs write UTF-8 without setting the flag. All other names are in the DOS code page. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: yauzl.Entry): string {
  const hasUnicodePath = extraFields.some(({ id }) => id === UNICODE_PATH);
  if (!hasUnicodePath && isUtf8Name(fileNameRaw)) return fileNameRaw.toString("utf8");
  return yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

/** A small file can expand to petabytes if its entries share bytes. No ordinary program writes such entries. */
function refuseOverlaps(items: readonly yauzl.Entry[]): void {
  const spans = items
    .map(({ relativeOffsetOfLocalHeader: start, compressedSize }) => ({ start, end: start + 30 + compressedSize }))
    .sort((one, other) => one.start - other.start);
  for (const [index, { start }] of spans.entries()) {
    if (index > 0 && start < spans[index - 1]!.end) throw new ArchiveRefused("entries in it overlap");
  }
}
