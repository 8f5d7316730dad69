// Decides which importer gets which entry: each sees a preview, and the one with the highest score wins.
import { createHash } from "node:crypto";
import type { LeftOut } from "../contract/import-request.ts";
import { type Entry, headOf } from "./entry.ts";
import { type EntryPreview, HEAD_BYTES, type Importer, type ImportInput, type Recognition } from "./importer.ts";
import { isSqlite } from "./importers/foreign-sqlite.ts";
import { nearestFormat, UNKNOWN_FORMAT } from "./nearest.ts";
import { secretsIn } from "./secrets.ts";
import { type Root, reasonOf } from "./walk.ts";

/** Entries that one importer reads together. */
export interface RecognisedGroup {
  /** Stable for the same importer, root and group, so that it identifies an unfinished run. */
  id: string;
  importer: Importer;
  reason: string;
  input: ImportInput;
  /** True if its whole root was readable, so an item that was not found does not exist. */
  whole: boolean;
  /** The kind of secrets in its entries. Such entries are imported only with explicit consent. */
  secrets?: string;
}

export interface Recognised {
  groups: RecognisedGroup[];
  /** Entries that are unknown, or recognised but not importable as they are. */
  left: LeftOut[];
}

/** An entry and its importer, or the reason it cannot be read. */
interface SeenEntry {
  entry: Entry;
  head?: Uint8Array;
  best?: { importer: Importer; recognition: Recognition };
  unread?: string;
  secrets?: string;
}

export async function recognise(
  roots: readonly Root[],
  importers: readonly Importer[],
  beat: () => void = () => undefined,
): Promise<Recognised> {
  const groups = new Map<string, RecognisedGroup & { entries: Entry[] }>();
  const left: Recognised["left"] = [];
  for (const root of roots) {
    const own = new Set<RecognisedGroup>();
    left.push(...root.unreadable.map((one) => ({ ...one, failed: true as const })), ...root.passedOver);
    const seen = await recogniseEntries(root, importers, beat);
    await handOver(seen, root, beat);
    for (const { entry, best, unread, head, secrets } of seen) {
      if (unread !== undefined) {
        left.push({ path: entry.path, reason: unread, failed: true });
        continue;
      }
      if (best === undefined && secrets !== undefined) {
        left.push({ path: entry.path, reason: `it contains ${secrets}, and secrets are not imported` });
        continue;
      }
      if (best === undefined) {
        left.push({ path: entry.path, ...(entry.size === 0 ? { reason: "it is empty" } : unknownFormat(entry, head)) });
        continue;
      }
      const { importer, recognition } = best;
      if (recognition.advice !== undefined) {
        left.push({ path: entry.path, reason: recognition.reason, advice: recognition.advice });
        continue;
      }
      const name = recognition.group ?? root.name;
      const id = createHash("sha256")
        .update(`${importer.name}\n${root.name}\n${name}${secrets === undefined ? "" : `\n${secrets}`}`)
        .digest("base64url")
        .slice(0, 22);
      const group = groups.get(id) ?? {
        id,
        importer,
        reason: recognition.reason,
        entries: [],
        input: { name, entries: [] },
        whole: true,
        ...(secrets === undefined ? {} : { secrets }),
      };
      own.add(group);
      group.entries.push(entry);
      group.input = { name, entries: group.entries };
      groups.set(id, group);
    }
    const isWhole = root.unreadable.length === 0 && seen.every(({ unread }) => unread === undefined);
    if (!isWhole) for (const group of own) group.whole = false;
  }
  return { groups: [...groups.values()], left };
}

/** The first bytes of archives that are not opened, because of their name or because we do not unpack the format. */
const UNOPENED: readonly { magic: string; kind: string; ending?: string }[] = [
  { magic: "504b0304", kind: "zip", ending: ".zip" },
  { magic: "1f8b", kind: "gzip", ending: ".gz" },
  { magic: "377abcaf271c", kind: "7-Zip" },
  { magic: "526172211a07", kind: "RAR" },
  { magic: "fd377a585a00", kind: "xz" },
  { magic: "425a68", kind: "bzip2" },
  { magic: "28b52ffd", kind: "Zstandard" },
];
const MAGIC_BYTES = 8;
/** The tables of a database are described on its first pages, but not all of them on the very first. */
const DATABASE_HEAD_BYTES = 256 * 1024;
/** Documents and programs that happen to be zip archives. */
const ZIP_OF_ITS_OWN = /\.(?:docx|xlsx|pptx|od[tsp]|epub|pages|numbers|key|apk|ipa|jar|crx|xpi|whl)$/i;

