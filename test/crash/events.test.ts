// F-06: at-least-once delivery with stable ids, even if the server is killed at any moment.
import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { runEventCrashes } from "./event-crashes.ts";

const KILLS = 2;

it(`F-06 a server killed ${KILLS} times while records are written misses no change that the subscription's grant shows`, async () => {
  const seed = Number(process.env.PDPP_SEED ?? randomInt(2 ** 31));
  const { deliveries, events } = await runEventCrashes({ seed, kills: KILLS });
  expect([deliveries > 0, events > 0], `PDPP_SEED=${seed}`).toEqual([true, true]);
});
