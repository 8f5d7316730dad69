// A pack's index: which chunks it contains, and in which order. It reveals no content and is never encrypted.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type ChunkId, idsFromText, idsToText } from "./chunks.ts";
import { backupDamaged } from "./damaged.ts";

const stored = z.strictObject({
  /** The size of the pack file on disk. */
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** For each frame, its length in the pack before encryption, and the total length of its chunks. */
  frames: z.array(z.tuple([z.int().min(1), z.int().min(1)])),
  ids: z.base64(),
  /** Four bytes per chunk. */
  lengths: z.base64(),
});

export interface PackIndex {
  name: string;
  bytes: number;
  sha256: string;
  frames: [stored: number, raw: number][];
  chunks: { id: ChunkId; length: number }[];
}

/** Replaces the id of a chunk that turned out to be wrong after it was written. */
export const NO_CHUNK: ChunkId = "\0".repeat(16);

export const PACK_NAME = /^[0-9TZ-]{10,30}-\d{4}$/;
export const indexName = (pack: string): string => `${pack}.index.json`;

export function indexText({ bytes, sha256, frames, chunks }: PackIndex): string {
  const lengths = Buffer.from(Uint32Array.from(chunks, ({ length }) => length).buffer).toString("base64");
  const document: z.infer<typeof stored> = {
    bytes,
    sha256,
    frames,
    ids: idsToText(chunks.map(({ id }) => id)),
    lengths,
  };
  return `${JSON.stringify(document)}\n`;
}

export async function readIndex(path: string, name: string): Promise<PackIndex> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? backupDamaged(`the index of ${name} is missing`) : error;
  });
  const parsed = stored.safeParse(jsonOf(text));
  if (!parsed.success) throw backupDamaged(`the index of ${name} is damaged`);
  const { ids, lengths, ...rest } = parsed.data;
  const sizes = Buffer.from(lengths, "base64");
  const chunks = idsFromText(ids).map((id, at) => ({ id, length: sizes.readUInt32LE(at * 4) }));
  return { name, ...rest, chunks };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
