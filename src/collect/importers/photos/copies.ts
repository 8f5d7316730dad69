// The same picture in several folders becomes one record. Decides, before the first record is produced, which copy the
// record describes.
import { createHash } from "node:crypto";
import type { Entry } from "../../entry.ts";

/** Only files of equal size can be copies, so only those are read twice. */
export async function copiesAmong(entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const bySize = Map.groupBy(entries, ({ size }) => size);
  const copies = new Map<string, string>();
  for (const equal of bySize.values()) {
    if (equal.length < 2) continue;
    const first = new Map<string, string>();
    for (const entry of equal) {
      const digest = await digestOf(entry);
      if (digest === undefined) continue;
      const original = first.get(digest);
      if (original === undefined) first.set(digest, entry.path);
      else copies.set(entry.path, original);
    }
  }
  return copies;
}

async function digestOf(entry: Entry): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const part of entry.open()) hash.update(part);
    return hash.digest("base64url");
  } catch {
    // The run reports what is wrong with the file.
    return undefined;
  }
}
