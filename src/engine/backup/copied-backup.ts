// Backups of earlier versions (1 and 2): a home's files in a directory, with a manifest of their digests. They can
// still be restored, but are no longer made.
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import { ID_PREFIX } from "../../contract/ids.ts";
import { listBlobs } from "../../store/sqlite/maintenance.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";
import { blobName, blobOfName } from "../blob-files.ts";
import { copyFile, eachOf } from "../copy-file.ts";
import { backupDamaged } from "./damaged.ts";

export const MANIFEST = "manifest.json";
const BACKUP_FORMAT = "postern-backup";
/** Since version 2, the names of blob files contain generations. */
const BACKUP_VERSION = 2;

/** Only a home's own files are allowed: a path from a manifest must not point anywhere else. */
const PATHS = new RegExp(
  `^(?:${FILES.records.replace(".", "\\.")}|${FILES.audit.replace(".", "\\.")}|${FILES.key}|${FILES.blobs}/[A-Za-z0-9_-]{2}/[A-Za-z0-9_-]{43}(?:\\.[0-9a-z]+-[\\w-]+)?)$`,
);

const file = z.strictObject({
  path: z.string().regex(PATHS),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifest = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  version: z.union([z.literal(1), z.literal(BACKUP_VERSION)]),
  created_at: z.iso.datetime(),
  counts: z.record(z.string(), z.int().min(0)),
  files: z.array(file),
  /** Blobs that the home itself had lost when the backup was made. */
  missing_blobs: z.array(z.string()),
});

export type CopiedManifest = z.infer<typeof manifest>;
type CopiedFile = z.infer<typeof file>;

export async function readCopiedManifest(directory: string): Promise<CopiedManifest> {
  let found: { format?: unknown; version?: unknown };
  try {
    found = JSON.parse(await readFile(join(directory, MANIFEST), "utf8")) as typeof found;
  } catch (error) {
    if (error instanceof SyntaxError) throw backupDamaged("its manifest is incomplete");
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      throw new PdppError("not_found", `${directory} is not a backup: it has no ${MANIFEST}`, {
        next_step: "Choose a directory that `pdpp backup` created.",
      });
    }
    throw error;
  }
  if (found?.format === BACKUP_FORMAT && typeof found.version === "number" && found.version > BACKUP_VERSION) {
    throw new PdppError(
      "home_too_new",
      `this backup has version ${found.version}, but this pdpp supports only versions up to ${BACKUP_VERSION}`,
      {
        next_step: "Restore it with the newer pdpp that made it.",
      },
    );
  }
  const parsed = manifest.safeParse(found);
  if (!parsed.success)
    throw backupDamaged(`its manifest is invalid at ${parsed.error.issues[0]!.path.join(".") || "the top"}`);
  const paths = new Set(parsed.data.files.map(({ path }) => path));
  for (const needed of [FILES.records, FILES.audit, FILES.key])
    if (!paths.has(needed)) throw backupDamaged(`its manifest does not list ${needed}`);
  if (paths.size !== parsed.data.files.length) throw backupDamaged("its manifest lists a file twice");
  return parsed.data;
}

/** A blob file's name begins with its digest. */
function checkBlobName({ path, sha256 }: CopiedFile): void {
  if (!path.startsWith(`${FILES.blobs}/`)) return;
  const digest = Buffer.from(sha256, "hex").toString("base64url");
  const { blobId } = blobOfName(path) ?? {};
  if (blobId !== ID_PREFIX.blob + digest) throw backupDamaged(`${path} does not match the digest in its name`);
}

const FILES_AT_ONCE = 8;

/**
 * The bytes that are hashed are the bytes that are written, so a file that changes during the restore cannot slip in.
 */
export async function restoreCopied(directory: string, home: string): Promise<CopiedManifest> {
  const found = await readCopiedManifest(directory);
  const { files, missing_blobs } = found;
  for (const folder of new Set(files.map(({ path }) => dirname(path))))
    await mkdir(join(home, folder), { recursive: true, mode: 0o700 });
  await eachOf(files, FILES_AT_ONCE, async (one) => {
    checkBlobName(one);
    const copied = await copyFile(join(directory, one.path), join(home, one.path)).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT" ? backupDamaged(`${one.path} is missing`) : error;
      },
    );
    if (copied.sha256 !== one.sha256 || copied.bytes !== one.bytes)
      throw backupDamaged(`${one.path} does not match the manifest`);
  });
  const present = new Set(files.map(({ path }) => path));
  const known = new Set(missing_blobs);
  const lost = listBlobs(join(home, FILES.records)).find(
    ({ blobId, generation }) => !present.has(blobName(blobId, generation)) && !known.has(blobId),
  );
  if (lost !== undefined) throw backupDamaged(`the blob ${lost.blobId} is missing`);
  return found;
}
