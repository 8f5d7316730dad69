// P-07: revoking access terminates stalled sessions that hold the owner's row lock, and no others.
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { emptyDatabase } from "../../../test/postgres.ts";
import type { Store } from "../store.ts";
import { APPLICATION, Database } from "./connection.ts";
import { openPostgresStore, putOwner } from "./postgres-store.ts";
import { migrate } from "./schema.ts";

let place: Awaited<ReturnType<typeof emptyDatabase>>;
let database: Database;
let owner: string;
let store: Store;
let logged: string[];
const sessions: pg.Client[] = [];

beforeEach(async () => {
  place = await emptyDatabase();
  database = new Database(place.url);
  await database.session(migrate);
  owner = await database.session((connection) => putOwner(connection));
  logged = [];
  store = await openPostgresStore(database, owner, { onFailure: (failure) => logged.push((failure as Error).message) });
});
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.end().catch(() => undefined);
  await store.close();
  await database.close();
  await place.drop();
});

interface Held {
  session: pg.Client;
  ended: () => boolean;
}

async function session(application_name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: place.url, application_name });
  client.on("error", () => undefined);
  sessions.push(client);
  await client.connect();
  return client;
}

/** Locks an owner's row in a transaction that stays open. */
async function holding(subject: string, application_name: string): Promise<Held> {
  const client = await session(application_name);
  let isEnded = false;
  client.on("error", () => {
    isEnded = true;
  });
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM home WHERE subject_id = $1 FOR NO KEY UPDATE", [subject]);
  return { session: client, ended: () => isEnded };
}

const revoke = (): Promise<string> => store.write(() => "revoked", { urgent: true });

/** Waits for several times the allowed idle time. */
const aWhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1300));

it("P-07 a stalled writer is terminated, whatever else is in the lock queue, and this is logged", async () => {
  const stopped = await holding(owner, APPLICATION);
  const elsewhere = await session(APPLICATION);
  const waited = elsewhere.query("SELECT 1 FROM home WHERE subject_id = $1 FOR UPDATE", [owner]);
  const waiting = () =>
    database.session((connection) =>
      connection.rows("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
    );
  await expect.poll(waiting).toEqual([[1]]);
  const before = store.write(() => "written");
  expect(await revoke()).toBe("revoked");
  expect(await before).toBe("written");
  expect((await waited).rowCount).toBe(1);
  await expect.poll(stopped.ended).toBe(true);
  expect(logged).toEqual([expect.stringMatching(/session \d+ from \S+ stalled in the middle of a write/)]);
});

it("P-07 waits for an active writer, and for another application's session that has locked the row", async () => {
  const busy = await holding(owner, APPLICATION);
  const working = busy.session.query("SELECT pg_sleep(2)");
  let revoked = revoke();
  await working;
  await busy.session.query("COMMIT");
  expect(await revoked).toBe("revoked");
  const operator = await holding(owner, "psql");
  revoked = revoke();
  await aWhile();
  await operator.session.query("COMMIT");
  expect(await revoked).toBe("revoked");
  expect([busy.ended(), operator.ended(), logged]).toEqual([false, false, []]);
});

it("P-07 no session is terminated because of a table lock, such as when a migration waits for other owners' writers", async () => {
  const other = await database.session((connection) => putOwner(connection));
  const writing = await holding(other, APPLICATION);
  const migrating = await session(APPLICATION);
  const altered = migrating.query("ALTER TABLE home ADD COLUMN later INTEGER");
  const revoked = revoke();
  await aWhile();
  expect([writing.ended(), logged]).toEqual([false, []]);
  await writing.session.query("COMMIT");
  await altered;
  expect(await revoked).toBe("revoked");
});
