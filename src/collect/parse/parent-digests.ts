// Digests of given files that the parent computes while this process starts.
import type { FileDigest } from "../messages.ts";

export interface ParentDigests {
  /** Returns undefined if the parent does not hash the file. Resolves to undefined if the parent did not read it. */
  of(file: string): Promise<string | undefined> | undefined;
  arrived(digest: FileDigest): void;
}

export function parentDigests(files: readonly string[]): ParentDigests {
  const expected = new Map(files.map((file) => [file, Promise.withResolvers<string | undefined>()]));
  return {
    of: (file) => expected.get(file)?.promise,
    arrived: ({ file, sha256 }) => expected.get(file)?.resolve(sha256),
  };
}
