// Tests that every importer must pass: truncated and damaged files, a second run, resuming from any checkpoint.
import { expect } from "vitest";
import { type Entry, wholeEntry } from "../entry.ts";
import { collect, memoryEntry, refusals } from "../importer.fixture.ts";
import type { ImportAnswers, ImportEvent, Importer } from "../importer.ts";

/** Replaces the entries with their paths, so that runs can be compared. */
const plain = (events: readonly ImportEvent[]) => events.map((event) => ({ ...event, entry: event.entry.path }));

/**
 * Checks that a second run produces the same events, and that a run resumed at any checkpoint produces the same
 * remaining events.
 */
export async function repeatsAndResumes(
  importer: Importer,
  entries: readonly Entry[],
  answers: ImportAnswers = {},
): Promise<void> {
  const events = await collect(importer, entries, { answers });
  expect(plain(await collect(importer, entries, { answers }))).toEqual(plain(events));
  for (const [index, event] of events.entries()) {
    if (event.kind !== "checkpoint") continue;
    const resume = { entry: event.entry.path, position: event.position };
    const rest = await collect(importer, entries, { answers, resume });
    const settled = (list: readonly ImportEvent[]) => plain(list).filter(({ kind }) => kind !== "checkpoint");
    expect(settled(rest)).toEqual(settled(events.slice(index + 1)));
  }
}

/**
 * Cuts the file in ten places and damages it twenty times, with a fixed seed. The importer must end, never throw, and
 * produce records that match the declaration.
 */
export async function hostile(
  importer: Importer,
  path: string,
  bytes: Buffer,
  answers: ImportAnswers = {},
  together: readonly Entry[] = [memoryEntry(path, bytes)],
): Promise<void> {
  const variants: Buffer[] = [];
  for (let place = 0; place < 10; place++) variants.push(bytes.subarray(0, Math.floor((bytes.length * place) / 10)));
  let seed = 20_240_531;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % below;
  };
  for (let round = 0; round < 20; round++) {
    const damaged = Buffer.from(bytes);
    for (let hit = 0; hit <= round % 5; hit++) damaged[next(Math.max(1, damaged.length))] = next(256);
    variants.push(damaged);
  }
  for (const variant of variants) {
    const entries = together.map((entry) => (entry.path === path ? memoryEntry(path, variant) : entry));
    expect((await collect(importer, entries, { answers })).at(-1)?.kind).toBe("checkpoint");
    // A plan may refuse a file that is no longer recognisable. The runner reports that and continues.
    const isPlanned = await importer.plan({ name: "test", entries }, answers).then(
      () => true,
      () => false,
    );
    if (isPlanned) expect(await refusals(importer, entries, answers)).toEqual([]);
  }
}

/** Like `hostile`, for files that belong together: each in turn is cut and damaged. */
export async function hostileTogether(
  importer: Importer,
  entries: readonly Entry[],
  answers: ImportAnswers = {},
): Promise<void> {
  for (const entry of entries) {
    await hostile(importer, entry.path, await wholeEntry(entry, 64 * 1024 * 1024), answers, entries);
  }
}
