// P-07: the owners in a database as operators see them, by name or id, in every command.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { housekeeping } from "../../src/engine/housekeeping.ts";
import { homeOfOwner } from "../../src/engine/objects-place.ts";
import { deleteOwner, type ListedOwner, listOwners, ownerAddress, renameOwner } from "../../src/engine/owners.ts";
import { startServer } from "../../src/main.ts";
import { startHosting } from "../../src/serving/hosting.ts";
import { Database } from "../../src/store/postgres/connection.ts";
import { HOLDING } from "../../src/store/postgres/owners.ts";
import { prepareDatabase } from "../../src/store/postgres/prepare.ts";
import { prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import { newHome } from "../harness.ts";
import { pdpp, type Run } from "../pdpp.ts";
import { emptyDatabase } from "../postgres.ts";

const home = newHome();
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let first: string;
let alice: string;

beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

const run = (args: string[], owner?: string): Promise<Run> =>
  pdpp([...args, "--home", home], {
    env: { DATABASE_URL: database.url, ...(owner === undefined ? {} : { PDPP_OWNER: owner }) },
  });

async function listed(url = database.url): Promise<ListedOwner[]> {
  const all: ListedOwner[] = [];
  await listOwners(url, (page) => void all.push(...page));
  return all;
}

test("P-07 commands that only read do not create an owner", async () => {
  const looked = await run(["connections"]);
  expect([looked.code, looked.stderr]).toEqual([5, expect.stringContaining("no owner yet")]);
  expect(looked.stderr).toContain("`pdpp owners add NAME`");
  expect(await listed()).toEqual([]);
});

test("P-07 owners are created, named, listed with or without a name, and told apart by name", async () => {
  first = (await prepareDatabase(database.url)).subject;
  const added = await run(["owners", "add", "alice", "--json"]);
  alice = added.json.owner_id;
  const twice = await run(["owners", "add", "alice"]);
  expect([twice.code, twice.stderr]).toEqual([6, expect.stringContaining("there is already an owner called alice")]);
  const verb = await run(["owners", "ls"]);
  expect([verb.code, verb.stderr]).toEqual([
    2,
    expect.stringContaining('choose a subcommand: list, add, name, remove, not "ls"'),
  ]);
  const shown = await run(["owners", "list"]);
  expect(shown.stdout.split("\n").map((line) => line.trim().split(/ {2,}/).slice(0, 2))).toEqual([
    ["alice", alice],
    ["(no name)", first],
    [""],
  ]);
  const unclear = await run(["connections"]);
  expect([unclear.code, unclear.stderr]).toEqual([5, expect.stringMatching(/several owners\n.*alice/)]);
  expect((await run(["owners", "name", first, "bob"])).stdout).toBe(`${first} is now called bob.\n`);
  await expect(renameOwner(database.url, "bob", "alice")).rejects.toMatchObject({ code: "already_exists" });
  expect((await run(["owners", "list", "--json"])).json.data).toMatchObject([
    { object: "owner", name: "alice", owner_id: alice },
    { object: "owner", name: "bob", owner_id: first },
  ]);
});

test("P-07 doctor, backup, restore and move accept an owner's name, and can assign one", async () => {
  const checked = await run(["doctor", "--json"], "alice");
  expect([checked.code, checked.json.checks]).toEqual([
    0,
    expect.arrayContaining([expect.objectContaining({ name: "owner", message: alice })]),
  ]);
  const backup = join(home, "backup-of-bob");
  expect((await run(["backup", backup], "bob")).code).toBe(0);
  const moved = await pdpp(["move", "--from", `${database.url}?owner=bob`, "--to", join(home, "moved"), "--json"]);
  expect([moved.code, moved.json.owner]).toEqual([0, first]);
  expect((await run(["owners", "remove", first, "--yes"])).code).toBe(0);
  const taken = await run(["restore", backup, "--name", "alice"]);
  expect([taken.code, taken.stderr]).toEqual([6, expect.stringContaining("there is already an owner called alice")]);
  const restored = await run(["restore", backup, "--name", "bob"]);
  expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining("PDPP_OWNER=bob pdpp serve")]);
  expect(await listed()).toMatchObject([
    { name: "alice", subject: alice },
    { name: "bob", subject: first },
  ]);
});

