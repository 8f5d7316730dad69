// What a run copies out of archives: files in a private folder that goes when the run ends.
import { createHash } from "node:crypto";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArchiveRefused } from "./limits.ts";

export interface Unpacked {
  /** The bytes as a file; asked for twice, it is the same one. */
  copy(path: string, bytes: AsyncIterable<Uint8Array>): Promise<string>;
  onClose(work: () => Promise<void>): void;
  close(): Promise<void>;
}

export function unpackedFolder(copyBytes: number): Unpacked {
  let folder: Promise<string> | undefined;
  const copies = new Map<string, Promise<string>>();
  const closing: (() => Promise<void>)[] = [];
  async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
    folder ??= mkdtemp(join(tmpdir(), "postern-import-"));
    // Named by a hash: what an archive calls its entries never becomes a path here.
    const place = join(await folder, createHash("sha256").update(path).digest("hex").slice(0, 32));
    const file = await open(place, "wx", 0o600);
    try {
      let size = 0;
      for await (const part of bytes) {
        size += part.byteLength;
        if (size > copyBytes) throw new ArchiveRefused(`${path} is larger than ${copyBytes} bytes; unpack it first`);
        await file.writeFile(part);
      }
    } finally {
      await file.close();
    }
    return place;
  }
  return {
    copy(path, bytes) {
      const found = copies.get(path) ?? write(path, bytes);
      copies.set(path, found);
      return found;
    },
    onClose: (work) => void closing.push(work),
    async close() {
      for (const work of closing) await work().catch(() => undefined);
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    },
  };
}
