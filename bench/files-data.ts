// Trees for the benchmarks of the files lens: on disk, and as blocks that are passed straight to the index writer.
import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { type Entries, LEAF_ENTRIES, TYPE } from "../src/files/leaf.ts";
import { encodeLeaf, leafBytesMax } from "../src/files/leaf-encode.ts";
import { STATE } from "../src/files/scan/messages.ts";
import { IndexWriter } from "../src/files/write/index-writer.ts";
import { ROOT_ID } from "../src/files/write/tree.ts";

const WORDS = [
  "report",
  "image",
  "IMG",
  "index",
  "module",
  "photo",
  "notes",
  "data",
  "main",
  "invoice",
  "scan",
  "track",
];
const ENDINGS = [".js", ".ts", ".json", ".jpg", ".png", ".md", ".txt", ".pdf", ".map", ".d.ts", ".html", ".css"];
const FILES_PER_DIR = 9;
const START = Date.UTC(2015, 0, 1);
const SPAN = 10 * 366 * 86_400_000;

interface FakeDir {
  dirs: string[];
  files: { name: string; size: number; time: number }[];
}

/** A fixed pseudo-random sequence. */
function randomNumbers(): (limit: number) => number {
  let seed = 42;
  return (limit) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((seed / 0x8000_0000) * limit);
  };
}

/**
 * Grows the same tree for the same number of nodes. It picks the next directory to fill at random, so the tree gets as
 * deep as real ones.
 */
function growTree<Place>(nodes: number, root: Place, fill: (place: Place, dir: FakeDir) => Place[]): void {
  const random = randomNumbers();
  const word = (): string => WORDS[random(WORDS.length)]!;
  const waiting: Place[] = [root];
  let left = nodes;
  while (waiting.length > 0) {
    const at = random(waiting.length);
    const place = waiting[at]!;
    waiting[at] = waiting.at(-1)!;
    waiting.pop();
    const files = new Map<string, FakeDir["files"][number]>();
    for (let count = random(FILES_PER_DIR * 2 + 1); count > 0 && left > 0; count--, left--) {
      const name = `${word()}-${random(1_000_000)}${ENDINGS[random(ENDINGS.length)]}`;
      files.set(name, {
        name,
        size: Math.floor(2 ** (random(24_000_000) / 1_000_000)),
        time: START + random(SPAN / 1000) * 1000,
      });
    }
    const dirs = new Set<string>();
    for (let count = waiting.length < left / 30 ? 1 + random(4) : random(2); count > 0 && left > 0; count--, left--)
      dirs.add(`${word()}${random(10_000)}`);
    const sorted = [...files.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const inner of fill(place, { dirs: [...dirs].sort(), files: sorted })) waiting.push(inner);
  }
}

export function writeTree(root: string, nodes: number): void {
  mkdirSync(root, { recursive: true });
  growTree(nodes, root, (path, { dirs, files }) => {
    for (const { name, size } of files) {
      const handle = openSync(`${path}/${name}`, "w");
      if (size % 5 === 0) writeSync(handle, "x".repeat(size % 3000));
      else ftruncateSync(handle, size);
      closeSync(handle);
    }
    for (const name of dirs) mkdirSync(`${path}/${name}`);
    return dirs.map((name) => `${path}/${name}`);
  });
}

/** Writes the index that a scan of such a tree would produce, without touching the disk. */
export function feedIndex(path: string, nodes: number): void {
  const writer = new IndexWriter(path);
  writer.addRoot();
  let fed = 0;
  growTree(nodes, ROOT_ID, (id, dir) => {
    const ids = writer.take(id, { ...blockOf(dir), local: 0 });
    if (++fed % 20_000 === 0) writer.commit();
    return [...ids];
  });
  writer.setMeta("root", JSON.stringify({ mode: TYPE.directory | 0o755, uid: 0, gid: 0, modified: START }));
  writer.complete({ jobId: "job_bench", mode: "first", startedAt: START, endedAt: START, readDirs: fed });
  writer.close();
}

function blockOf({ dirs, files }: FakeDir) {
  const all = [
    ...dirs.map((name) => ({ name, size: 4096, time: START, isDir: true })),
    ...files.map((file) => ({ ...file, isDir: false })),
  ];
  const names = Buffer.from(all.map(({ name }) => name).join(""));
  let end = 0;
  const entries: Entries = {
    count: all.length,
    dirs: dirs.length,
    modes: Uint16Array.from(all, ({ isDir }) => (isDir ? TYPE.directory | 0o755 : TYPE.file | 0o644)),
    uids: new Uint32Array(all.length).fill(1000),
    gids: new Uint32Array(all.length).fill(1000),
    sizes: Float64Array.from(all, ({ size }) => size),
    blocks: Float64Array.from(all, ({ size }) => Math.ceil(size / 4096) * 8),
    times: Float64Array.from(all, ({ time }) => time),
    names,
    nameEnds: Uint32Array.from(all, ({ name }) => {
      end += name.length;
      return end;
    }),
  };
  const leaves: Buffer[] = [];
  for (let from = 0; from < all.length; from += LEAF_ENTRIES) {
    const to = Math.min(all.length, from + LEAF_ENTRIES);
    const out = Buffer.allocUnsafe(leafBytesMax(entries, from, to));
    leaves.push(out.subarray(0, encodeLeaf(out, 0, entries, from, to)));
  }
  const sum = (of: (file: FakeDir["files"][number]) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  const most = (of: (file: FakeDir["files"][number]) => number): number =>
    files.reduce((found, file) => Math.max(found, of(file)), 0);
  return {
    state: STATE.read,
    dev: 1,
    ino: 1,
    mtime: START,
    ctime: START,
    files: files.length,
    dirs: dirs.length,
    size: sum(({ size }) => size),
    allocated: sum(({ size }) => Math.ceil(size / 4096) * 4096),
    biggest: most(({ size }) => size),
    newest: most(({ time }) => time),
    leaves,
    severalNames: [],
    problems: [],
  };
}
