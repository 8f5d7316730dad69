// P-07: three servers on one PostgreSQL; a short version of `npm run soak -- processes`.
import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { runMixedLoad } from "./mixed-load.ts";

test("P-07 with three servers killed or paused in turn and the database restarted, no acknowledged write is lost or duplicated, no grant is exceeded, and revocations apply everywhere", async () => {
  const seed = randomInt(2 ** 31);
  const figures = await runMixedLoad({ seed, rounds: 4 });
  const wrong = { lost: [], twice: [], violations: [], importsWrong: [] };
  expect(figures, `seed ${seed}`).toMatchObject(wrong);
  for (const done of [
    "acknowledged",
    "reads",
    "revocations",
    "imports",
    "followed",
    "audited",
    "serverKills",
    "serverPauses",
    "databaseRestarts",
  ] as const)
    expect(figures[done], `seed ${seed}: ${done}`).toBeGreaterThan(0);
});
