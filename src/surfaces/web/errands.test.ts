// Work that outlasts a click: begun once, told while it runs, and its end kept, good or bad.
import { expect, it } from "vitest";
import { PdppError } from "../../contract/errors.ts";
import { errandsOf } from "./errands.ts";

it("P-06 a short one is done when its click is answered", async () => {
  const errands = errandsOf(() => undefined);
  expect(errands.last("none")).toBeUndefined();
  await errands.start("short", async () => 42);
  expect(errands.last("short")).toMatchObject({ result: 42, endedAt: expect.any(String) });
});

it("P-06 a long one is begun once, and tells how far it is", async () => {
  const errands = errandsOf(() => undefined);
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = 0;
  const work = (onProgress: (text: string) => void): Promise<string> => {
    begun++;
    onProgress("half");
    return promise;
  };
  await Promise.all([errands.start("long", work), errands.start("long", work)]);
  expect([begun, errands.last("long")]).toEqual([1, { startedAt: expect.any(String), progress: "half" }]);
  resolve("all");
  await expect.poll(() => errands.last("long")?.result).toBe("all");
});

it("P-06 one that fails says why, and what to do; of an unforeseen failure only the log tells more", async () => {
  const log: string[] = [];
  const errands = errandsOf((text) => log.push(text));
  await errands.start("refused", async () => {
    throw new PdppError("storage_full", "the disk is full", { next_step: "Free some space." });
  });
  expect(errands.last("refused")?.failed).toBe("The disk is full. Free some space.");
  await errands.start("broken", async () => {
    throw new TypeError("secret detail");
  });
  expect(errands.last("broken")?.failed).not.toContain("secret");
  expect(log.join()).toContain("secret detail");
});
