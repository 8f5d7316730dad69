// Compiles write-log.c, the library that logs a process's writes to a home, and reads its log.
import { join } from "node:path";
import { compilePreload } from "../preload.ts";

export interface WriteLogLine {
  /**
   * The letters of write-log.c: create, mkdir, open a directory, write, truncate, begin and end a sync, unlink, link,
   * rename.
   */
  kind: string;
  inode: bigint;
  place: number;
  names: string[];
  data: Buffer;
}

const HEAD_BYTES = 32;

/** Returns the path of the library. */
export const compileWriteLog = (folder: string): string =>
  compilePreload(join(import.meta.dirname, "write-log.c"), folder);

/** The environment for a process whose writes to `home` are logged. */
export const loggedWrites = (library: string, home: string, log: string): Record<string, string> => ({
  LD_PRELOAD: library,
  POWER_HOME: home,
  POWER_LOG: log,
});

/** Reads the log. The last line can be incomplete, because its process was killed. */
export function* readWriteLog(log: Buffer): Generator<WriteLogLine> {
  for (let at = 0; at + HEAD_BYTES <= log.length; ) {
    const nameBytes = log.readUInt32LE(at + 4);
    const dataBytes = Number(log.readBigUInt64LE(at + 24));
    const names = at + HEAD_BYTES;
    const end = names + nameBytes + dataBytes;
    if (end > log.length) return;
    yield {
      kind: String.fromCharCode(log[at]!),
      inode: log.readBigUInt64LE(at + 8),
      place: Number(log.readBigUInt64LE(at + 16)),
      names: log.toString("utf8", names, names + nameBytes).split("\0"),
      data: log.subarray(names + nameBytes, end),
    };
    at = end;
  }
}
