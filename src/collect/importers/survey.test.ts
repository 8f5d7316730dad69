// Copies of one item in several files: the most complete one is kept, whatever the file order.
import { expect, it } from "vitest";
import type { Entry } from "../entry.ts";
import { memoryEntry } from "../importer.fixture.ts";
import type { ImportEvent } from "../importer.ts";
import { surveyCopies } from "./survey.ts";

const record = (entry: Entry, text: string): ImportEvent => ({
  kind: "record",
  stream: "things",
  key: "1",
  data: { id: "1", text },
  entry,
  offset: 0,
});

it("I-04 the most complete copy is kept, in any order, and a complete file takes precedence over a truncated one", async () => {
  const said: Record<string, string> = { a: "short", b: "much longer", c: "longest of them all" };
  async function* events(entry: Entry): AsyncGenerator<ImportEvent> {
    yield record(entry, said[entry.path]!);
    if (entry.path === "c") throw new Error("it breaks off");
  }
  const entries = Object.keys(said).map((path) => memoryEntry(path, path));
  for (const order of [entries, entries.toReversed()]) {
    const settled = await surveyCopies(order, events);
    const kinds = order.map((entry) => [entry.path, settled(record(entry, said[entry.path]!)).kind]);
    expect(Object.fromEntries(kinds)).toEqual({ a: "skip", b: "record", c: "skip" });
  }
});
