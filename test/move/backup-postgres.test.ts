// P-07: a database owner's backup has the same format as a home's backup and restores into either, and doctor reports
// problems.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backupHome } from "../../src/engine/backup/backup.ts";
import { restoreHome } from "../../src/engine/backup/restore.ts";
import { blobPath } from "../../src/engine/blob-files.ts";
import { blobCheck } from "../../src/engine/doctor-checks.ts";
import { examineDatabase } from "../../src/engine/doctor-database.ts";
import { housekeeping } from "../../src/engine/housekeeping.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { moveOwner } from "../../src/engine/move.ts";
import {
  homeObjects,
  homeOfOwner,
  type ObjectPlace,
  objectsOfOwner,
  openObjects,
} from "../../src/engine/objects-place.ts";
import { type HomeLocation, openStore } from "../../src/store/place.ts";
import { Database } from "../../src/store/postgres/connection.ts";
import { migrateDatabase } from "../../src/store/postgres/prepare.ts";
import { FORMAT } from "../../src/store/postgres/schema.ts";
import { ok, pdpp } from "../pdpp.ts";
import { emptyDatabase } from "../postgres.ts";
import { startS3 } from "../s3.ts";
import { type Everything, fillEverything, GENERATION } from "./everything.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-backup-pg-"));
const at = (name: string): string => join(folder, name);
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let place: HomeLocation & { database: { url: string; subject: string } };
let mine: Everything;

