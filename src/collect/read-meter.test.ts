// Tests how parsed bytes are counted, however many times and in whatever order an importer opens its files.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ImportJob } from "../contract/import.ts";
import { importWorld } from "./import.fixture.ts";
import { readMeter } from "./read-meter.ts";

describe("the bytes read by a run", () => {
  const entries = [
    { path: "a", size: 100 },
    { path: "b", size: 50 },
    { path: "c.gz", size: -1 },
    { path: "d", size: 10 },
  ];

  test("are all bytes before the current entry, plus the part of it that was read", () => {
    const meter = readMeter(entries);
    // A first pass over everything does not count as progress.
    for (const { path, size } of entries) meter.opened(path)(Math.abs(size));
    const first = meter.opened("a");
    first(40);
    meter.found("a");
    expect(meter.bytes()).toBe(40);
    meter.opened("d")(10);
    first(60);
    expect(meter.bytes()).toBe(100);
    meter.opened("b")(20);
    meter.found("b");
    expect(meter.bytes()).toBe(120);
    // At the end, something is found in an earlier entry, but progress does not go back.
    meter.found("a");
    expect(meter.bytes()).toBe(120);
    meter.opened("c.gz")(700);
    meter.found("c.gz");
    expect(meter.bytes()).toBe(850);
  });

  test("start at the entry where an interrupted run resumes, and never exceed the size of a file", () => {
    const meter = readMeter(entries, 1);
    expect(meter.bytes()).toBe(100);
    meter.opened("b")(70);
    expect(meter.bytes()).toBe(150);
  });
});

describe("the progress of an import", () => {
  let world: ReturnType<typeof importWorld>;
  beforeEach(() => {
    world = importWorld();
  });
  afterEach(() => world.close());

  test("P-05 counts the parsed bytes of mail, although every file is read twice, and ends with all of them", async () => {
    const mail = (file: string, index: number): string =>
      `From a@example.org Fri May 31 09:00:00 2024\nMessage-ID: <${file}.${index}@example.org>\nFrom: a@example.org\nSubject: ${index}\n\n${"word ".repeat(2000)}\n\n`;
    for (const file of ["a", "b"])
      world.put(`mail/${file}.mbox`, Array.from({ length: 400 }, (_, index) => mail(file, index)).join(""));
    const seen: ImportJob["progress"][] = [];
    const job = await world.one(["mail"], { real: true, onProgress: ({ progress }) => seen.push(progress) });
    const { total_bytes: total } = job.progress;
    const [begun, ...batches] = seen.map(({ bytes }) => bytes);
    expect(begun).toBe(0);
    expect(batches.length).toBeGreaterThanOrEqual(4);
    expect(batches).toEqual(batches.toSorted((one, other) => one - other));
    expect(batches[0]).toBeLessThan(total / 2);
    expect(batches.at(-1)).toBeLessThanOrEqual(total);
    // Bytes grow in step with records, because little is read ahead.
    for (const { bytes, counts } of seen) expect(Math.abs(bytes / total - counts.imported / 800)).toBeLessThan(0.3);
    expect([job.status, job.progress.bytes]).toEqual(["succeeded", total]);
  });
});
