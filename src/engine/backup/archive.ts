// A backup as a single file: a tar archive of a repository with one snapshot, encrypted if there is a passphrase. `age
// -d | tar x` opens it without Postern.
import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { Decrypter } from "age-encryption";
import { PdppError } from "../../contract/errors.ts";
import { HOME_MARKER } from "../../store/home-marker.ts";
import { type BytePieces, bytePieces } from "./byte-pieces.ts";
import { backupDamaged } from "./damaged.ts";
import { indexName } from "./pack-index.ts";
import { passphraseNeeded, withPassphrase, wrongPassphrase } from "./passphrase.ts";
import { IDENTITY_FILE, type Repository, type Snapshot } from "./repository.ts";
import { SETTINGS_FILE } from "./settings-file.ts";

const BLOCK = 512;
/** The marker is the archive's first entry, because the files lens never serves a file that begins with it (G-07). */
const NAMES =
  /^(?:postern-home|backups\.json|identity\.age|(?:packs|snapshots)\/[\w-]{1,60}(?:\.index)?(?:\.json|\.snapshot)?)$/;
const AGE = Buffer.from("age-encryption.org/v1\n");

export async function archiveSnapshot(
  repository: Repository,
  { name, packs }: Snapshot,
  passphrase: string | undefined,
): Promise<Readable> {
  const names = [
    HOME_MARKER,
    SETTINGS_FILE,
    ...(repository.recipient === undefined ? [] : [IDENTITY_FILE]),
    `snapshots/${name}.json`,
    `snapshots/${name}.snapshot`,
    ...Object.keys(packs).flatMap((pack) => [`packs/${indexName(pack)}`, `packs/${pack}`]),
  ];
  const plain = Readable.from(tarOf(repository.directory, names), { objectMode: false });
  if (passphrase === undefined) return plain;
  const encrypted = await withPassphrase(passphrase).encrypt(Readable.toWeb(plain) as ReadableStream<Uint8Array>);
  return Readable.fromWeb(encrypted as Parameters<typeof Readable.fromWeb>[0]);
}

async function* tarOf(directory: string, names: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const name of names) {
    const { size } = await stat(join(directory, name));
    yield headerOf(name, size);
    if (size > 0) yield* createReadStream(join(directory, name), { end: size - 1 }) as AsyncIterable<Buffer>;
    yield Buffer.alloc(padding(size));
  }
  yield Buffer.alloc(2 * BLOCK);
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void => {
    header.write(value.toString(8).padStart(length - 1, "0"), at);
  };
  header.write(name, 0);
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257, "latin1");
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}

export async function unpackArchive(path: string, into: string, passphrase: string | undefined): Promise<void> {
  await mkdir(into, { mode: 0o700 });
  const source = createReadStream(path);
  const bytes = bytePieces(await plainOf(path, source, passphrase));
  try {
    for (;;) {
      const header = await bytes.next(BLOCK);
      if (header === undefined || header.length < BLOCK) throw notAnArchive(path, "it ends too early");
      if (header.every((byte) => byte === 0)) break;
      const name = header.toString("latin1", 0, header.indexOf(0));
      const size = Number.parseInt(header.toString("latin1", 124, 135), 8);
      if (!NAMES.test(name) || !Number.isSafeInteger(size)) throw notAnArchive(path, "it contains other files");
      await mkdir(dirname(join(into, name)), { recursive: true, mode: 0o700 });
      await writeMember(join(into, name), size, bytes);
      await bytes.next(padding(size));
    }
  } catch (error) {
    if (error instanceof PdppError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw backupDamaged("the archive is damaged");
  } finally {
    source.destroy();
  }
  if (!existsSync(join(into, SETTINGS_FILE)) || (await readdir(into)).length < 3)
    throw notAnArchive(path, "parts of it are missing");
}

const notAnArchive = (path: string, why: string): PdppError =>
  new PdppError("invalid_request", `${path} is not a backup archive: ${why}`, {
    next_step: "Choose a file that was downloaded as a backup, or a directory that `pdpp backup` created.",
  });

async function plainOf(
  path: string,
  source: Readable,
  passphrase: string | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path, "r");
  const { buffer } = await file.read(Buffer.alloc(AGE.length), 0, AGE.length, 0).finally(() => file.close());
  if (!buffer.equals(AGE)) return source;
  if (passphrase === undefined) throw passphraseNeeded();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await decrypter.decrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>);
  } catch {
    throw wrongPassphrase();
  }
}

const PART = 1024 * 1024;

async function writeMember(path: string, size: number, bytes: BytePieces): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for (let left = size; left > 0; ) {
      const part = await bytes.next(Math.min(left, PART));
      if (part === undefined) throw backupDamaged("the archive ends too early");
      left -= part.length;
      await file.writeFile(part);
    }
  } finally {
    await file.close();
  }
}
