// Turns paths into entries: files, folders and the contents of archives, in a fixed order.
import { createHash } from "node:crypto";
import type { PathLike } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { basename } from "node:path";
import { gunzipped } from "./archive/gunzipped.ts";
import {
  ARCHIVE_LIMITS,
  type ArchiveLimits,
  ArchiveRefused,
  type Meter,
  unfoldMeter,
  watcher,
} from "./archive/limits.ts";
import { decodeName, isClutter, isUtf8Name, plainPath } from "./archive/names.ts";
import { openTar } from "./archive/tar.ts";
import type { Unpacked } from "./archive/unpacked.ts";
import { openZip } from "./archive/zip.ts";
import type { Entry } from "./entry.ts";
import { exportName } from "./export-name.ts";
import { fileBytes } from "./file-bytes.ts";

/** A path that a person gave, or a file that is stored under another name. */
export type InputPath = string | { path: string; name: string };

/** One given path, with everything inside it. */
export interface Root {
  /**
   * The display name: the last part of the path, without the suffixes of split archives. Each root has a different
   * name.
   */
  name: string;
  entries: Entry[];
  /** Items that could not be read, with the reason. Their content is missing. */
  unreadable: { path: string; reason: string }[];
  /** Entries that are not files. */
  passedOver: { path: string; reason: string }[];
}

interface WalkOptions {
  limits?: ArchiveLimits;
  /** Called on progress. */
  beat?: () => void;
}

export async function walk(
  given: readonly InputPath[],
  unpacked: Unpacked,
  { limits = ARCHIVE_LIMITS, beat = () => undefined }: WalkOptions = {},
): Promise<Root[]> {
  const roots = new Map<string, Root>();
  for (const one of given) {
    const path = typeof one === "string" ? one : one.path;
    const fileName = typeof one === "string" ? basename(one) : plainPath(one.name);
    // Files of one folder that were uploaded one by one are treated as that folder.
    const [folder, ...inside] = fileName.split("/");
    const name = inside.length > 0 ? folder! : rootName(fileName, roots);
    const root = roots.get(name) ?? { name, entries: [], unreadable: [], passedOver: [] };
    roots.set(name, root);
    const walker = new ArchiveWalker(root, unpacked, limits, beat);
    if (inside.length === 0 || !isClutter(fileName)) await walker.given(path, fileName, inside.join("/"));
  }
  for (const root of roots.values()) {
    root.entries.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
    nameApart(root.entries);
  }
  return [...roots.values()];
}

/** Parts of one export form one root, but two files that happen to have the same name are two roots. */
function rootName(fileName: string, taken: ReadonlyMap<string, Root>): string {
  const whole = exportName(fileName);
  if (whole !== undefined) return whole;
  const plain = fileName.replace(/\.(?:zip|kmz|bear2bk|tar|tgz|tar\.gz|jex)$/i, "") || fileName;
  for (let number = 1; ; number++) {
    const name = number === 1 ? plain : `${plain} (${number})`;
    if (!taken.has(name)) return name;
  }
}

/** Parts of a split export may contain the same name, so equal names get a number. A run finds its entries by name. */
function nameApart(entries: readonly Entry[]): void {
  let before = "";
  let number = 1;
  for (const entry of entries) {
    number = entry.path === before ? number + 1 : 1;
    before = entry.path;
    if (number > 1) entry.path = entry.path.replace(/(\.[^./]*)?$/, ` (${number})$1`);
  }
}

class ArchiveWalker {
  readonly #root: Root;
  readonly #unpacked: Unpacked;
  readonly #limits: ArchiveLimits;
  readonly #beat: () => void;

  constructor(root: Root, unpacked: Unpacked, limits: ArchiveLimits, beat: () => void) {
    this.#root = root;
    this.#unpacked = unpacked;
    this.#limits = limits;
    this.#beat = beat;
  }

  /** If a given path is a link, it is followed. */
  async given(path: string, fileName: string, inside: string): Promise<void> {
    try {
      await this.#walk(Buffer.from(await realpath(path)), inside, fileName);
    } catch (error) {
      this.#refuse(fileName, error);
    }
  }

