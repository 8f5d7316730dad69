// Reading files for importers: complete, in order, and closed when reading stops.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fileBytes } from "./file-bytes.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const KB = 1024;

describe("file bytes", () => {
  test.each([0, 1, 64 * KB - 1, 64 * KB, 64 * KB + 1, 192 * KB, 448 * KB, 3000 * KB])(
    "are complete for a size of %i",
    async (size) => {
      const path = join(folder, String(size));
      const bytes = Buffer.from(
        Uint32Array.from({ length: Math.ceil(size / 4) }, (_, at) => at * 2_654_435_761).buffer,
      ).subarray(0, size);
      writeFileSync(path, bytes);
      const pieces: Buffer[] = [];
      const lent: Buffer[] = [];
      for await (const piece of fileBytes(Buffer.from(path))) pieces.push(piece);
      for await (const piece of fileBytes(path, { lent: true })) lent.push(Buffer.from(piece));
      expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
      expect(Buffer.concat(lent).equals(bytes)).toBe(true);
    },
  );

  test.skipIf(process.platform !== "linux")("leave no open file if reading stops early", async () => {
    const path = join(folder, "long");
    writeFileSync(path, Buffer.alloc(2000 * KB));
    const before = readdirSync("/proc/self/fd").length;
    for (const pieces of [1, 2, 3]) {
      let read = 0;
      for await (const _piece of fileBytes(path)) if (++read === pieces) break;
    }
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
  });

  test("cannot be read if the file is missing", async () => {
    await expect(fileBytes(join(folder, "none")).next()).rejects.toThrow("ENOENT");
  });
});
