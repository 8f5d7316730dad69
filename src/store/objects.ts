// Objects are named bytes that all processes of an owner can read: blobs, finished exports and uploads.
import type { Readable } from "node:stream";
import { PdppError } from "../contract/errors.ts";
import type { Awaitable } from "./store.ts";

/** A plain value that can be sent to threads. */
export type ObjectPlace = FolderPlace | S3Place;

export interface FolderPlace {
  /** Only processes on one machine can use a home. A shared folder can also be used by other machines. */
  kind: "home" | "folder";
  root: string;
}

export interface S3Place {
  kind: "s3";
  endpoint: string;
  region: string;
  bucket: string;
  /** Prepended to every name. Empty, or ends with a slash. */
  prefix: string;
  /** True if the bucket is in the path, not in the host name. */
  pathStyle: boolean;
  keyId: string;
  secret: string;
  sessionToken?: string;
  /** A local folder for incomplete objects. */
  aside: string;
}

export interface StoredObject {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface ListedObject {
  name: string;
  sizeBytes: number;
  /** Milliseconds. */
  modifiedAt: number;
}

/** Both ends are inclusive, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Names are paths with slashes and at least one part. An object is complete once its name exists: readers see the
 * result of a whole `put` or nothing. Failures are `store_unavailable` or `storage_full`, and never mention a key.
 */
export interface ObjectStorage {
  readonly place: ObjectPlace;
  /** A local folder from which `adopt` moves files, without copying them if possible. */
  readonly aside: string;
  /**
   * Stores an object, replacing any object of the same name. It is durable once the promise resolves. Memory is bounded
   * for any size. A broken stream, or bytes that differ from `expected`, leave nothing behind.
   */
  put(name: string, bytes: AsyncIterable<Uint8Array>, expected?: Partial<StoredObject>): Promise<StoredObject>;
  /** Turns a complete, closed local file into the object. The file is removed whether or not this succeeds. */
  adopt(name: string, path: string, expected?: Partial<StoredObject>): Promise<void>;
  /** Resolves with undefined if there is no such object. */
  open(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Returns undefined if there is no such object. Synchronous where possible, because it is called during writes. */
  size(name: string): Awaitable<number | undefined>;
  /** Deleting a missing object is not an error. */
  delete(names: readonly string[]): Promise<void>;
  /** Lists all names with this prefix, unordered. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /**
   * Fails if nothing can be stored or found, such as when the bucket is missing or the keys are refused. A missing name
   * is not a failure.
   */
  check(): Promise<void>;
  /** Returns false if nothing was ever stored in this folder, so no lookup is needed. */
  mayHold(folder: string): boolean;
}

/** Names become paths and URLs, so a name that leads elsewhere is a bug. */
export function checkName(name: string): string {
  if (name.split("/").some((part) => part === "" || part === "." || part === "..") || name.includes("\0"))
    throw new Error(`${JSON.stringify(name)} is not a valid object name`);
  return name;
}

/** Error codes for a folder that is missing, not accessible, or not a folder. */
const UNUSABLE = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "EISDIR", "EIO", "ESTALE", "ENODEV"]);

/** Turns a disk error into one of ours. Other errors pass through. */
export function diskFailure(error: unknown, lost: string): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return new PdppError("storage_full", `the disk is full; ${lost}`);
  if (!UNUSABLE.has(code)) return error;
  return new PdppError("store_unavailable", `the folder for stored files cannot be used (${code}); ${lost}`);
}

/** The error that both implementations raise if the bytes differ. */
export function otherBytes(name: string): Error {
  return new Error(`${name}: the bytes differ from those announced`);
}

/** True if the bytes match what was announced. */
export function isExpected({ sizeBytes, sha256 }: StoredObject, expected: Partial<StoredObject>): boolean {
  return (expected.sizeBytes ?? sizeBytes) === sizeBytes && (expected.sha256 ?? sha256) === sha256;
}
