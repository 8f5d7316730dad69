// Gzip files: complete, in several members, truncated, and not read to the end.
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { gunzipped } from "./gunzipped.ts";
import { newFolder } from "./walked.fixture.ts";

const folder = newFolder();
afterAll(() => folder.remove());

async function unpacked(packed: Buffer): Promise<{ bytes: Buffer; error?: string }> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of gunzipped(folder.put("a.gz", packed))) {
      parts.push(part);
      // Let other tasks run between chunks, as they do in a real reader.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { bytes: Buffer.concat(parts) };
  } catch (error) {
    return { bytes: Buffer.concat(parts), error: (error as Error).message };
  }
}

const text = Buffer.from(randomBytes(300_000).toString("hex"));

test("yields its content, even with several members and trailing bytes", async () => {
  const half = text.length / 2;
  const members = Buffer.concat([gzipSync(text.subarray(0, half)), gzipSync(text.subarray(half))]);
  for (const packed of [gzipSync(text), members, Buffer.concat([gzipSync(text), Buffer.alloc(100_000)])]) {
    const { bytes, error } = await unpacked(packed);
    expect([bytes.equals(text), error]).toEqual([true, undefined]);
  }
});

test("P-05 if truncated, yields everything that can be unpacked, then the error, with the same result every time", async () => {
  const packed = gzipSync(text);
  const cut = packed.subarray(0, Math.floor(packed.length * 0.7));
  const [one, other] = [await unpacked(cut), await unpacked(cut)];
  expect(one.error).toBe("unexpected end of file");
  expect(one.bytes.equals(text.subarray(0, one.bytes.length))).toBe(true);
  expect(one.bytes.length).toBeGreaterThan(text.length * 0.69);
  expect(other.bytes.length).toBe(one.bytes.length);
});

test("reports a file that is not gzip, and closes a file that is not read to the end", async () => {
  expect((await unpacked(Buffer.from("nothing packed"))).error).toBe("incorrect header check");
  for await (const part of gunzipped(folder.put("b.gz", gzipSync(text)))) {
    expect(part.byteLength).toBeGreaterThan(0);
    break;
  }
});