beforeAll(async () => {
  database = await emptyDatabase();
  mine = await fillEverything(at("home"));
  await moveOwner({ from: { home: at("home") }, to: { home: at("server"), database: { url: database.url } } });
  place = { home: homeOfOwner(at("server"), mine.subject), database: { url: database.url, subject: mine.subject } };
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(url: string, sql: string): Promise<void> {
  const connections = new Database(url, { connections: 1 });
  await connections.session((connection) => connection.script(sql)).finally(() => connections.close());
}

/** Returns the state that must survive a restore: everything except the new era and its log line. */
async function contents(of: HomeLocation): Promise<unknown> {
  const host = localHost(await openStore(of), { home: of.home, persist: false });
  const owner = { home: true } as const;
  const grants = (await host.call("grants", {}, owner)).data.map((one) => one.grant);
  const changes = { stream: "items", connection_id: "cin_1", changes_since: "beginning" };
  const { data } = await host.call("records", changes, owner);
  const { intact, entries } = await host.call("verifyActivity", {}, owner);
  await host.close();
  return { grants, data, intact, entries: entries > 3 };
}

describe("P-07 backup and restore", () => {
  it("O-06 a backup with disk indexes restores them alongside a database, and does not touch existing ones", async () => {
    const home = at("with-disks");
    const { subject } = await fillEverything(home);
    mkdirSync(at("disk"));
    await ok(pdpp(["files", "index", at("disk"), "--home", home]));
    await backupHome({ home, directory: at("disks-backup") });
    const restore = async (url: string): Promise<{ disks_left_out?: true }> =>
      restoreHome({ directory: at("disks-backup"), home: at("server3"), database: { url }, moveAside: false });
    const [first, second] = [await emptyDatabase(), await emptyDatabase()];
    expect((await restore(first.url)).disks_left_out).toBeUndefined();
    const env = { DATABASE_URL: first.url };
    const { stdout } = await ok(pdpp(["files", "roots", "--home", at("server3")], { env }));
    expect(stdout).toContain(at("disk"));
    const catalogue = join(homeOfOwner(at("server3"), subject), "files/catalogue.db");
    const before = readFileSync(catalogue);
    expect((await restore(second.url)).disks_left_out).toBe(true);
    expect(readFileSync(catalogue)).toEqual(before);
    await Promise.all([first.drop(), second.drop()]);
  });

  it("P-07 a database owner's backup restores into a home and into a database, and its log stays valid", async () => {
    const report = await backupHome({ ...place, directory: at("backup") });
    expect(report).toMatchObject({ missing_blobs: [], counts: { records: 7, blobs: 1, audit_entries: 4 } });
    const restored = await restoreHome({ directory: at("backup"), home: at("restored"), moveAside: false });
    expect(restored.owner).toBe(mine.subject);
    const expected = await contents(place);
    expect(await contents({ home: at("restored") })).toEqual(expected);
    const other = await emptyDatabase();
    const into = { directory: at("backup"), home: at("server2"), database: { url: other.url }, moveAside: false };
    await restoreHome(into);
    const there = {
      home: homeOfOwner(at("server2"), mine.subject),
      database: { url: other.url, subject: mine.subject },
    };
    expect(await contents(there)).toEqual(expected);
    expect(readFileSync(blobPath(there.home, mine.blobId, GENERATION), "utf8")).toBe("the bytes of a blob");
    const store = await openStore(there);
    expect(await store.read((view) => view.eras())).toHaveLength(3);
    await store.close();
    await expect(restoreHome(into)).rejects.toMatchObject({ code: "already_exists" });
    await other.drop();
  });

  it("P-07 the server's backup button and health check work on a database", async () => {
    const house = housekeeping(place, (text) => expect(text).toBe(""));
    // A partial backup by another process with the same home.
    const other = join(place.home, "backups", "2024-01-01T00-00-00Z.partial-0a0b");
    mkdirSync(other, { recursive: true });
    const { directory } = await house.backUp(() => undefined);
    expect(existsSync(other)).toBe(true);
    expect(await house.backups()).toMatchObject([{ directory, records: 7 }]);
    const again = await restoreHome({ directory, home: at("clicked"), moveAside: false });
    expect(again.missing_blobs).toEqual([]);
    expect(await house.examine()).toMatchObject({ ok: true, home: place.home });
  });

  it("P-07 a backup is a snapshot of one moment: if a blob is deleted during the backup, the backup starts again", async () => {
    const busy = await emptyDatabase();
    const { subject, blobId } = await fillEverything(at("busy-home"));
    await moveOwner({ from: { home: at("busy-home") }, to: { home: at("busy"), database: { url: busy.url } } });
    const there = { home: homeOfOwner(at("busy"), subject), database: { url: busy.url, subject } };
    const connections = new Database(busy.url, { connections: 1 });
    let rounds = 0;
    let backup: ReturnType<typeof backupHome> | undefined;
    await connections.session(async (writer) => {
      // The lock makes the backup wait after it has read the blobs and before it reads the records.
      await writer.script("BEGIN; LOCK TABLE blob_use IN ACCESS EXCLUSIVE MODE");
      const onProgress = (step: string): void => {
        if (step === "records") rounds++;
      };
      backup = backupHome({ ...there, directory: at("busy-backup"), onProgress });
      const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'blob_use'::regclass";
      while ((await writer.script(waits)).length === 0);
      rmSync(blobPath(there.home, blobId, GENERATION));
      await writer.script("DELETE FROM blob; DELETE FROM blob_use; UPDATE stream SET live = live + 1; COMMIT");
    });
    await connections.close();
    const report = await backup!;
    expect([rounds, report.missing_blobs, report.counts]).toMatchObject([2, [], { blobs: 0, records: 8 }]);
    await busy.drop();
  });

  it("P-07 with a bucket, move, doctor, backup and restore find the blobs, and a missing bucket is not reported as lost blobs", async () => {
    const s3 = await startS3();
    const [from, to] = [await emptyDatabase(), await emptyDatabase()];
    const { subject, blobId } = await fillEverything(at("far-home"));
    // Uses another prefix, so that restored objects are not the ones that were already there.
    const farIn = (home: string) => (owner: string) =>
      objectsOfOwner({ ...s3.place, prefix: `${home}/`, aside: at(home) }, owner);
    const target = { home: at("far"), database: { url: from.url }, objectsFor: farIn("far") };
    expect(await moveOwner({ from: { home: at("far-home") }, to: target })).toMatchObject({ blobs: 1 });
    const there = { home: at("far"), database: { url: from.url, subject }, objects: farIn("far")(subject) };
    expect(existsSync(blobPath(there.home, blobId, GENERATION))).toBe(false);
    const look = (url: string, objectsFor: (owner: string) => ObjectPlace) =>
      examineDatabase({ home: at("far"), url, owner: undefined, objectsFor, deep: true });
    expect(await look(from.url, farIn("far"))).toMatchObject({ ok: true });
    const report = await backupHome({ ...there, directory: at("far-backup") });
    expect(report).toMatchObject({ counts: { blobs: 1 }, missing_blobs: [] });
    const restored = { directory: at("far-backup"), home: at("far2"), moveAside: false, objectsFor: farIn("far2") };
    await restoreHome({ ...restored, database: { url: to.url } });
    expect(await look(to.url, farIn("far2"))).toMatchObject({ ok: true });
    const nowhere = { ...there, objects: { ...there.objects, bucket: "nowhere" } as ObjectPlace };
    const told = { code: "store_unavailable", message: expect.stringContaining("there is no such bucket") };
    await expect(backupHome({ ...nowhere, directory: at("far-backup3") })).rejects.toMatchObject(told);
    const { checks } = await look(from.url, () => nowhere.objects);
    expect(checks).toContainEqual(expect.objectContaining({ name: "blobs", status: "fail", message: told.message }));
    // The check also fails if there is no blob to lose yet.
    expect(await blobCheck([], [openObjects(nowhere.objects)], false)).toMatchObject({ status: "fail" });
    await from.drop();
    await to.drop();
    await s3.close();
  });

  it("P-07 pdpp backup and pdpp restore use DATABASE_URL", async () => {
    const env = { DATABASE_URL: database.url };
    const made = await pdpp(["backup", at("by-command"), "--home", at("server"), "--json"], { env });
    expect([made.code, made.json]).toMatchObject([0, { object: "backup", counts: { records: 7 } }]);
    const refused = await pdpp(["restore", at("by-command"), "--home", at("server")], { env });
    expect([refused.code, refused.stderr]).toEqual([
      6,
      expect.stringContaining(`already has the owner ${mine.subject}`),
    ]);
    const other = await emptyDatabase();
    const back = await pdpp(["restore", at("by-command"), "--home", at("server3")], {
      env: { DATABASE_URL: other.url },
    });
    expect([back.code, back.stderr]).toEqual([
      0,
      expect.stringContaining(`Next: PDPP_OWNER=${mine.subject} pdpp serve`),
    ]);
    await other.drop();
  });
});

describe("P-07 doctor", () => {
  const examine = (url: string, owner?: string) =>
    examineDatabase({ home: at("server"), url, owner, objectsFor: () => homeObjects(place.home), deep: true });
  const failing = async (url: string, owner?: string): Promise<string[]> => {
    const { ok, checks } = await examine(url, owner);
    const found = checks.filter(({ status }) => status === "fail");
    expect([ok, found.every(({ next }) => next !== undefined)]).toEqual([false, true]);
    return found.map(({ name, message }) => `${name}: ${message}`);
  };

  it("P-07 reports a database and its owner as healthy", async () => {
    const { ok, checks } = await examine(database.url);
    expect([ok, checks.map(({ name }) => name)]).toEqual([
      true,
      [
        "node",
        "permissions",
        "disk space",
        "database",
        "format",
        "checksums",
        "rights",
        "owner",
        "audit chain",
        "blobs",
        "counts",
      ],
    ]);
    const run = await pdpp(["doctor", "--home", at("server")], { env: { DATABASE_URL: database.url } });
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining("All is well")]);
  });

  it("P-07 explains what is wrong: unreachable, no tables, other format, unknown owner, missing permissions, read-only", async () => {
    const url = new URL(database.url);
    url.port = "1";
    expect(await failing(url.href)).toEqual([expect.stringMatching(/^database: the database cannot be reached/)]);
    const empty = await emptyDatabase();
    expect(await failing(empty.url)).toEqual(["format: it has no Postern tables yet"]);
    const stranger = Object.assign(new URL(empty.url), { username: "stranger", password: "stranger" });
    await run(empty.url, "CREATE ROLE stranger LOGIN PASSWORD 'stranger'");
    expect(await failing(stranger.href)).toEqual([
      expect.stringMatching(/^rights: .*may not create any in the schema public/),
    ]);
    await run(empty.url, "DROP ROLE stranger");
    await migrateDatabase(empty.url);
    expect(await failing(empty.url)).toEqual(["owner: it has no owner yet"]);
    expect(await failing(database.url, "sub_nobody")).toEqual(["owner: it has no owner sub_nobody"]);
    await run(empty.url, "UPDATE postern_format SET format = 99");
    expect(await failing(empty.url)).toEqual([expect.stringMatching(/^format: format 99 is newer/)]);
    await run(empty.url, `UPDATE postern_format SET format = ${FORMAT}; DROP TABLE trail`);
    expect(await failing(empty.url)).toEqual([
      "rights: missing or not accessible to its user: trail",
      "owner: it has no owner yet",
    ]);
    await run(
      empty.url,
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
    );
    expect(await failing(empty.url)).toContain("rights: the database accepts no writes (it is read-only)");
    await empty.drop();
  });

  it("P-07 mentions the user that the database refuses, and prints no stack trace if the database is unreachable", async () => {
    const url = new URL(database.url);
    url.password = "wrong";
    expect(await failing(url.href)).toEqual(["database: the database does not accept the password"]);
    url.port = "1";
    const said = await pdpp(["doctor", "--home", at("server"), "--json"], { env: { DATABASE_URL: url.href } });
    expect([said.code, said.json.ok, said.stderr]).toEqual([1, false, ""]);
  });

  it("P-07 finds a tampered log and a missing blob", async () => {
    await run(database.url, "UPDATE audit_entry SET body = replace(body, 'records', 'nothing') WHERE n = 2");
    rmSync(blobPath(place.home, mine.blobId, GENERATION));
    expect(await failing(database.url)).toEqual([
      "audit chain: broken at entry 2: entry 2 was changed",
      `blobs: ${mine.blobId} is missing`,
    ]);
    // A backup counts the blobs that it contains.
    const report = await backupHome({ ...place, directory: at("without-blobs") });
    expect(report).toMatchObject({ counts: { blobs: 0 }, missing_blobs: [mine.blobId] });
  });
});
