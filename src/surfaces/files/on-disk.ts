// The current state of a file on disk: whether it changed since the scan, its type according to its first bytes, and
// the beginning of a text.

import { PdppError } from "../../contract/errors.ts";
import type { FileNodeExtended } from "../../contract/file-answers.ts";
import type { FileNodeDetail } from "../../contract/files.ts";
import { FILE_PREVIEW_BYTES } from "../../contract/limits.ts";
import type { OpenedFile } from "../../files/calls/content-calls.ts";
import { isTextType } from "../../files/mime.ts";
import { timeText } from "../../files/read/node-view.ts";
import type { FilesLens } from "../../files/shell/lens.ts";

/** File systems and clocks round differently. */
const SAME_TIME_MS = 2;

export async function onDisk(
  files: FilesLens["files"],
  { indexId, nodeId, size: indexed, modifiedAt: seen }: FileNodeDetail,
): Promise<Pick<FileNodeExtended, "now" | "unreadable">> {
  let opened: OpenedFile;
  try {
    opened = await files.openFile(indexId, nodeId);
  } catch (error) {
    if (error instanceof PdppError) return { unreadable: error.message };
    throw error;
  }
  const { handle, mimeType } = opened;
  try {
    const { size, mtimeMs } = await handle.stat();
    const modifiedAt = timeText(mtimeMs);
    const isLater = Math.abs(Date.parse(modifiedAt) - Date.parse(seen)) > SAME_TIME_MS;
    const text = isTextType(mimeType) ? await beginning(handle, size) : undefined;
    return {
      now: {
        size,
        modifiedAt,
        changed: size !== indexed || isLater,
        mimeType,
        ...(text === undefined ? {} : { preview: text }),
      },
    };
  } catch (error) {
    return { unreadable: `it cannot be read now (${(error as NodeJS.ErrnoException).code ?? "error"})` };
  } finally {
    await handle.close();
  }
}

/** Returns undefined if the file turns out not to be text. */
async function beginning(
  handle: OpenedFile["handle"],
  size: number,
): Promise<{ text: string; bytes: number; truncated: boolean } | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(FILE_PREVIEW_BYTES), 0, FILE_PREVIEW_BYTES, 0);
  try {
    // A character that is cut off at the end is omitted.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, bytesRead), { stream: true });
    if (text.includes("\0")) return undefined;
    const bytes = Buffer.byteLength(text);
    return { text, bytes, truncated: bytes < size };
  } catch {
    return undefined;
  }
}
