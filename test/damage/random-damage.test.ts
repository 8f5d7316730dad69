// T-09: random damage in records.db is never returned as data.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DamageWorld, damageWorld, runDamage } from "./random-damage.ts";

let world: DamageWorld;
beforeAll(async () => {
  world = await damageWorld();
});
afterAll(() => world.remove());

it("T-09 with random bytes changed in records.db, every result is correct or an error that reports the damage", async () => {
  const { answers, errors, wrong } = await runDamage(world, { seed: 20_260_301, rounds: 40 });
  expect(wrong).toEqual([]);
  expect(answers).toBeGreaterThan(100);
  expect(errors).toBeGreaterThan(100);
});
