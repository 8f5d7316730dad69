// A snapshot of a database that can be read as bytes and queried through a connection while others write to it.
import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { freezeDatabase } from "./frozen-database.ts";
import { copyDatabase, openReadOnly, pageBytes } from "./maintenance.ts";

export interface StillDatabase {
  bytes: number;
  connection: DatabaseSync;
  /** Fills the buffer with bytes from this offset of the file, and returns how many bytes were read. */
  read(into: Buffer, offset: number): number;
}

export interface StillOptions {
  /** The folder for a temporary copy. */
  scratch: string;
  /** True if this process has no connection to the home, so its files can be read directly, without a copy. */
  ownProcess: boolean;
}

export async function withStillDatabase<T>(
  path: string,
  { scratch, ownProcess }: StillOptions,
  work: (database: StillDatabase) => Promise<T>,
): Promise<T> {
  const frozen = ownProcess ? await freezeDatabase(path) : undefined;
  if (frozen !== undefined) return reading(path, frozen.connection, work);
  const copy = join(scratch, `copy-${randomBytes(4).toString("hex")}.db`);
  try {
    await copyDatabase(path, copy);
    return await reading(copy, openReadOnly(copy), work);
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) await rm(copy + suffix, { force: true });
  }
}

async function reading<T>(
  path: string,
  connection: DatabaseSync,
  work: (database: StillDatabase) => Promise<T>,
): Promise<T> {
  const file = openSync(path, "r");
  try {
    const hole = pageBytes(connection);
    const read = (into: Buffer, offset: number): number => readAround(file, into, offset, hole);
    return await work({ bytes: fstatSync(file).size, connection, read });
  } finally {
    // Close the connection first, because closing the file would release the locks that the connection holds.
    connection.close();
    closeSync(file);
  }
}

/** SQLite stores no data in the page of this byte. It uses the page for locks, and some systems refuse to read it. */
const LOCK_BYTE = 2 ** 30;

function readAround(file: number, into: Buffer, offset: number, hole: number): number {
  if (offset > LOCK_BYTE || offset + into.length <= LOCK_BYTE) return readWhole(file, into, offset);
  const [start, end] = [LOCK_BYTE - offset, Math.min(into.length, LOCK_BYTE - offset + hole)];
  const before = readWhole(file, into.subarray(0, start), offset);
  into.fill(0, start, end);
  const behind = readWhole(file, into.subarray(end), offset + end);
  return behind === 0 ? Math.max(before, Math.min(end, fstatSync(file).size - offset)) : end + behind;
}

function readWhole(file: number, into: Buffer, offset: number): number {
  let read = 0;
  while (read < into.length) {
    const part = readSync(file, into, read, into.length - read, offset + read);
    if (part === 0) break;
    read += part;
  }
  return read;
}