function unknownFormat({ path }: Entry, head: Uint8Array = new Uint8Array()): Pick<LeftOut, "reason" | "advice"> {
  const begins = ZIP_OF_ITS_OWN.test(path) ? "" : Buffer.from(head).toString("hex");
  const archive = UNOPENED.find(({ magic }) => begins.startsWith(magic));
  if (archive === undefined) {
    const advice = nearestFormat(path);
    return { reason: UNKNOWN_FORMAT, ...(advice === undefined ? {} : { advice }) };
  }
  const { kind, ending } = archive;
  return ending === undefined
    ? { reason: `archives in the ${kind} format cannot be opened here`, advice: "unpack it and import the folder" }
    : {
        reason: `${UNKNOWN_FORMAT}, but its content is a ${kind} archive`,
        advice: `to import its content, rename it so that it ends in ${ending}`,
      };
}

/** Recognises each entry separately: the importer with the highest score wins. */
async function recogniseEntries(root: Root, importers: readonly Importer[], beat: () => void): Promise<SeenEntry[]> {
  const paths = new Set(root.entries.map(({ path }) => path));
  const seen: SeenEntry[] = [];
  for (const entry of root.entries) {
    beat();
    let head: Uint8Array;
    try {
      head = await headOf(entry, HEAD_BYTES);
    } catch (error) {
      seen.push({ entry, unread: reasonOf(error) });
      continue;
    }
    const { path, size } = entry;
    const secrets = secretsIn(path, head);
    if (isSqlite(head)) head = await headOf(entry, DATABASE_HEAD_BYTES);
    const preview = { path, root: root.name, size, head, has: (other: string) => paths.has(other) };
    const [best] = importers
      .flatMap((importer) => {
        const recognition = recognitionBy(importer, preview);
        return recognition === undefined ? [] : [{ importer, recognition }];
      })
      .sort((one, other) => other.recognition.score - one.recognition.score);
    const extra = secrets === undefined ? {} : { secrets };
    seen.push({ entry, ...extra, ...(best === undefined ? { head: head.subarray(0, MAGIC_BYTES) } : { best }) });
  }
  return seen;
}

/**
 * Recognises entries together: a picture that a chat or a note mentions belongs to it, whatever the picture's own
 * score.
 */
async function handOver(seen: readonly SeenEntry[], root: Root, beat: () => void): Promise<void> {
  const takers = seen.filter(
    ({ best }) => best?.importer.claims !== undefined && best.recognition.advice === undefined,
  );
  const groups = Map.groupBy(takers, ({ best }) => `${best!.importer.name}\n${best!.recognition.group ?? ""}`);
  for (const own of groups.values()) {
    const best = own[0]!.best!;
    const members = new Set(own);
    const others = seen.filter((one) => !members.has(one) && one.unread === undefined);
    if (others.length === 0) continue;
    const input = {
      name: best.recognition.group ?? root.name,
      entries: own.map(({ entry }) => beatingEntry(entry, beat)),
    };
    const offered = others.map((one) => ({ entry: one.entry, score: one.best?.recognition.score ?? 0 }));
    try {
      const claimed = new Set(await best.importer.claims!(input, offered));
      for (const other of others) if (claimed.has(other.entry.path)) other.best = best;
    } catch {
      // The run reports what is wrong with the entries.
    }
  }
}

const beatingEntry = (entry: Entry, beat: () => void): Entry => ({
  ...entry,
  async *open() {
    for await (const part of entry.open()) {
      beat();
      yield part;
    }
  },
});

/** An importer that fails on another format's head must not stop the others. */
function recognitionBy(importer: Importer, preview: EntryPreview): Recognition | undefined {
  try {
    return importer.recognise(preview);
  } catch {
    return undefined;
  }
}