  #refuse(path: string, error: unknown): void {
    this.#root.unreadable.push({ path, reason: reasonOf(error) });
  }

  /** Paths on disk are bytes, because a name need not be valid text. */
  async #walk(disk: Buffer, path: string, fileName: string): Promise<void> {
    const name = path || fileName;
    try {
      this.#beat();
      const facts = await lstat(disk);
      if (facts.isDirectory()) {
        const names = (await readdir(disk, { encoding: "buffer" })).sort(Buffer.compare);
        for (const inner of names) {
          const innerPath = plainPath(path === "" ? decodeName(inner) : `${path}/${decodeName(inner)}`);
          if (!isClutter(innerPath)) await this.#walk(Buffer.concat([disk, SLASH, inner]), innerPath, fileName);
        }
      } else if (facts.isSymbolicLink()) {
        this.#root.passedOver.push({
          path: name,
          reason: "it is a link, and links are not followed; specify its target instead",
        });
      } else if (!facts.isFile()) {
        this.#root.passedOver.push({ path: name, reason: "it is neither a file nor a folder" });
      } else {
        if (this.#root.entries.length >= this.#limits.entries) {
          throw new ArchiveRefused(`there are more than ${this.#limits.entries} files`);
        }
        const own = this.#diskEntry(disk, name, facts);
        await this.#add(own, unfoldMeter(facts.size, this.#limits), 0, path === "");
      }
    } catch (error) {
      this.#refuse(name, error);
    }
  }

  #diskEntry(disk: Buffer, path: string, { size, mtimeMs }: { size: number; mtimeMs: number }): Entry {
    const open: Entry["open"] = (options) => fileBytes(disk, options);
    return {
      path,
      size,
      modifiedAt: mtimeMs,
      open,
      digest: digestOf(disk, this.#beat),
      file: isUtf8Name(disk) ? async () => disk.toString("utf8") : this.#unpacked.copier(path, open),
    };
  }

  /**
   * Adds the entries of an archive, or the file itself. Archives that are a format of their own (docx, apk) count as
   * files.
   */
  async #add(entry: Entry, meter: Meter, depth: number, isRoot: boolean): Promise<void> {
    const kind = archiveKind(entry.path);
    if (kind === undefined) {
      this.#root.entries.push(entry);
      return;
    }
    try {
      if (depth >= this.#limits.depth)
        throw new ArchiveRefused(`archives are nested more than ${this.#limits.depth} deep`);
      for await (const one of this.#unfold(entry, kind, meter)) {
        this.#beat();
        const path = isRoot ? one.path : `${entry.path}/${one.path}`;
        await this.#add({ ...one, path, digest: entry.digest }, meter, depth + 1, false);
      }
    } catch (error) {
      this.#refuse(entry.path, error);
    }
  }

  async *#unfold(entry: Entry, kind: ArchiveKind, meter: Meter): AsyncGenerator<Entry> {
    const file = await entry.file();
    const head = await firstBytes(file, 2);
    const gzipped = head[0] === 0x1f && head[1] === 0x8b;
    if (kind === "zip") {
      if (head.toString("latin1") !== "PK")
        throw new ArchiveRefused(`it has the name of a zip archive but is not one${NAME_ADVICE}`);
      yield* openZip(file, this.#unpacked, meter);
      return;
    }
    if (kind === "tar" && !gzipped) {
      yield* openTar(file, this.#unpacked, meter);
      return;
    }
    if (!gzipped) throw new ArchiveRefused(`it has the name of a gzip file but is not one${NAME_ADVICE}`);
    const path = entry.path.split("/").at(-1)!.replace(/\.gz$/i, "");
    const watch = watcher(path, (await stat(file)).size, meter);
    const bytes = (): AsyncIterable<Uint8Array> => watch(gunzipped(file));
    if (kind === "gzip") {
      yield { path, size: -1, modifiedAt: entry.modifiedAt, open: bytes, file: this.#unpacked.copier(path, bytes) };
      return;
    }
    // For a truncated archive, the entries before the cut are yielded first.
    let failure: unknown;
    const readable = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* bytes();
      } catch (error) {
        if (error instanceof ArchiveRefused) throw error;
        failure = error;
      }
    };
    yield* openTar(await this.#unpacked.copier(path, readable)(), this.#unpacked, meter);
    if (failure !== undefined) throw failure;
  }
}

const SLASH = Buffer.from("/");
const NAME_ADVICE = "; download it again, or correct its name";

/** Computed once, on first use. */
function digestOf(file: PathLike, beat: () => void): () => Promise<string> {
  let digest: Promise<string> | undefined;
  const compute = async (): Promise<string> => {
    const hash = createHash("sha256");
    for await (const part of fileBytes(file, { lent: true })) {
      hash.update(part);
      beat();
    }
    return `sha256:${hash.digest("hex")}`;
  };
  return () => {
    digest ??= compute();
    return digest;
  };
}

type ArchiveKind = "zip" | "tar" | "gzip";

function archiveKind(path: string): ArchiveKind | undefined {
  const name = path.toLowerCase();
  // KMZ is a zip with one map, Bear's backup is a zip of notes, and Joplin's export is a tar of notes. Other formats
  // based on zip are read as single files.
  if (/\.(?:zip|kmz|bear2bk)$/.test(name)) return "zip";
  if (/\.(?:tar|tgz|tar\.gz|jex)$/.test(name)) return "tar";
  return name.endsWith(".gz") ? "gzip" : undefined;
}

async function firstBytes(file: string, count: number): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, "r");
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle?.close();
  }
}

/** Library messages about broken archives, and plain words for them. */
const BROKEN: readonly [RegExp, string][] = [
  [/^End of central directory record signature not found/, "it is incomplete, or not a zip archive; download it again"],
  [/^unexpected end of file$/, "it is incomplete; download it again"],
  [/^multi-disk zip files are not supported/, "it is one part of a split zip; join the parts first"],
];

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "this user is not allowed to read it",
  EPERM: "this user is not allowed to read it",
  ERR_ACCESS_DENIED: "it is outside the given path",
  ELOOP: "its links form a loop",
};

export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ""] ?? BROKEN.find(([said]) => said.test(message))?.[1] ?? message;
}
