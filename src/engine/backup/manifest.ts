// A snapshot's manifest lists the chunks of the home's databases and key. The blobs are listed in records.db.
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { z } from "zod";
import { FILES } from "../../store/sqlite/sqlite-store.ts";
import { type ChunkId, idsFromText, idsToText } from "./chunks.ts";
import { backupDamaged } from "./damaged.ts";

/** Only these paths are allowed, so that a path from a manifest cannot point anywhere else. */
const PATH = new RegExp(
  `^(?:${FILES.records.replace(".", "\\.")}|${FILES.audit.replace(".", "\\.")}|${FILES.key}|files/(?:digests/|records/)?[a-z][\\w-]{0,40}\\.db)$`,
);

const document = z.strictObject({
  created_at: z.iso.datetime(),
  counts: z.record(z.string(), z.int().min(0)),
  /** Blobs that the home itself had lost when the backup was made. */
  missing_blobs: z.array(z.string()),
  /** The secret that chunk ids are derived from. */
  secret: z.base64(),
  files: z.array(z.strictObject({ path: z.string().regex(PATH), bytes: z.int().min(0), chunks: z.base64() })),
});

export interface ManifestFile {
  path: string;
  bytes: number;
  chunks: ChunkId[];
}

export interface Manifest extends Omit<z.infer<typeof document>, "files" | "secret"> {
  secret: Buffer;
  files: ManifestFile[];
}

const HEADER = Buffer.from("postern-snapshot\n");
const CHECKSUM = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
/** A manifest has 22 bytes for each 8 KB page. */
const MANIFEST_MAX = 1024 ** 3;

export async function manifestBytes(manifest: Manifest, recipient: string | undefined): Promise<Uint8Array> {
  const text = JSON.stringify({
    ...manifest,
    secret: manifest.secret.toString("base64"),
    files: manifest.files.map(({ chunks, ...file }) => ({ ...file, chunks: idsToText(chunks) })),
  });
  const plain = Buffer.concat([HEADER, await promisify(zstdCompress)(Buffer.from(text), CHECKSUM)]);
  if (recipient === undefined) return plain;
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(plain);
}

export async function readManifest(path: string, identity: string | undefined): Promise<Manifest> {
  const bytes = await readFile(path);
  try {
    const plain = identity === undefined ? bytes : Buffer.from(await decrypted(bytes, identity));
    if (!plain.subarray(0, HEADER.length).equals(HEADER)) throw new Error("wrong header");
    const text = await promisify(zstdDecompress)(plain.subarray(HEADER.length), { maxOutputLength: MANIFEST_MAX });
    const { secret, files, ...rest } = document.parse(JSON.parse(text.toString("utf8")));
    return {
      ...rest,
      secret: Buffer.from(secret, "base64"),
      files: files.map(({ chunks, ...file }) => ({ ...file, chunks: idsFromText(chunks) })),
    };
  } catch {
    throw backupDamaged("its manifest is damaged");
  }
}

function decrypted(bytes: Uint8Array, identity: string): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return decrypter.decrypt(bytes);
}
