// Estimates whether a tree is large enough for a second scanner, while the first one starts.
import { readdirSync } from "node:fs";
import type { ByteText } from "../scan/messages.ts";

/** If the disk is too slow to count enough entries in this time, the scan starts with one scanner. */
const SAMPLE_MS = 5;

/** Counts the entries of the topmost directories, and returns whether there are at least `wanted`. */
export function hasAtLeast(root: ByteText, wanted: number): boolean {
  const waiting = [Buffer.from(root, "latin1")];
  const until = performance.now() + SAMPLE_MS;
  let found = 0;
  for (const path of waiting) {
    for (const entry of listed(path)) {
      if (++found >= wanted) return true;
      if (entry.isDirectory()) waiting.push(Buffer.concat([path, Buffer.from("/"), entry.name]));
    }
    if (performance.now() > until) break;
  }
  return false;
}

function listed(path: Buffer) {
  try {
    return readdirSync(path, { withFileTypes: true, encoding: "buffer" });
  } catch {
    // The scanner reports why the directory cannot be read.
    return [];
  }
}
