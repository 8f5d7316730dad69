// Files next to a note or a chat that belong to one of its records. They are found by their path and stored as blobs.

import type { BlobRef } from "../../contract/blob.ts";
import { type Entry, wholeEntry } from "../entry.ts";
import type { ImportContext, ImportEvent } from "../importer.ts";

/** A blob is held entirely in memory, and parsers have little memory. */
const ATTACHED_BYTES_MAX = 64 * 1024 * 1024;

const MIME_TYPES: Record<string, string> = {
  avif: "image/avif",
  gif: "image/gif",
  heic: "image/heic",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  webp: "image/webp",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  wav: "audio/wav",
  "3gp": "video/3gpp",
  mov: "video/quicktime",
  mp4: "video/mp4",
  webm: "video/webm",
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  txt: "text/plain",
  vcf: "text/vcard",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  zip: "application/zip",
};

const mimeTypeOf = (path: string): string =>
  MIME_TYPES[/\.(\w{2,5})$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";

/** Stores the file as a blob, or returns the event that says why it was skipped. */
export async function attachedFile(
  entry: Entry,
  context: ImportContext,
): Promise<{ blob: BlobRef } | { left: Extract<ImportEvent, { kind: "skip" | "error" }> }> {
  if (entry.size > ATTACHED_BYTES_MAX) {
    return { left: { kind: "skip", entry, reason: `larger than ${ATTACHED_BYTES_MAX} bytes: only its name is kept` } };
  }
  let bytes: Uint8Array;
  try {
    bytes = await wholeEntry(entry, ATTACHED_BYTES_MAX);
  } catch (error) {
    return { left: { kind: "error", entry, message: (error as Error).message } };
  }
  // Errors here are thrown, because a full disk is not this file's fault.
  return { blob: await context.blob(bytes, mimeTypeOf(entry.path)) };
}

/** `a/b/c.txt` → `a/b`. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const joinPath = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("/");
