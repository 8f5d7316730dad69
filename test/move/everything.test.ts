// P-07: every table moves byte for byte. A move that is not possible says why and leaves nothing behind.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { blobPath } from "../../src/engine/blob-files.ts";
import { lockHome } from "../../src/engine/home-lock.ts";
import { moveOwner } from "../../src/engine/move.ts";
import { homeOfOwner } from "../../src/engine/objects-place.ts";
import { openStore } from "../../src/store/place.ts";
import { Database } from "../../src/store/postgres/connection.ts";
import { lead } from "../../src/store/postgres/leadership.ts";
import { migrateDatabase } from "../../src/store/postgres/prepare.ts";
import { emptyDatabase, runUrl } from "../postgres.ts";
import { fillEverything, GENERATION, tamper } from "./everything.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-move-"));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ask(url: string, sql: string): Promise<unknown[][]> {
  const database = new Database(url, { connections: 1 });
  try {
    return await database.session((connection) => connection.script(sql));
  } finally {
    await database.close();
  }
}

test("P-07 every table moves from files to PostgreSQL, to another PostgreSQL, and back into files", async () => {
  const other = await emptyDatabase();
  const { subject, blobId } = await fillEverything(at("home"));
  const out = await moveOwner({ from: { home: at("home") }, to: { home: at("server"), database: { url: runUrl() } } });
  const empty = out.tables.filter(({ rows }) => rows === 0).map(({ table }) => table);
  expect(empty).toEqual(["audit_journal"]);
  const first = { home: homeOfOwner(at("server"), subject), database: { url: runUrl(), subject } };
  const across = await moveOwner({ from: first, to: { home: at("server2"), database: { url: other.url } } });
  const second = { home: homeOfOwner(at("server2"), subject), database: { url: other.url, subject } };
  const back = await moveOwner({ from: second, to: { home: at("back") } });
  expect([across, back]).toEqual([out, out]);
  expect(out).toMatchObject({ owner: subject, blobs: 1, missing_blobs: [] });
  for (const home of [first.home, second.home, at("back")])
    expect(readFileSync(blobPath(home, blobId, GENERATION), "utf8")).toBe("the bytes of a blob");
  for (const place of [first, second, { home: at("back") }]) {
    const store = await openStore(place);
    expect(await store.audit.verify()).toEqual({ entries: 3 });
    const { packaged, jobs, next } = await store.write(async (view) => ({
      packaged: (await view.grantsOfPackage("gpkg_1")).map(({ grant }) => grant.grant_id),
      jobs: (await view.jobs(subject)).map(({ jobId }) => jobId),
      next: await view.openStream("cin_1", "another"),
    }));
    expect({ packaged, jobs, next }).toEqual({
      packaged: ["grt_2", "grt_1", "grt_3"],
      jobs: ["job_a", "job_b"],
      next: 3,
    });
    await store.close();
  }
  await other.drop();
});

test("P-07 a tampered log is still detected as tampered after a move", async () => {
  await fillEverything(at("tampered"));
  await tamper(at("tampered"));
  const { owner } = await moveOwner({
    from: { home: at("tampered") },
    to: { home: at("server3"), database: { url: runUrl() } },
  });
  const there = { home: at("server3"), database: { url: runUrl(), subject: owner } };
  await moveOwner({ from: there, to: { home: at("tampered-back") } });
  for (const place of [there, { home: at("tampered-back") }]) {
    const store = await openStore(place);
    expect(await store.audit.verify()).toMatchObject({ reason: "entries were changed in a journal" });
    await store.close();
  }
});

test("P-07 moving an owner into a database that is served from the same home leaves the home intact, and a lost blob is reported", async () => {
  const { blobId } = await fillEverything(at("stays"));
  const moved = await moveOwner({
    from: { home: at("stays") },
    to: { home: at("stays"), database: { url: runUrl() } },
  });
  expect(moved).toMatchObject({ blobs: 1, missing_blobs: [] });
  const again = { home: homeOfOwner(at("stays"), moved.owner), database: { url: runUrl(), subject: moved.owner } };
  for (const home of [at("stays"), again.home]) expect(existsSync(blobPath(home, blobId, GENERATION))).toBe(true);
  // Moving back into the server's home works once the old home's files have been removed from it.
  for (const name of ["records.db", "audit.db", "key", "journals"])
    rmSync(join(at("stays"), name), { recursive: true, force: true });
  expect(await moveOwner({ from: again, to: { home: at("stays") } })).toEqual(moved);
  for (const name of ["records.db", "audit.db", "key"]) expect(statSync(join(at("stays"), name)).mode & 0o077).toBe(0);
  rmSync(blobPath(again.home, blobId, GENERATION));
  expect(await moveOwner({ from: again, to: { home: at("lost") } })).toMatchObject({
    blobs: 0,
    missing_blobs: [blobId],
  });
});

test("P-07 an existing owner, a directory in use and a served home are refused, and nothing is written", async () => {
  const { subject } = await fillEverything(at("mine"));
  const database = { url: runUrl() };
  await moveOwner({ from: { home: at("mine") }, to: { home: at("server4"), database } });
  const again = moveOwner({ from: { home: at("mine") }, to: { home: at("server5"), database } });
  await expect(again).rejects.toMatchObject({ code: "already_exists", message: expect.stringContaining(subject) });
  expect(existsSync(at("server5"))).toBe(false);

  const there = { home: at("server4"), database: { ...database, subject } };
  await expect(moveOwner({ from: there, to: { home: at("mine") } })).rejects.toMatchObject({ code: "already_exists" });
  mkdirSync(at("foreign"));
  writeFileSync(at("foreign/letter.txt"), "mine");
  await expect(moveOwner({ from: there, to: { home: at("foreign") } })).rejects.toMatchObject({
    code: "already_exists",
    message: expect.stringContaining("letter.txt"),
  });
  expect(readdirSync(at("foreign"))).toEqual(["letter.txt"]);

  const lock = lockHome(at("mine"));
  const served = moveOwner({ from: { home: at("mine") }, to: { home: at("server6"), database } });
  await expect(served).rejects.toMatchObject({ code: "home_in_use" });
  lock.release();
  const leads = Promise.withResolvers<void>();
  const leader = lead(database.url, subject, {
    gained: async () => leads.resolve(),
    lost: async () => undefined,

    log: () => undefined,
  });
  await leads.promise;
  await expect(moveOwner({ from: there, to: { home: at("served") } })).rejects.toMatchObject({ code: "home_in_use" });
  expect(existsSync(at("served"))).toBe(false);
  await leader.close();
});

test("P-07 a difference between source and target undoes the move", async () => {
  const empty = await emptyDatabase();
  await fillEverything(at("differs"));
  await migrateDatabase(empty.url);
  await ask(
    empty.url,
    `CREATE FUNCTION change_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id = NEW.id || ''x''; RETURN NEW; END';
     CREATE TRIGGER t BEFORE INSERT ON trail FOR EACH ROW EXECUTE FUNCTION change_it()`,
  );
  const failed = moveOwner({
    from: { home: at("differs") },
    to: { home: at("server8"), database: { url: empty.url } },
  });
  await expect(failed).rejects.toMatchObject({
    code: "store_unavailable",
    message: expect.stringMatching(/^trail differs/),
  });
  expect(await ask(empty.url, "SELECT (SELECT count(*) FROM home) + (SELECT count(*) FROM record)")).toEqual([[0]]);
  expect(existsSync(at("server8"))).toBe(false);
  await empty.drop();
});
