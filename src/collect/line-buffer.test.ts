// Lines are read back unchanged, whatever their length. A buffer that has been handed out no longer changes.
import fc from "fast-check";
import { expect, it } from "vitest";
import { lineBuffer } from "./line-buffer.ts";

it("returns every line, whatever its characters and its length", () => {
  const line = fc.oneof(
    fc.string({ unit: "binary", maxLength: 50 }),
    fc.integer({ min: 60_000, max: 70_000 }).map((length) => "é".repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(line.map(JSON.stringify), { maxLength: 20 }), (lines) => {
      const buffer = lineBuffer();
      for (const one of lines) buffer.add(one);
      const text = lines.map((one) => `${one}\n`).join("");
      expect(buffer.length()).toBe(Buffer.byteLength(text));
      const taken = buffer.take();
      buffer.add("next");
      expect(Buffer.from(taken).toString()).toBe(text);
      expect(Buffer.from(buffer.take()).toString()).toBe("next\n");
    }),
    { numRuns: 50 },
  );
});
