// Objects: bytes under a name that every process of an owner reaches, be it blobs, finished exports or uploads.
import type { Readable } from "node:stream";
import { PdppError } from "../contract/errors.ts";
import type { Awaitable } from "./store.ts";

/** A plain value that can be sent to threads. */
export type ObjectPlace = FolderPlace | S3Place;

export interface FolderPlace {
  /** Only processes of one machine reach a home; a shared folder is also reached by other machines. */
  kind: "home" | "folder";
  root: string;
}

export interface S3Place {
  kind: "s3";
  endpoint: string;
  region: string;
  bucket: string;
  /** Before every name; empty, or with a slash at its end. */
  prefix: string;
  /** The bucket is in the path, not before the host's name. */
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

/** Both ends included, as HTTP counts. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Names are paths with slashes, of at least one part. A name that exists is whole: readers see all of one `put`, or nothing.
 * Failures are `store_unavailable` or `storage_full`, and never mention a key.
 */
export interface ObjectStorage {
  readonly place: ObjectPlace;
  /** A local folder from which `adopt` takes files without copying them if possible. */
  readonly aside: string;
  /**
   * Durable when it resolves; replaces an object of the same name. Memory stays bounded, whatever the size. A broken stream, or bytes
   * that differ from `expected`, leave nothing behind.
   */
  put(name: string, bytes: AsyncIterable<Uint8Array>, expected?: Partial<StoredObject>): Promise<StoredObject>;
  /** A local file, written to its end and closed, becomes the object. It is gone from where it was, whatever happens. */
  adopt(name: string, path: string, expected?: Partial<StoredObject>): Promise<void>;
  /** undefined: there is no such object. */
  open(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** undefined: there is no such object. Synchronous where possible: it is called in the middle of writes. */
  size(name: string): Awaitable<number | undefined>;
  /** A missing object is not an error. */
  delete(names: readonly string[]): Promise<void>;
  /** All names with this prefix, unordered. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Fails if nothing can be stored or found: a missing bucket, refused keys. A missing name is not a failure. */
  check(): Promise<void>;
  /** false: nothing was ever stored below this folder, so no lookup is needed. */
  mayHold(folder: string): boolean;
}

/** Names become paths and addresses: one that leads elsewhere is a bug. */
export function checkName(name: string): string {
  if (name.split("/").some((part) => part === "" || part === "." || part === "..") || name.includes("\0"))
    throw new Error(`${JSON.stringify(name)} is not a valid object name`);
  return name;
}

/** A folder that is missing, not accessible, or not a folder. */
const UNUSABLE = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "EISDIR", "EIO", "ESTALE", "ENODEV"]);

/** An error of the disk, in our words; other errors pass through. */
export function diskFailure(error: unknown, lost: string): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return new PdppError("storage_full", `the disk is full; ${lost}`);
  if (!UNUSABLE.has(code)) return error;
  return new PdppError("store_unavailable", `the folder of stored files cannot be used (${code}); ${lost}`);
}

/** Messages that two implementations share. */
export function otherBytes(name: string): Error {
  return new Error(`${name}: the bytes differ from those announced`);
}

/** Says whether bytes are those that were announced. */
export function isExpected({ sizeBytes, sha256 }: StoredObject, expected: Partial<StoredObject>): boolean {
  return (expected.sizeBytes ?? sizeBytes) === sizeBytes && (expected.sha256 ?? sha256) === sha256;
}
