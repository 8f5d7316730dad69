// Estimates whether a tree is large enough for a second scanner, while the first one starts.
import { readdirSync } from "node:fs";
import type { ByteText } from "../scan/messages.ts";

/** On a slow disk there is one scanner, until it finds more than it can read alone. */
const SAMPLE_MS = 5;

/** Counts the entries of the uppermost directories. */
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
    // The scanner reports why it cannot be read.
    return [];
  }
}
