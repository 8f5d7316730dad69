// S-12, S-15: a killed index job resumes when the home is opened again, and ends with the same sums as an independent
// walk.
import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { runFileCrashes } from "./file-crashes.ts";

it("S-15 after kills at 3 random moments of indexing, sums match an independent walk and the complete index stays readable", async () => {
  const seed = Number(process.env.PDPP_SEED ?? randomInt(2 ** 31));
  expect(await runFileCrashes({ seed, kills: 3 })).toBeGreaterThanOrEqual(3);
});
