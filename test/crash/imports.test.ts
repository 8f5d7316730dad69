// P-05: an import that is killed and restarted ends like an uninterrupted import. For many kills: npm run soak --
// import.
import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { runImportCrashes } from "./import-crashes.ts";

it("P-05 exactly once: imports that are killed by SIGKILL at 2 random moments and resumed have the same result as uninterrupted ones", async () => {
  const seed = Number(process.env.PDPP_SEED ?? randomInt(2 ** 31));
  expect(await runImportCrashes({ seed, kills: 2 })).toBeGreaterThanOrEqual(2);
});
