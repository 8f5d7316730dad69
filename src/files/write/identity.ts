// Stores the identity that each directory had when it was read, a thousand identities per value, so that a rescan loads
// them in milliseconds.
import type { DatabaseSync } from "node:sqlite";
import { addDir, nameOfDir, ROOT_ID, type Tree } from "./tree.ts";

const CHUNK = 1024;
/** Bytes per directory: parent, state and name length; then device, inode, mtime and ctime. */
const FIXED_BYTES = 4 + 1 + 2;
const NUMBER_BYTES = 4 * 8;

export class Identities {
  readonly #database: DatabaseSync;
  readonly #changed = new Set<number>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Called after a directory is added, read or removed. */
  change(id: number): void {
    this.#changed.add(Math.floor(id / CHUNK));
  }

  store(tree: Tree): void {
    const statement = this.#database.prepare("INSERT OR REPLACE INTO identity VALUES (?, ?)");
    for (const chunk of this.#changed) statement.run(chunk, encode(tree, chunk));
    this.#changed.clear();
  }

  /** Fills an empty tree. */
  load(tree: Tree): void {
    const statement = this.#database.prepare("SELECT body FROM identity ORDER BY chunk");
    for (const { body } of statement.iterate() as Iterable<{ body: Uint8Array }>)
      decode(tree, Buffer.from(body.buffer, body.byteOffset, body.length));
  }
}

/** Loads only the parents, for readers. */
export function parentsOf(database: DatabaseSync): Uint32Array {
  const bodies = database.prepare("SELECT body FROM identity ORDER BY chunk").all() as { body: Uint8Array }[];
  const parents = new Uint32Array((bodies.length + 1) * CHUNK);
  let id: number = ROOT_ID;
  for (const { body } of bodies) {
    const view = new DataView(body.buffer, body.byteOffset, body.length);
    const count = view.getUint16(0, true);
    for (let index = 0; index < count; index++) parents[id++] = view.getUint32(2 + index * FIXED_BYTES, true);
  }
  return parents;
}

function encode(tree: Tree, chunk: number): Buffer {
  const first = Math.max(ROOT_ID, chunk * CHUNK);
  const end = Math.min(tree.next, (chunk + 1) * CHUNK);
  const names = tree.names.subarray(tree.nameEnd[first - 1]!, tree.nameEnd[end - 1]!);
  const out = Buffer.allocUnsafe(2 + (end - first) * (FIXED_BYTES + NUMBER_BYTES) + names.length);
  let at = out.writeUInt16LE(end - first, 0);
  for (let id = first; id < end; id++) {
    at = out.writeUInt32LE(tree.parent[id]!, at);
    out[at++] = tree.state[id]!;
    at = out.writeUInt16LE(nameOfDir(tree, id).length, at);
  }
  for (const column of [tree.dev, tree.ino, tree.mtime, tree.ctime])
    for (let id = first; id < end; id++) at = out.writeDoubleLE(column[id]!, at);
  names.copy(out, at);
  return out;
}

function decode(tree: Tree, body: Buffer): void {
  const count = body.readUInt16LE(0);
  const first = tree.next;
  let name = 2 + count * (FIXED_BYTES + NUMBER_BYTES);
  for (let index = 0; index < count; index++) {
    const at = 2 + index * FIXED_BYTES;
    const length = body.readUInt16LE(at + 5);
    const id = addDir(tree, body.readUInt32LE(at), body.subarray(name, name + length));
    tree.state[id] = body[at + 4]!;
    name += length;
  }
  let at = 2 + count * FIXED_BYTES;
  for (const column of [tree.dev, tree.ino, tree.mtime, tree.ctime]) {
    for (let index = 0; index < count; index++) column[first + index] = body.readDoubleLE(at + index * 8);
    at += count * 8;
  }
}
