// The directories of an index during a scan: one slot per id in every column, and totals summed up from the lowest
// directories to the root.

type TreeColumn = Uint8Array | Uint16Array | Uint32Array | Float64Array;

const COLUMNS = {
  parent: Uint32Array,
  depth: Uint16Array,
  /** A DirState, or 0 while only the directory's name is known. */
  state: Uint8Array,
  marks: Uint8Array,
  /** Where the directory's name ends in `names`. */
  nameEnd: Uint32Array,
  dev: Float64Array,
  ino: Float64Array,
  mtime: Float64Array,
  ctime: Float64Array,
  numbered: Uint32Array,
  ownFiles: Uint32Array,
  ownDirs: Uint32Array,
  ownSize: Float64Array,
  ownAllocated: Float64Array,
  ownBiggest: Float64Array,
  ownNewest: Float64Array,
  ownProblems: Uint32Array,
  linkedSize: Float64Array,
  linkedAllocated: Float64Array,
  files: Float64Array,
  dirs: Float64Array,
  size: Float64Array,
  allocated: Float64Array,
  biggest: Float64Array,
  newest: Float64Array,
  problems: Float64Array,
} as const;

type TreeColumns = { [Name in keyof typeof COLUMNS]: InstanceType<(typeof COLUMNS)[Name]> };

export const MARK = {
  /** The directory has a row. */
  stored: 1,
  /** The directory, or something below it, has changed since its row was written. */
  touched: 2,
} as const;

export interface Tree extends TreeColumns {
  /** The id of the next new directory. The root is 1. */
  next: number;
  capacity: number;
  /** Names back to back, in id order. */
  names: Buffer;
}

export const ROOT_ID = 1;

export function newTree(capacity = 4096): Tree {
  const columns = Object.fromEntries(
    Object.entries(COLUMNS).map(([name, Kind]) => [name, new Kind(capacity)]),
  ) as unknown as TreeColumns;
  return { ...columns, next: ROOT_ID, capacity, names: Buffer.alloc(capacity * 16) };
}

/** Adds a directory under a parent and returns its id. */
export function addDir(tree: Tree, parent: number, name: Uint8Array): number {
  const id = tree.next++;
  if (id >= tree.capacity) grow(tree, tree.capacity * 2);
  const start = tree.nameEnd[id - 1]!;
  if (start + name.length > tree.names.length)
    tree.names = Buffer.concat([tree.names], tree.names.length * 2 + name.length);
  tree.names.set(name, start);
  tree.nameEnd[id] = start + name.length;
  tree.parent[id] = parent;
  tree.depth[id] = parent === 0 ? 0 : tree.depth[parent]! + 1;
  return id;
}

export function nameOfDir({ names, nameEnd }: Pick<Tree, "names" | "nameEnd">, id: number): Buffer {
  return names.subarray(nameEnd[id - 1]!, nameEnd[id]!);
}

/** Names from the root down, one character per byte. */
export function pathOfDir(tree: Tree, id: number): string[] {
  const path: string[] = [];
  for (let at = id; at > ROOT_ID; at = tree.parent[at]!) path.push(nameOfDir(tree, at).toString("latin1"));
  return path.reverse();
}

function grow(tree: Tree, capacity: number): void {
  const columns = tree as unknown as Record<string, TreeColumn>;
  for (const [name, Kind] of Object.entries(COLUMNS)) {
    const larger = new Kind(capacity);
    larger.set(columns[name]!);
    columns[name] = larger;
  }
  tree.capacity = capacity;
}

/** Marks a directory and all its parents. */
export function touch(tree: Tree, id: number): void {
  const { marks, parent } = tree;
  for (let at = id; at !== 0 && (marks[at]! & MARK.touched) === 0; at = parent[at]!) marks[at]! |= MARK.touched;
}

/**
 * Computes each directory's totals over everything below it. Parents have smaller ids, so one pass from the last id to
 * the first is enough.
 */
export function rollUp(tree: Tree): void {
  const { parent, state, files, dirs, size, allocated, biggest, newest, problems } = tree;
  for (let id = ROOT_ID; id < tree.next; id++) {
    files[id] = tree.ownFiles[id]!;
    dirs[id] = tree.ownDirs[id]!;
    size[id] = tree.ownSize[id]! + tree.linkedSize[id]!;
    allocated[id] = tree.ownAllocated[id]! + tree.linkedAllocated[id]!;
    biggest[id] = tree.ownBiggest[id]!;
    newest[id] = tree.ownNewest[id]!;
    problems[id] = tree.ownProblems[id]!;
  }
  for (let id = tree.next - 1; id > ROOT_ID; id--) {
    if (state[id] === 0) continue;
    const above = parent[id]!;
    files[above]! += files[id]!;
    dirs[above]! += dirs[id]!;
    size[above]! += size[id]!;
    allocated[above]! += allocated[id]!;
    if (biggest[id]! > biggest[above]!) biggest[above] = biggest[id]!;
    if (newest[id]! > newest[above]!) newest[above] = newest[id]!;
    problems[above]! += problems[id]!;
  }
}

/** Removes directories and everything below them from the totals. Returns all removed ids. */
export function drop(tree: Tree, ids: readonly number[]): number[] {
  const going = new Set(ids);
  if (going.size === 0) return [];
  const gone: number[] = [];
  const first = ids.reduce((least, id) => Math.min(least, id));
  for (let id = first; id < tree.next; id++) {
    if (tree.parent[id] === 0 || !(going.has(id) || going.has(tree.parent[id]!))) continue;
    going.add(id);
    gone.push(id);
    tree.state[id] = 0;
    tree.parent[id] = 0;
    tree.marks[id] = 0;
  }
  return gone;
}
