// Finds the thumbnails in a HEIF file: items that refer to another item with `thmb`.
import { boxesIn, boxIn } from "../media-boxes.ts";

/** Returns item ids in file order. */
export function storedThumbnails(file: Buffer): number[] {
  const references = boxIn(boxIn(file, "meta")?.subarray(4) ?? Buffer.alloc(0), "iref");
  if (references === undefined) return [];
  const idBytes = references[0] === 0 ? 2 : 4;
  return [...boxesIn(references.subarray(4))]
    .filter(({ type, body }) => type === "thmb" && body.length >= idBytes)
    .map(({ body }) => body.readUIntBE(0, idBytes));
}
