// Tests how events are grouped into batches: by size, at checkpoints if there are any, and without losing the reasons
// for skipped items.
import { describe, expect, test } from "vitest";
import { batcher } from "./batcher.ts";
import { memoryEntry } from "./importer.fixture.ts";
import type { ImportEvent } from "./importer.ts";
import type { ParserBatch } from "./messages.ts";

const entry = memoryEntry("a.txt", "");
const record = (key: string, size = 1000): ImportEvent => ({
  kind: "record",
  stream: "s",
  key,
  data: { id: key, text: "x".repeat(size) },
  entry,
});

async function batchesOf(events: Iterable<ImportEvent>) {
  const batches: ParserBatch[] = [];
  const made = batcher({
    file: "a",
    read: () => 0,
    snapshotOf: ["s"],
    send: async (batch) => void batches.push(batch),
  });
  for (const event of events) await made.take(event);
  const seen = await made.end();
  return { batches, seen, lines: batches.map((batch) => Buffer.from(batch.lines).toString().split("\n").length >> 1) };
}

describe("batches", () => {
  test("end at the first checkpoint after a megabyte, and include it", async () => {
    function* events(): Generator<ImportEvent> {
      for (let n = 0; n < 3000; n++) {
        yield record(`r${n}`);
        if (n % 100 === 99) yield { kind: "checkpoint", entry, position: n };
      }
    }
    const { batches, lines } = await batchesOf(events());
    expect(lines).toEqual([1100, 1100, 800]);
    expect(batches.map(({ checkpoint }) => checkpoint?.position)).toEqual([1099, 2199, 2999]);
  });

  test("without a checkpoint end at two megabytes, and an interrupted run repeats them", async () => {
    const { batches, lines } = await batchesOf(Array.from({ length: 9000 }, (_, n) => record(`r${n}`)));
    expect(lines.length).toBe(5);
    expect(batches.every(({ checkpoint }) => checkpoint === undefined)).toBe(true);
  });

  test("end when the run ends, and include its last checkpoint unless records follow it", async () => {
    const checkpoint: ImportEvent = { kind: "checkpoint", entry, position: 2 };
    const ends = async (...events: ImportEvent[]) => (await batchesOf(events)).batches.map((batch) => batch.checkpoint);
    expect(await ends(record("a"), record("b"), checkpoint)).toEqual([{ entry: "a.txt", position: 2 }]);
    expect(await ends(record("a"), checkpoint, record("b"))).toEqual([undefined]);
  });

  test("also end at a maximum number of events", async () => {
    const events = Array.from({ length: 45_000 }, (): ImportEvent => ({ kind: "skip", entry, reason: "draft" }));
    const { batches } = await batchesOf(events);
    expect(batches.map(({ notes }) => notes[0]!.skipped)).toEqual([10_000, 10_000, 10_000, 10_000, 5000]);
  });

  test("count equal reasons together and keep the first location of each, up to twenty reasons per entry", async () => {
    const events = Array.from(
      { length: 100 },
      (_, n): ImportEvent => ({ kind: "error", entry, message: `m${n % 50}`, offset: n }),
    );
    const { batches } = await batchesOf(events);
    const [notes] = batches[0]!.notes;
    expect(notes).toMatchObject({ failed: 100, skipped: 0 });
    expect(notes!.reasons).toHaveLength(20);
    expect(notes!.reasons[0]).toEqual({ reason: "m0", count: 2, failed: true, offset: 0 });
  });

  test("list the keys that were seen, with eight bytes per key", async () => {
    const { seen } = await batchesOf([record("a"), record("b"), record("a")]);
    expect(seen.map(({ stream, hashes }) => [stream, hashes.byteLength])).toEqual([["s", 24]]);
  });
});
