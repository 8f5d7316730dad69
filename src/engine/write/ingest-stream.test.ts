// P-01: splitting a byte stream into batches does not lose, join or alter lines.
import fc from "fast-check";
import { expect, it } from "vitest";
import { INGEST } from "../../contract/limits.ts";
import type { EngineHost } from "../host.ts";
import { ingestStream, lineBatches } from "./ingest-stream.ts";

const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** The resulting lines. A refused line is represented by its error code. */
async function linesOf(bytes: Buffer, cuts: readonly number[]): Promise<string[]> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const [index, place] of places.entries()) if (index > 0) yield bytes.subarray(places[index - 1], place);
  }
  const lines: string[] = [];
  for await (const batch of lineBatches(pieces())) {
    if ("refused" in batch) lines.push(`<${batch.refused.code}>`);
    else
      lines.push(
        ...textOf(batch.bytes)
          .split("\n")
          .filter((line) => line !== ""),
      );
  }
  return lines;
}

it("P-01 the lines are the same however the input is split, and lines that are not UTF-8 are refused individually", async () => {
  const good = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((text) => !text.includes("\n"));
  const line = fc.oneof(
    {
      weight: 5,
      arbitrary: good.map((text) => ({ bytes: Buffer.from(text), expected: Buffer.from(text).toString() })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom([0xff], [0xc3], [0x61, 0xe2, 0x82], [0xed, 0xa0, 0x80])
        .map((bytes) => ({ bytes: Buffer.from(bytes), expected: "<invalid_record>" })),
    },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 20 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.boolean(),
      async (lines, cuts, ended) => {
        const bytes = Buffer.concat(
          lines.flatMap(({ bytes: one }, index) =>
            index === lines.length - 1 && !ended ? [one] : [one, Buffer.from("\n")],
          ),
        );
        expect(await linesOf(bytes, cuts)).toEqual(lines.map(({ expected }) => expected));
      },
    ),
    { numRuns: 500 },
  );
});

it("P-01 a huge line does not affect its neighbours, and memory use stays at a few batches", async () => {
  const giant = Buffer.alloc(20 * 1024 * 1024, 0x78);
  const bytes = Buffer.concat([Buffer.from("one\n"), giant, Buffer.from("\ntwo\n"), giant, Buffer.from("\nthree")]);
  const cuts = Array.from({ length: bytes.length / 65_536 }, (_, n) => n * 65_536);
  expect(await linesOf(bytes, cuts)).toEqual(["one", "<resource_limit>", "two", "<resource_limit>", "three"]);
});

it("P-01 batches are about a megabyte and contain only whole lines", async () => {
  const bytes = Buffer.from(`${"x".repeat(999)}\n`.repeat(5000));
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bytes.length; start += 50_001) yield bytes.subarray(start, start + 50_001);
  }
  const sizes: number[] = [];
  for await (const batch of lineBatches(pieces())) {
    const text = "bytes" in batch ? textOf(batch.bytes) : "";
    expect(text.endsWith("\n")).toBe(true);
    sizes.push(text.length);
  }
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(bytes.length);
  expect(Math.max(...sizes)).toBeLessThan(INGEST.batchBytes + 100_000);
  expect(sizes.length).toBe(5);
});

it("P-01 if several batches fail, the first failure is reported and none is left unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  let batches = 0;
  const host = {
    async call(name: string) {
      if (name === "ingestTarget") return { connection_id: "cin_1", stream_no: 1, began: 0 };
      const number = ++batches;
      await new Promise(setImmediate);
      throw new Error(`batch ${number} failed`);
    },
  } as unknown as EngineHost;
  async function* source(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 4; at++) yield Buffer.from(`${"x".repeat(INGEST.batchBytes)}\n`);
  }
  const options = { host, credential: { home: true }, target: { stream: "notes" } } as const;
  await expect(ingestStream(source(), options)).rejects.toThrow("batch 1 failed");
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  expect(batches).toBeGreaterThan(1);
  expect(unhandled).toEqual([]);
});
