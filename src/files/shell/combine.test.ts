// Combining selections gives the same results as JavaScript sets, has a size limit, and runs in steps that let other
// calls through.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SELECTION } from "../../contract/limits.ts";
import type { EngineHost } from "../../engine/host.ts";
import { COMBINES, type Combine, combined } from "./combine.ts";
import { FilesLens } from "./lens.ts";
import type { SetEntry } from "./selection-rows.ts";

const entry = (nodeId: string): SetEntry => ({ nodeId, kind: "file", size: 1 });
const entries = (from: number, to: number): SetEntry[] =>
  Array.from({ length: to - from }, (_, at) => entry(`n1-7.${String(from + at).padStart(9, "0")}`));

/** The meaning of each operation for a pair of selections. */
const MEANING: Record<Combine, (one: string[], other: string[]) => string[]> = {
  union: (one, other) => [...new Set([...one, ...other])],
  intersection: (one, other) => one.filter((id) => other.includes(id)),
  difference: (one, other) => one.filter((id) => !other.includes(id)),
};

describe("combining sorted selections", () => {
  test("S-07 returns the right result for each operation, with any number of selections", () => {
    const selection = fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { maxLength: 10 });
    fc.assert(
      fc.property(
        fc.constantFrom(...COMBINES),
        fc.array(selection, { minLength: 2, maxLength: 5 }),
        (how, selections) => {
          const sorted = selections.map((one) => one.toSorted().map(entry)[Symbol.iterator]());
          const found = [...combined(how, sorted)].flatMap((one) => one?.nodeId ?? []);
          expect(found).toEqual(selections.reduce(MEANING[how]).toSorted());
        },
      ),
    );
  });
});

describe("a lens whose data is in a thread", () => {
  let home: string;
  let lens: FilesLens;
  const set = (name: string) => ({ client: "app", name, indexId: "ix1" });
  const filled = async (name: string, from: number, to: number): Promise<string> =>
    (await lens.selections.create(set(name), entries(from, to))).set_id;

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), "pdpp-combine-"));
    // No root is approved, so nothing calls the engine.
    lens = new FilesLens({ home, host: {} as EngineHost, inThread: true });
  });
  afterAll(async () => {
    await lens?.close();
    rmSync(home, { recursive: true, force: true });
  });

  test("D-05 a call that arrives during a combine returns before the combine ends", async () => {
    const ids = [await filled("one", 0, 12_000), await filled("other", 6_000, 18_000)];
    const order: string[] = [];
    // Calls made in the same turn reach the thread together, in this order.
    const combine = lens.selections.combine(set("both"), "union", ids).then((made) => {
      order.push("combine");
      return made;
    });
    const look = lens.store.set(ids[0]!).then(() => order.push("look"));
    const [{ set_id }] = await Promise.all([combine, look]);
    expect(order).toEqual(["look", "combine"]);
    expect(await lens.store.countEntries(set_id)).toBe(18_000);
  });

  test("D-05 a combine uses its inputs as they were when it began", async () => {
    const ids = [await filled("kept", 0, 9_000), await filled("emptied", 0, 9_000)];
    const combine = lens.selections.combine(set("still whole"), "intersection", ids);
    await lens.selections.remove(ids[1]!);
    expect(await lens.store.countEntries((await combine).set_id)).toBe(9_000);
  });

  test("D-05 a result that is too large for a selection is refused, and no part of it is kept", async () => {
    const half = SELECTION.entries / 2;
    const ids = [await filled("first half", 0, half), await filled("the rest and one", half, 2 * half + 1)];
    const before = await lens.store.countSets("app");
    await expect(lens.selections.combine(set("too many"), "union", ids)).rejects.toMatchObject({
      code: "resource_limit",
      message: expect.stringContaining(`more than ${SELECTION.entries} entries`),
      details: { param: "selectionIds", next_step: expect.stringContaining("Combine fewer") },
    });
    expect(await lens.store.countSets("app")).toBe(before);
    const within = await lens.selections.combine(set("none left"), "difference", [ids[0]!, ids[0]!]);
    expect(await lens.store.countEntries(within.set_id)).toBe(0);
  });
});
