// Messages between the writer and a scanner process, as bytes on a pipe.

/** Names and paths are sent with one character per byte, because a name need not be valid text. */
export type ByteText = string;

export interface ScanSettings {
  root: ByteText;
  depthLimit: number | null;
  crossMounts: boolean;
  followSymlinks: boolean;
  ignore: readonly string[];
  /** Identities of this server's home and its contents, which are recognised under any path, such as a bind mount. */
  own: readonly string[];
}

/** A directory to read: its name, and its identity when it was listed. ino is -1 if it was not checked. */
export type DirToRead = [name: ByteText, dev: number, ino: number];

/** Directories with the same parent. */
export interface DirsOfParent {
  /** Names from the root down. */
  path: ByteText[];
  dirs: DirToRead[];
}

export interface DirsLeft extends DirsOfParent {
  locals: number[];
}

/** A symbolic link that may point to a directory inside the root. */
export interface LinkToResolve {
  path: ByteText[];
  name: ByteText;
}

export interface ResolvedLink {
  path: ByteText[];
  dev: number;
  ino: number;
}

/**
 * `walk` reads these directories, optionally with everything below them, and returns the rest after `entries` entries.
 * `resolve` finds the targets of links. `leave` ends the scan and gets no reply.
 */
export type ScanTask =
  | { settings: ScanSettings }
  | { leave: true }
  | { walk: DirsOfParent[]; entries: number; below: boolean }
  | { resolve: LinkToResolve[] };

export type ScanAnswer = { left: DirsLeft[] } | { links: (ResolvedLink | null)[] };

/** The result of reading a directory. */
export const STATE = {
  read: 1,
  unreadable: 2,
  /** Below the index's depth limit. */
  tooDeep: 3,
  /** A mount point of another file system. */
  mount: 4,
  /** A Postern home or a backup of one. */
  home: 5,
} as const;

export type DirStateCode = (typeof STATE)[keyof typeof STATE];

/** A file with several names. It is counted under one of them. */
export interface SeveralNames {
  /** The file's index among the directory's entries. */
  index: number;
  dev: number;
  ino: bigint;
  size: number;
  allocated: number;
}

/** An entry that could not be read, or the directory itself if the index is -1. */
export type Problem = [index: number, text: string];

/** One directory, as read from the disk. Totals exclude files with several names. */
export interface DirBlock {
  local: number;
  state: DirStateCode;
  dev: number;
  ino: number;
  mtime: number;
  ctime: number;
  files: number;
  dirs: number;
  size: number;
  allocated: number;
  biggest: number;
  newest: number;
  leaves: Buffer[];
  severalNames: SeveralNames[];
  problems: Problem[];
}

const BLOCK = { dir: 1, answer: 2 } as const;
/** The numbers at the start of a directory's block. One copy of them all is cheaper than a call for each. */
const head = new Float64Array(15);
const headBytes = Buffer.from(head.buffer);
const SEVERAL_BYTES = 36;

/** Collects blocks and sends them in large pieces. */
export class BlockWriter {
  readonly #send: (bytes: Uint8Array) => void;
  readonly #limit: number;
  #buffer: Buffer;
  #length = 0;

  constructor(send: (bytes: Uint8Array) => void, limit = 256 * 1024) {
    this.#send = send;
    this.#limit = limit;
    this.#buffer = Buffer.allocUnsafe(limit * 2);
  }

