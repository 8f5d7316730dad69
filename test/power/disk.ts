// A disk as a power cut could leave it: everything that was synced, and a random part of the rest. It is strict: a name
// is certain only after a sync of its directory.
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Random } from "../crash/random.ts";
import { readWriteLog } from "./write-log.ts";

type Change = { at: number; bytes: Buffer } | { length: number };

interface File {
  synced: Buffer;
  pending: Change[];
}

interface NameChange {
  folders: Folder[];
  apply(): void;
}

interface Folder {
  /** The files that the processes see. */
  names: Map<string, Node>;
  synced: Map<string, Node>;
  pending: NameChange[];
}

type Node = File | Folder;

/** The unit that a disk writes atomically. */
const SECTOR = 512;
/** SQLite changes these files through mmap, which the log does not record, and rebuilds them. */
const isRebuilt = (name: string): boolean => name.endsWith("-shm");

const isFolder = (node: Node): node is Folder => "names" in node;
const newFolder = (): Folder => ({ names: new Map(), synced: new Map(), pending: [] });

export class Disk {
  readonly #home: string;
  readonly #root = newFolder();
  readonly #inodes = new Map<bigint, Node>();

  /** Marks everything in the folder as synced. */
  constructor(home: string) {
    this.#home = home;
    this.#load(home, this.#root);
  }

  /** Replays the changes that processes made to the folder. */
  replay(log: Buffer): void {
    const syncs = new Map<number, () => void>();
    for (const { kind, inode, place, names, data } of readWriteLog(log)) {
      const node = this.#inodes.get(inode);
      const [from, to] = names as [string, string];
      if (kind === "C") this.#inodes.set(inode, this.#add(from, { synced: Buffer.alloc(0), pending: [] }));
      else if (kind === "M") this.#add(from, newFolder());
      else if (kind === "O") this.#inodes.set(inode, this.#find(from));
      else if (kind === "W") (node as File).pending.push({ at: place, bytes: data });
      else if (kind === "T") (node as File).pending.push({ length: place });
      else if (kind === "B") syncs.set(place, syncOf(node!));
      else if (kind === "E") syncs.get(place)!();
      else if (kind === "U") this.#remove(from);
      else if (kind === "L") this.#add(to, this.#find(from));
      else if (kind === "R") this.#rename(from, to);
      else throw new Error(`the log of writes has a line of the unknown kind ${kind}`);
    }
  }

  /**
   * Cuts the power. Each file and folder keeps all, none or a prefix of its unsynced changes. A file may also keep an
   * arbitrary subset.
   */
  cut(random: Random): void {
    for (const folder of this.#folders()) {
      const { pending } = folder;
      const kept = random.pick([0, pending.length, random.below(pending.length + 1)]);
      for (const change of pending.slice(0, kept)) applyName(change);
    }
    for (const folder of this.#folders()) {
      folder.pending = [];
      folder.names = new Map(folder.synced);
    }
    for (const file of this.#files()) {
      file.synced = withChanges(file.synced, surviving(file.pending, random));
      file.pending = [];
    }
  }

  /** Replaces the folder with this disk, without the unsynced changes. */
  writeTo(home: string): void {
    rmSync(home, { recursive: true, force: true });
    writeFolder(home, this.#root);
  }

  /** Returns the first path at which the folder differs from the log. */
  difference(): string | undefined {
    return differenceOf(this.#home, this.#root);
  }

  #load(path: string, folder: Folder): void {
    for (const name of readdirSync(path)) {
      const at = join(path, name);
      const found = lstatSync(at, { bigint: true });
      const node: Node = found.isDirectory() ? newFolder() : { synced: readFileSync(at), pending: [] };
      folder.names.set(name, node);
      folder.synced.set(name, node);
      this.#inodes.set(found.ino, node);
      if (isFolder(node)) this.#load(at, node);
    }
  }

  #find(path: string): Node {
    if (path === this.#home) return this.#root;
    const node = this.#folder(path).names.get(basename(path));
    if (node === undefined) throw new Error(`the log of writes names ${path}, which it did not create`);
    return node;
  }

  #folder(path: string): Folder {
    return this.#find(dirname(path)) as Folder;
  }

