// Files that a run copies out of archives, in a private folder that is removed when the run ends.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveRefused } from "./limits.ts";

export interface Unpacked {
  /** Returns the bytes as a file, which is created on first use. */
  copier(path: string, bytes: () => AsyncIterable<Uint8Array>): () => Promise<string>;
}

/** `copyBytes` is the limit for all copies together. */
export function unpackedFolder(folder: string, copyBytes: number, beat: () => void = () => undefined): Unpacked {
  let copies = 0;
  let total = 0;
  async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
    // Files are numbered, so that names inside an archive never become paths here.
    const place = join(folder, String(copies++));
    const file = await open(place, "wx", 0o600);
    try {
      for await (const part of bytes) {
        total += part.byteLength;
        if (total > copyBytes)
          throw new ArchiveRefused(
            `${path} needs a temporary copy, and all copies together would take more than ${copyBytes} bytes; unpack it first`,
          );
        await file.writeFile(part);
        beat();
      }
    } finally {
      await file.close();
    }
    return place;
  }
  return {
    copier(path, bytes) {
      let copy: Promise<string> | undefined;
      return () => {
        copy ??= write(path, bytes());
        return copy;
      };
    },
  };
}
