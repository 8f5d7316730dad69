// P-07: tests readiness: one read per second under any load, a time limit, and no names in its messages.
import { expect, it } from "vitest";
import { PdppError } from "../../contract/errors.ts";
import { readinessOf } from "./readiness.ts";

interface Store {
  asked: number;
  answer: () => Promise<string>;
}

function world(answer: Store["answer"], boundMs = 2000) {
  const store: Store = { asked: 0, answer };
  const clock = { ms: 0 };
  const isUsable = () => {
    store.asked++;
    return store.answer();
  };
  return { store, clock, readiness: readinessOf(isUsable, { now: () => clock.ms, boundMs }) };
}

it("P-07 readiness queries the store once a second, no matter how many probes there are", async () => {
  const { store, clock, readiness } = world(async () => "{}");
  const looks = await Promise.all(Array.from({ length: 1000 }, () => readiness.look()));
  expect(new Set(looks.map(({ status }) => status))).toEqual(new Set(["ready"]));
  clock.ms = 999;
  await readiness.look();
  expect(store.asked).toBe(1);
  clock.ms = 1000;
  await readiness.look();
  expect(store.asked).toBe(2);
});

it("P-07 readiness reports a store's failure only by its code, and reports its recovery", async () => {
  const { store, clock, readiness } = world(async () => {
    throw new PdppError("store_unavailable", "cannot open /home/ada/records.db at postgres://ada:secret@db");
  });
  const look = await readiness.look();
  expect(look).toEqual({
    status: "not_ready",
    reason: "the store failed to answer: store_unavailable",
    next_step: expect.stringContaining("GET /readyz again"),
  });
  store.answer = async () => "{}";
  clock.ms = 1000;
  expect(await readiness.look()).toEqual({ status: "ready" });
  store.answer = async () => {
    throw new Error("/home/ada");
  };
  clock.ms = 2000;
  expect(JSON.stringify(await readiness.look())).not.toContain("ada");
});

it("P-07 readiness does not wait for a store that hangs, and does not query it again until it answers", async () => {
  let release = (_body: string): void => undefined;
  const hanging = new Promise<string>((resolve) => {
    release = resolve;
  });
  const { store, clock, readiness } = world(() => hanging, 20);
  for (let second = 0; second < 3; second++) {
    clock.ms = second * 1000;
    expect(await readiness.look()).toMatchObject({
      status: "not_ready",
      reason: "the store did not answer within 0.02 s",
    });
  }
  expect(store.asked).toBe(1);
  release("{}");
  await hanging;
  clock.ms = 10_000;
  expect(await readiness.look()).toEqual({ status: "ready" });
});

it("P-07 readiness fails at once when the process drains, even for earlier callers", async () => {
  let release = (_body: string): void => undefined;
  const { readiness } = world(() => new Promise((resolve) => (release = resolve)));
  const before = readiness.look();
  readiness.drain();
  const after = await readiness.look();
  release("{}");
  expect([(await before).status, after]).toEqual([
    "not_ready",
    expect.objectContaining({ status: "not_ready", reason: expect.stringContaining("stopping") }),
  ]);
});