test("P-07 owner reset prints the address that the servers registered", async () => {
  const unknown = await run(["owner", "reset"], "alice");
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("the address of alice is unknown")]);
  const said = await run(["owner", "reset", "--public-url", "https://*.said.example"], "alice");
  expect(said.stdout).toMatch(/^https:\/\/alice\.said\.example\/setup\?code=\S+\n$/);
  const publicUrl = "http://*.data.example";
  const hosting = await startHosting({ home, database, port: 0, publicUrl, log: () => undefined });
  await hosting.close();
  const link = await run(["owner", "reset"], "alice");
  expect([link.stdout, link.stderr]).toEqual([
    expect.stringMatching(/^http:\/\/alice\.data\.example\/setup\?code=\S+\n$/),
    expect.not.stringContaining("erver"),
  ]);
});

test("P-07 a server for one owner registers its address and blocks the owner's deletion, and the owner keeps the name", async () => {
  const place = { url: database.url, subject: first };
  const server = await startServer({ home, database: place, port: 0, publicUrl: "https://bob.example", log: () => {} });
  expect(await ownerAddress(database.url, "bob")).toEqual({ name: "bob", address: "https://bob.example" });
  const watching = new Database(database.url, { connections: 1 });
  const elected = () =>
    watching.session((connection) =>
      connection.rows(
        `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE locktype = 'advisory' AND granted AND application_name = $1 AND datname = current_database()`,
        HOLDING.one,
      ),
    );
  await expect.poll(elected).not.toEqual([]);
  await watching.close();
  await expect(deleteOwner(database.url, "bob")).rejects.toThrow(
    /^a server for this owner alone is serving sub_\S+ from 127\.0\.0\.1$/,
  );
  await server.close();
  expect((await listed()).map(({ name }) => name)).toEqual(["alice", "bob"]);
  await deleteOwner(database.url, first);
  expect(await listed()).toMatchObject([{ name: "alice" }]);
  const connections = new Database(database.url, { connections: 1 });
  const left = await connections.session((connection) => connection.rows("SELECT id FROM item WHERE id = $1", first));
  await connections.close();
  expect(left).toEqual([]);
});

test("P-07 if a database is in use, commands warn about a home directory with other data", async () => {
  prepareHome(home);
  const looked = await run(["connections"], "alice");
  expect([looked.code, looked.stderr]).toEqual([
    0,
    expect.stringContaining(`pdpp move --from ${home} --to DATABASE_URL`),
  ]);
  const checked = await run(["doctor"], "alice");
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/^warn +home +DATABASE_URL is set/m)]);
  expect(existsSync(join(home, "records.db"))).toBe(true);
});

test("P-07 a server's pages show the home that commands accept, and say that the data is in a database", () => {
  const place = { home: homeOfOwner("/srv/postern", alice), database: { url: database.url, subject: alice } };
  expect(housekeeping(place, () => {})).toMatchObject({ home: "/srv/postern", ownerInDatabase: alice });
  expect(housekeeping({ home: "/srv/postern" }, () => {})).not.toHaveProperty("ownerInDatabase");
});

test("P-07 many owners are listed in pages, and finding one does not list all of them", async () => {
  const many = await emptyDatabase();
  const connections = new Database(many.url, { connections: 1 });
  await prepareDatabase(many.url);
  await connections.session((connection) =>
    connection.script(
      `INSERT INTO home (subject_id, key, created_at) SELECT 'sub_own_' || n, '', 0 FROM generate_series(1, 2300) AS n;
       INSERT INTO owner_name SELECT 'n' || n, 'sub_own_' || n FROM generate_series(1, 1100) AS n`,
    ),
  );
  await connections.close();
  const all = await listed(many.url);
  expect(new Set(all.map(({ subject }) => subject)).size).toBe(2301);
  const names = all.slice(0, 1100).map(({ name }) => name!);
  expect([names, all.slice(1100).every(({ name }) => name === null)]).toEqual([names.toSorted(), true]);
  await expect(prepareDatabase(many.url)).rejects.toMatchObject({
    message: "this database has several owners",
    details: { next_step: expect.stringContaining("`pdpp owners list` shows all") },
  });
  await many.drop();
});
