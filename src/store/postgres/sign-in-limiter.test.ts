// SECURITY row 8: sign-in attempts from one address are counted across all owners and servers.
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyDatabase } from "../../../test/postgres.ts";
import { Database } from "./connection.ts";
import { migrate } from "./schema.ts";
import { signInLimiter } from "./sign-in-limiter.ts";

let place: Awaited<ReturnType<typeof emptyDatabase>>;
let database: Database;
beforeAll(async () => {
  place = await emptyDatabase();
  database = new Database(place.url);
  await database.session(migrate);
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const RATE = { points: 40, seconds: 300 };

const rows = () => database.session((connection) => connection.rows("SELECT id, due_at FROM item WHERE kind = 'door'"));

it("SECURITY row 8 one address has forty attempts across all servers, and is then told how long to wait", async () => {
  const servers = [signInLimiter(database, RATE), signInLimiter(database, RATE), signInLimiter(database, RATE)];
  const tries = await Promise.all(Array.from({ length: 60 }, (_, n) => servers[n % 3]!.take("203.0.113.7")));
  // A new attempt becomes available every 7.5 s.
  const passed = tries.filter(({ ok }) => ok).length;
  expect([40, 41, 42]).toContain(passed);
  for (const refused of tries.filter(({ ok }) => !ok)) {
    const { retryAfterSeconds } = refused as { retryAfterSeconds: number };
    expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(retryAfterSeconds);
  }
  expect(await servers[1]!.take("203.0.113.8")).toEqual({ ok: true });
  // A correct password does not count as a guess.
  await servers[2]!.give("203.0.113.7");
  expect(await servers[2]!.take("203.0.113.7")).toEqual({ ok: true });
  expect(JSON.stringify(await rows())).not.toContain("203.0");
});

it("SECURITY row 8 an address is forgotten once its bucket is full again", async () => {
  await database.session((connection) => connection.run("UPDATE item SET due_at = 1 WHERE kind = 'door'"));
  await signInLimiter(database, RATE).take("203.0.113.9");
  expect(await rows()).toHaveLength(1);
});

it("SECURITY row 8 an address that is being counted right now is not forgotten", async () => {
  const signIns = signInLimiter(database, RATE);
  await database.session((connection) => connection.run("UPDATE item SET due_at = 1 WHERE kind = 'door'"));
  const before = await rows();
  await database.session(async (connection) => {
    await connection.script("BEGIN; UPDATE item SET due_at = 9000000000000 WHERE kind = 'door'");
    expect(await signIns.take("203.0.113.10")).toEqual({ ok: true });
    await connection.script("COMMIT");
  });
  expect(await rows()).toHaveLength(before.length + 1);
});