  #add(path: string, node: Node): Node {
    if (path === this.#home) return this.#root;
    const name = basename(path);
    changeNames([this.#folder(path)], ([names]) => names!.set(name, node));
    return node;
  }

  #remove(path: string): void {
    changeNames([this.#folder(path)], ([names]) => names!.delete(basename(path)));
  }

  #rename(from: string, to: string): void {
    const node = this.#find(from);
    changeNames([this.#folder(from), this.#folder(to)], ([source, target]) => {
      source!.delete(basename(from));
      target!.set(basename(to), node);
    });
  }

  #folders(): Folder[] {
    return [...new Set([this.#root, ...nodesIn(this.#root).filter(isFolder)])];
  }

  #files(): File[] {
    return [...new Set(nodesIn(this.#root).filter((node) => !isFolder(node)))] as File[];
  }
}

function changeNames(folders: Folder[], change: (names: Map<string, Node>[]) => void): void {
  change(folders.map(({ names }) => names));
  const pending: NameChange = { folders, apply: () => change(folders.map(({ synced }) => synced)) };
  for (const folder of new Set(folders)) folder.pending.push(pending);
}

/** File systems keep the order of renames in a directory. A rename between two directories is atomic. */
function applyName(change: NameChange): void {
  for (const folder of change.folders) {
    while (folder.pending.includes(change)) {
      const first = folder.pending[0]!;
      if (first !== change) applyName(first);
      else {
        for (const each of change.folders) each.pending = each.pending.filter((one) => one !== change);
        change.apply();
      }
    }
  }
}

/** Returns a function to call when the sync ends. It puts the changes that were pending at the start onto the disk. */
function syncOf(node: Node): () => void {
  if (isFolder(node)) {
    const begun = [...node.pending];
    return () => {
      for (const change of begun) applyName(change);
    };
  }
  const begun = new Set(node.pending);
  return () => {
    node.synced = withChanges(
      node.synced,
      node.pending.filter((change) => begun.has(change)),
    );
    node.pending = node.pending.filter((change) => !begun.has(change));
  };
}

function withChanges(content: Buffer, changes: readonly Change[]): Buffer {
  const most = Math.max(content.length, ...changes.map((c) => ("length" in c ? c.length : c.at + c.bytes.length)));
  const room = Buffer.alloc(most);
  content.copy(room);
  let size = content.length;
  for (const change of changes) {
    if ("length" in change) {
      // Truncated bytes are zeros if the file grows again.
      room.fill(0, Math.min(change.length, size), size);
      size = change.length;
    } else {
      change.bytes.copy(room, change.at);
      size = Math.max(size, change.at + change.bytes.length);
    }
  }
  return room.subarray(0, size);
}

function surviving(pending: readonly Change[], random: Random): Change[] {
  const way = random.below(4);
  if (way === 0) return [];
  if (way === 1) return [...pending];
  if (way === 2) {
    const kept = pending.slice(0, random.below(pending.length + 1));
    const last = kept.at(-1);
    if (last === undefined || "length" in last) return kept;
    return [...kept.slice(0, -1), { at: last.at, bytes: last.bytes.subarray(0, random.below(last.bytes.length + 1)) }];
  }
  const share = random.next();
  return pending
    .flatMap((change) => ("length" in change ? [change] : sectorsOf(change)))
    .filter(() => random.next() < share);
}

function sectorsOf({ at, bytes }: { at: number; bytes: Buffer }): Change[] {
  const sectors: Change[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + SECTOR - ((at + from) % SECTOR));
    sectors.push({ at: at + from, bytes: bytes.subarray(from, to) });
    from = to;
  }
  return sectors;
}

/** Returns all files and folders below a folder, both those that the processes see and those on the disk. */
function nodesIn(folder: Folder): Node[] {
  return [...folder.names.values(), ...folder.synced.values()].flatMap((node) =>
    isFolder(node) ? [node, ...nodesIn(node)] : [node],
  );
}

function writeFolder(path: string, folder: Folder): void {
  mkdirSync(path, { mode: 0o700 });
  for (const [name, node] of folder.synced) {
    if (isFolder(node)) writeFolder(join(path, name), node);
    else if (!isRebuilt(name)) writeFileSync(join(path, name), node.synced, { mode: 0o600 });
  }
}

function differenceOf(path: string, folder: Folder): string | undefined {
  const found = new Set(readdirSync(path));
  for (const [name, node] of folder.names) {
    const at = join(path, name);
    if (!found.delete(name)) return `${at} is not there`;
    if (isFolder(node)) {
      const inside = differenceOf(at, node);
      if (inside !== undefined) return inside;
    } else if (!isRebuilt(name) && !withChanges(node.synced, node.pending).equals(readFileSync(at))) return at;
  }
  const [more] = found;
  return more === undefined ? undefined : `${join(path, more)} is not in the log`;
}
