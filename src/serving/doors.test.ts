// SECURITY row 8: what one address tries at the doors of many owners is counted by all servers together.
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyDatabase } from "../../test/postgres.ts";
import { Database } from "../store/postgres/connection.ts";
import { migrate } from "../store/postgres/schema.ts";
import { doorsOf } from "./doors.ts";

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

const rows = () => database.session((connection) => connection.rows("SELECT id, due_at FROM item WHERE kind = 'door'"));

it("SECURITY row 8 forty tries of one address, at whichever server; then it is told how long to wait", async () => {
  const servers = [doorsOf(database), doorsOf(database), doorsOf(database)];
  const tries = await Promise.all(Array.from({ length: 60 }, (_, n) => servers[n % 3]!.take("203.0.113.7")));
  expect(tries.filter(({ ok }) => ok)).toHaveLength(40);
  const refused = await servers[0]!.take("203.0.113.7");
  expect(refused).toEqual({ ok: false, retryAfterSeconds: expect.any(Number) });
  const { retryAfterSeconds } = refused as { retryAfterSeconds: number };
  expect(retryAfterSeconds).toBeGreaterThan(0);
  expect(retryAfterSeconds).toBeLessThanOrEqual(8);
  expect(await servers[1]!.take("203.0.113.8")).toEqual({ ok: true });
  // Who knew the password was not guessing.
  await servers[2]!.give("203.0.113.7");
  expect(await servers[2]!.take("203.0.113.7")).toEqual({ ok: true });
  expect(JSON.stringify(await rows())).not.toContain("203.0");
});

it("SECURITY row 8 addresses that have all their turns again are forgotten", async () => {
  await database.session((connection) => connection.run("UPDATE item SET due_at = 1 WHERE kind = 'door'"));
  await doorsOf(database).take("203.0.113.9");
  expect(await rows()).toHaveLength(1);
});
