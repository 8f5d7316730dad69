// The parent computes the digests of the given files while the parser starts.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hashGiven } from "./hash-given.ts";
import type { FileDigest } from "./messages.ts";

const hashed = async (files: readonly string[], hasEnded = false): Promise<FileDigest[]> => {
  const sent: FileDigest[] = [];
  await hashGiven(files, {
    send: (digest) => sent.push(digest),
    onProgress: () => undefined,
    hasEnded: () => hasEnded,
  });
  return sent;
};

describe("hashing given files in the parent", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, bytes: Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  it("sends the SHA-256 of every file", async () => {
    const bytes = Buffer.alloc(1_500_000, "postern ");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const path = file("one.mbox", bytes);
    expect(await hashed([path])).toEqual([{ file: path, sha256 }]);
  });

  it("leaves missing files and large inputs to the parser", async () => {
    const large = file("large.mbox", Buffer.alloc(0));
    truncateSync(large, 300 * 1024 * 1024);
    const missing = join(folder, "missing.mbox");
    expect(await hashed([missing, large])).toEqual([{ file: missing }, { file: large }]);
  });

  it("stops reading once the parser has ended", async () => {
    const path = file("two.mbox", Buffer.from("From x"));
    expect(await hashed([path], true)).toEqual([{ file: path }]);
  });
});
