// The manifest of a backup: what is in it, with digests. A directory without a whole one is no backup.
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import { blobOfName } from "./blob-files.ts";

export const MANIFEST = "manifest.json";
export const BACKUP_FORMAT = "postern-backup";
/** 2: files of blobs have generations in their names. */
export const BACKUP_VERSION = 2;

/** Nothing but a home's own files: a path from a manifest must not lead anywhere else. */
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

export type BackupManifest = z.infer<typeof manifest>;
export type BackupFile = z.infer<typeof file>;

export async function readManifest(directory: string): Promise<BackupManifest> {
  let found: { format?: unknown; version?: unknown };
  try {
    found = JSON.parse(await textOf(join(directory, MANIFEST))) as typeof found;
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged("its manifest is not whole");
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      throw new PdppError("not_found", `${directory} is no backup: it has no ${MANIFEST}`, {
        next_step: "Name a directory that `pdpp backup` made.",
      });
    }
    throw error;
  }
  if (found?.format === BACKUP_FORMAT && typeof found.version === "number" && found.version > BACKUP_VERSION) {
    throw new PdppError(
      "home_too_new",
      `this backup has version ${found.version}; this pdpp knows versions up to ${BACKUP_VERSION}`,
      {
        next_step: "Restore it with the newer pdpp that made it.",
      },
    );
  }
  const parsed = manifest.safeParse(found);
  if (!parsed.success) throw damaged(`its manifest is wrong at ${parsed.error.issues[0]!.path.join(".") || "the top"}`);
  const paths = new Set(parsed.data.files.map(({ path }) => path));
  for (const needed of [FILES.records, FILES.audit, FILES.key])
    if (!paths.has(needed)) throw damaged(`its manifest names no ${needed}`);
  if (paths.size !== parsed.data.files.length) throw damaged("its manifest names a file twice");
  return parsed.data;
}

/** The name of a blob's file begins with its digest. */
export function checkBlobName({ path, sha256 }: BackupFile): void {
  if (!path.startsWith(`${FILES.blobs}/`)) return;
  const digest = Buffer.from(sha256, "hex").toString("base64url");
  const { blobId } = blobOfName(path) ?? {};
  if (blobId !== ID_PREFIX.blob + digest) throw damaged(`${path} has another digest than its name says`);
}

export function damaged(what: string): PdppError {
  return new PdppError("store_unavailable", `this backup is damaged: ${what}`, {
    next_step: "Nothing was restored. Use another backup.",
  });
}

async function textOf(path: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of createReadStream(path)) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
