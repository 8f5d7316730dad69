// What every importer must hold, on any files: twice is the same, a run goes on where it stopped, damage costs no crash.
import { expect } from "vitest";
import type { Entry } from "../entry.ts";
import { wholeEntry } from "../entry.ts";
import { collect, memoryEntry, refusals } from "../importer.fixture.ts";
import type { Answers, Checkpoint, ImportEvent, Importer } from "../importer.ts";

const told = (events: readonly ImportEvent[]): unknown[] =>
  events.flatMap((event) => (event.kind === "checkpoint" ? [] : [{ ...event, entry: event.entry.path }]));

/** Twice the same events; from every checkpoint the same rest; every record fits its declaration. */
export async function expectSteady(
  importer: Importer,
  entries: readonly Entry[],
  answers: Answers = {},
): Promise<void> {
  const events = await collect(importer, entries, { answers });
  expect(await collect(importer, entries, { answers })).toEqual(events);
  expect(await refusals(importer, entries, answers)).toEqual([]);
  for (const [index, event] of events.entries()) {
    if (event.kind !== "checkpoint") continue;
    const resume: Checkpoint = {
      entry: event.entry.path,
      ...(event.position === undefined ? {} : { position: event.position }),
    };
    const rest = await collect(importer, entries, { answers, resume });
    expect(told(rest), JSON.stringify(resume)).toEqual(told(events.slice(index + 1)));
  }
}

/** Each entry truncated and mutated: the run ends, throws nothing, and gives only what fits its declaration. */
export async function expectTough(
  importer: Importer,
  entries: readonly Entry[],
  answers: Answers = {},
  cases = 20,
): Promise<void> {
  const random = seeded(20240531);
  for (const [index, entry] of entries.entries()) {
    const whole = await wholeEntry(entry, 64 * 1024 * 1024);
    for (let one = 0; one < cases; one++) {
      const bytes = Buffer.from(one % 2 === 0 ? whole.subarray(0, random(whole.length + 1)) : whole);
      if (one % 2 === 1)
        for (let hit = 0; hit < 1 + one; hit++) if (bytes.length > 0) bytes[random(bytes.length)] = random(256);
      const damaged = entries.with(index, memoryEntry(entry.path, bytes));
      expect(await refusals(importer, damaged, answers), `${entry.path}, case ${one}`).toEqual([]);
    }
  }
}

function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
