// Which importer takes which entry: each is asked with a glance, the surest one gets it.
import { createHash } from "node:crypto";
import { type Entry, headOf } from "./entry.ts";
import { type Glance, HEAD_BYTES, type Importer, type ImportInput, type Recognition } from "./importer.ts";
import { type Root, reasonOf } from "./walk.ts";

/** Entries that one importer takes together. */
export interface RecognisedGroup {
  /** Stable for the same importer, root and group: what an unfinished run is found again by. */
  id: string;
  importer: Importer;
  reason: string;
  input: ImportInput;
  /** Nothing of its root was unreadable: what is not in it is not there. */
  whole: boolean;
}

export interface Recognised {
  groups: RecognisedGroup[];
  /** Known and not importable as it is, or unknown. */
  left: { path: string; reason: string; advice?: string }[];
}

export async function recognise(
  roots: readonly Root[],
  importers: readonly Importer[],
  beat: () => void = () => undefined,
): Promise<Recognised> {
  const groups = new Map<string, RecognisedGroup & { entries: Entry[] }>();
  const left: Recognised["left"] = [];
  for (const root of roots) {
    const paths = new Set(root.entries.map(({ path }) => path));
    const own = new Set<RecognisedGroup>();
    left.push(...root.unreadable, ...root.passedOver);
    let unread = root.unreadable.length;
    for (const entry of root.entries) {
      beat();
      let head: Uint8Array;
      try {
        head = await headOf(entry, HEAD_BYTES);
      } catch (error) {
        left.push({ path: entry.path, reason: reasonOf(error) });
        unread++;
        continue;
      }
      const glance = { path: entry.path, size: entry.size, head, has: (path: string) => paths.has(path) };
      const best = importers
        .flatMap((importer) => {
          const recognition = glanceAt(importer, glance);
          return recognition === undefined ? [] : [{ importer, recognition }];
        })
        .sort((one, other) => other.recognition.score - one.recognition.score)[0];
      if (best === undefined) {
        left.push({ path: entry.path, reason: entry.size === 0 ? "it is empty" : "no importer knows this format" });
        continue;
      }
      const { importer, recognition } = best;
      if (recognition.advice !== undefined) {
        left.push({ path: entry.path, reason: recognition.reason, advice: recognition.advice });
        continue;
      }
      const name = recognition.group ?? root.name;
      const id = createHash("sha256")
        .update(`${importer.name}\n${root.name}\n${name}`)
        .digest("base64url")
        .slice(0, 22);
      const group = groups.get(id) ?? {
        id,
        importer,
        reason: recognition.reason,
        entries: [],
        input: { name, entries: [] },
        whole: true,
      };
      own.add(group);
      group.entries.push(entry);
      group.input = { name, entries: group.entries };
      groups.set(id, group);
    }
    if (unread > 0) for (const group of own) group.whole = false;
  }
  return { groups: [...groups.values()], left };
}

/** An importer that stumbles over a head that is not its own must not stop the others. */
function glanceAt(importer: Importer, glance: Glance): Recognition | undefined {
  try {
    return importer.recognise(glance);
  } catch {
    return undefined;
  }
}
