// The Blob in a parser's thread behaves like Node's own.
import { describe, expect, test } from "vitest";
import { withPlainBlobs } from "./plain-blob.ts";

describe("a plain Blob", () => {
  const shared = Buffer.from("a line of many");
  test.each<[string, (string | ArrayBuffer | Uint8Array)[]]>([
    ["nothing", []],
    ["lines and their ends", [new Uint8Array([104, 105]), "\n", shared.subarray(2, 6), "\n", new Uint8Array(0)]],
    ["buffers", [new Uint8Array([1, 2, 3]).buffer, new ArrayBuffer(2)]],
    ["text beyond ASCII", ["Grüße 👋", "\ud800", "\n"]],
  ])("of %s has the same bytes as Node's", async (_name, parts) => {
    const Real = globalThis.Blob;
    const real = new Real(parts as never, { type: "application/octet-stream" });
    withPlainBlobs();
    try {
      const plain = new Blob(parts as never, { type: "application/octet-stream" });
      expect(plain).not.toBeInstanceOf(Real);
      expect([plain.size, plain.type]).toEqual([real.size, real.type]);
      expect(Buffer.from(await plain.arrayBuffer())).toEqual(Buffer.from(await real.arrayBuffer()));
    } finally {
      globalThis.Blob = Real;
    }
  });
});
