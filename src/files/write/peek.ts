// Whether a tree is worth a second scanner, told while the first one starts.
import { readdirSync } from "node:fs";
import type { ByteText } from "../scan/messages.ts";

/** A slow disk has one scanner until that one finds more than it can read alone. */
const PEEK_MS = 5;

/** Counts the entries of the uppermost directories. */
export function hasEntries(root: ByteText, wanted: number): boolean {
  const waiting = [Buffer.from(root, "latin1")];
  const until = performance.now() + PEEK_MS;
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
    // The scanner says why it cannot be read.
    return [];
  }
}
