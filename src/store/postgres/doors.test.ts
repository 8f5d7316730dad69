// SECURITY row 8: what one address tries at the doors of many owners is counted by all servers together.
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyDatabase } from "../../../test/postgres.ts";
import { Database } from "./connection.ts";
import { doorsOf } from "./doors.ts";
import { migrate } from "./schema.ts";

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

const TURNS = { points: 40, seconds: 300 };

const rows = () => database.session((connection) => connection.rows("SELECT id, due_at FROM item WHERE kind = 'door'"));

it("SECURITY row 8 forty tries of one address, at whichever server; then it is told how long to wait", async () => {
  const servers = [doorsOf(database, TURNS), doorsOf(database, TURNS), doorsOf(database, TURNS)];
  const tries = await Promise.all(Array.from({ length: 60 }, (_, n) => servers[n % 3]!.take("203.0.113.7")));
  // One comes back every 7.5 s.
  const passed = tries.filter(({ ok }) => ok).length;
  expect([40, 41, 42]).toContain(passed);
  for (const refused of tries.filter(({ ok }) => !ok)) {
    const { retryAfterSeconds } = refused as { retryAfterSeconds: number };
    expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(retryAfterSeconds);
  }
  expect(await servers[1]!.take("203.0.113.8")).toEqual({ ok: true });
  // Who knew the password was not guessing.
  await servers[2]!.give("203.0.113.7");
  expect(await servers[2]!.take("203.0.113.7")).toEqual({ ok: true });
  expect(JSON.stringify(await rows())).not.toContain("203.0");
});

it("SECURITY row 8 addresses that have all their turns again are forgotten", async () => {
  await database.session((connection) => connection.run("UPDATE item SET due_at = 1 WHERE kind = 'door'"));
  await doorsOf(database, TURNS).take("203.0.113.9");
  expect(await rows()).toHaveLength(1);
});

it("SECURITY row 8 one that is counted this very moment is not forgotten", async () => {
  const doors = doorsOf(database, TURNS);
  await database.session((connection) => connection.run("UPDATE item SET due_at = 1 WHERE kind = 'door'"));
  const before = await rows();
  await database.session(async (connection) => {
    await connection.script("BEGIN; UPDATE item SET due_at = 9000000000000 WHERE kind = 'door'");
    expect(await doors.take("203.0.113.10")).toEqual({ ok: true });
    await connection.script("COMMIT");
  });
  expect(await rows()).toHaveLength(before.length + 1);
});