  /**
   * `leavesBytesMax` is the maximum space that `writeLeaves` can need. `writeLeaves` writes consecutive leaves and
   * returns how many there are and where they end.
   */
  dir(
    block: Omit<DirBlock, "leaves">,
    leavesBytesMax: number,
    writeLeaves: (out: Buffer, at: number) => { count: number; end: number },
  ): void {
    const problems = block.problems.length === 0 ? "" : JSON.stringify(block.problems);
    const extra = block.severalNames.length * SEVERAL_BYTES + problems.length * 3;
    this.#reserve(5 + headBytes.length + leavesBytesMax + extra);
    const out = this.#buffer;
    const start = this.#length;
    const leaves = writeLeaves(out, start + 5 + headBytes.length);
    let at = leaves.end;
    for (const { index, dev, ino, size, allocated } of block.severalNames) {
      at = out.writeUInt32LE(index, at);
      at = out.writeDoubleLE(dev, at);
      at = out.writeBigUInt64LE(ino, at);
      at = out.writeDoubleLE(size, at);
      at = out.writeDoubleLE(allocated, at);
    }
    const problemBytes = problems === "" ? 0 : out.write(problems, at, "utf8");
    at += problemBytes;
    head[0] = block.local;
    head[1] = block.state;
    head[2] = block.dev;
    head[3] = block.ino;
    head[4] = block.mtime;
    head[5] = block.ctime;
    head[6] = block.files;
    head[7] = block.dirs;
    head[8] = block.size;
    head[9] = block.allocated;
    head[10] = block.biggest;
    head[11] = block.newest;
    head[12] = leaves.count;
    head[13] = block.severalNames.length;
    head[14] = problemBytes;
    out.writeUInt32LE(at - start - 4, start);
    out[start + 4] = BLOCK.dir;
    out.set(headBytes, start + 5);
    this.#length = at;
    if (at >= this.#limit) this.flush();
  }

  answer(answer: ScanAnswer): void {
    const text = Buffer.from(JSON.stringify(answer));
    this.#reserve(5 + text.length);
    const start = this.#length;
    this.#buffer.writeUInt32LE(text.length + 1, start);
    this.#buffer[start + 4] = BLOCK.answer;
    text.copy(this.#buffer, start + 5);
    this.#length = start + 5 + text.length;
    this.flush();
  }

  flush(): void {
    if (this.#length > 0) this.#send(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    this.flush();
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(bytes);
  }
}

/** Reassembles blocks from the pieces that arrive through a pipe. */
export class BlockReader {
  #rest: Buffer = Buffer.alloc(0);
  #pieces: Buffer[] = [];
  #missing = 0;

  /** Each block is valid until the next call. */
  *read(piece: Buffer): Generator<Buffer> {
    if (this.#missing > piece.length) {
      this.#pieces.push(piece);
      this.#missing -= piece.length;
      return;
    }
    const bytes =
      this.#pieces.length + this.#rest.length > 0 ? Buffer.concat([this.#rest, ...this.#pieces, piece]) : piece;
    this.#pieces = [];
    this.#missing = 0;
    let at = 0;
    while (bytes.length >= at + 4) {
      const end = at + 4 + bytes.readUInt32LE(at);
      if (bytes.length < end) {
        this.#missing = end - bytes.length;
        break;
      }
      yield bytes.subarray(at + 4, end);
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }
}

export function readBlock(bytes: Buffer): DirBlock | ScanAnswer {
  if (bytes[0] === BLOCK.answer) return JSON.parse(bytes.toString("utf8", 1)) as ScanAnswer;
  bytes.copy(headBytes, 0, 1, 1 + headBytes.length);
  const leafCount = head[12]!;
  const severalCount = head[13]!;
  const problemBytes = head[14]!;
  let at = 1 + headBytes.length;
  const leaves: Buffer[] = [];
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const length = bytes.readUInt32LE(at);
    leaves.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  const severalNames: SeveralNames[] = [];
  for (let place = 0; place < severalCount; place++) {
    severalNames.push({
      index: bytes.readUInt32LE(at),
      dev: bytes.readDoubleLE(at + 4),
      ino: bytes.readBigUInt64LE(at + 12),
      size: bytes.readDoubleLE(at + 20),
      allocated: bytes.readDoubleLE(at + 28),
    });
    at += SEVERAL_BYTES;
  }
  return {
    local: head[0]!,
    state: head[1] as DirStateCode,
    dev: head[2]!,
    ino: head[3]!,
    mtime: head[4]!,
    ctime: head[5]!,
    files: head[6]!,
    dirs: head[7]!,
    size: head[8]!,
    allocated: head[9]!,
    biggest: head[10]!,
    newest: head[11]!,
    leaves,
    severalNames,
    problems: problemBytes === 0 ? [] : (JSON.parse(bytes.toString("utf8", at, at + problemBytes)) as Problem[]),
  };
}

/** Encodes a task as a length followed by JSON. */
export function taskBytes(task: ScanTask): Buffer {
  const text = Buffer.from(JSON.stringify(task));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(text.length, 0);
  return Buffer.concat([head, text]);
}
