// Browser histories: one small database per browser family, an unmerged journal, damage, and repeated runs.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { browserHistoryDeclaration } from "./declaration.ts";
import { browserHistoryImporter as importer } from "./importer.ts";

function database(sql: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "postern-test-"));
  try {
    const made = new DatabaseSync(join(folder, "db"));
    made.exec(sql);
    made.close();
    return readFileSync(join(folder, "db"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// 2023-11-14T22:13:20.123456Z is 1700000000.123456 s after 1970, 13344473600123456 µs after 1601, 721692800.123456 s after 2001.
const CHROME_SCHEMA = `CREATE TABLE urls(id INTEGER PRIMARY KEY, url TEXT, title TEXT);
  CREATE TABLE visits(id INTEGER PRIMARY KEY, url INTEGER NOT NULL, visit_time INTEGER NOT NULL, from_visit INTEGER,
    transition INTEGER NOT NULL, visit_duration INTEGER DEFAULT 0 NOT NULL);`;
const CHROME = `${CHROME_SCHEMA}
  INSERT INTO urls VALUES (1, 'https://a.example/x?y=1', 'A page'), (2, 'https://b.example:8443/', '');
  INSERT INTO visits VALUES (9, 1, 13344473600123456, 0, 805306369, 2500000), (10, 2, 13344473601123456, 9, 2684354560, 0),
    (11, 99, 13344473602123456, 0, 0, 0), (12, 1, 13344473600123456, 0, 8, 0);`;
const FIREFOX = `CREATE TABLE moz_places(id INTEGER PRIMARY KEY, url TEXT, title TEXT);
  CREATE TABLE moz_historyvisits(id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER, visit_date INTEGER, visit_type INTEGER);
  INSERT INTO moz_places VALUES (1, 'https://a.example/', 'A'), (2, 'https://b.example/', NULL);
  INSERT INTO moz_historyvisits VALUES (1, 0, 1, 1700000000123456, 2), (2, 1, 2, 1700000001123456, 6), (3, 0, 2, 1700000002123, 7);`;
const LEGACY = `CREATE TABLE history(_id INTEGER PRIMARY KEY, title TEXT, url TEXT NOT NULL, guid TEXT NOT NULL);
  CREATE TABLE visits(_id INTEGER PRIMARY KEY, history_guid TEXT NOT NULL, visit_type TINYINT, date INTEGER NOT NULL, is_local TINYINT);
  INSERT INTO history VALUES (1, 'A', 'https://a.example/', 'g1');
  INSERT INTO visits VALUES (1, 'g1', 1, 1700000000123456, 1);`;
const SAFARI = `CREATE TABLE history_items(id INTEGER PRIMARY KEY, url TEXT NOT NULL);
  CREATE TABLE history_visits(id INTEGER PRIMARY KEY, history_item INTEGER, visit_time REAL NOT NULL, title TEXT, redirect_source INTEGER);
  INSERT INTO history_items VALUES (1, 'https://a.example/'), (2, 'https://b.example/');
  INSERT INTO history_visits VALUES (1, 1, 721692800.123456, '', NULL), (2, 2, 721692800.2, 'B', 1);`;
const QUTEBROWSER = `CREATE TABLE History (url NOT NULL, title NOT NULL, atime NOT NULL, redirect NOT NULL);
  INSERT INTO History VALUES ('https://a.example/', 'A', 1700000000, 1), ('https://a.example/', 'A', 1700000000, 0);`;

const visits = async (path: string, bytes: Buffer) =>
  recordsOf(await collect(importer, [memoryEntry(path, bytes)])).map(({ data }) => data);

it("has a valid declaration", () => expect(() => parseDeclaration(browserHistoryDeclaration)).not.toThrow());

it("P-05 Chrome: exact times, transitions, referrers and durations; a visit without its page is an error", async () => {
  const events = await collect(importer, [memoryEntry("Google/Chrome/Profile 1/History", database(CHROME))]);
  expect(recordsOf(events).map(({ data: { id: _id, ...rest } }) => rest)).toEqual([
    {
      url: "https://a.example/x?y=1",
      host: "a.example",
      title: "A page",
      visited_at: "2023-11-14T22:13:20.123Z",
      duration_seconds: 2.5,
      transition: "typed",
      browser: "Chrome",
      profile: "Profile 1",
    },
    {
      url: "https://a.example/x?y=1",
      host: "a.example",
      title: "A page",
      visited_at: "2023-11-14T22:13:20.123Z",
      transition: "reload",
      browser: "Chrome",
      profile: "Profile 1",
    },
    {
      url: "https://b.example:8443/",
      host: "b.example:8443",
      visited_at: "2023-11-14T22:13:21.123Z",
      referrer_url: "https://a.example/x?y=1",
      transition: "redirect",
      browser: "Chrome",
      profile: "Profile 1",
    },
  ]);
  const keys = recordsOf(events).map(({ key }) => key as string);
  expect(keys[0]).toMatch(/^1700000000123456\.[\w-]{16}$/);
  expect(keys[1]).toBe(`${keys[0]}.1`);
  expect(events.filter(({ kind }) => kind === "error")).toMatchObject([
    { offset: 11, message: "the visit has no address" },
  ]);
});

it("P-05 Firefox: desktop in microseconds, Android in milliseconds, and the older Android app", async () => {
  const found = await visits("x1y2z3w4.default-release/places.sqlite", database(FIREFOX));
  expect(found.map(({ visited_at, transition, referrer_url }) => [visited_at, transition, referrer_url])).toEqual([
    ["2023-11-14T22:13:22.123Z", "download", undefined],
    ["2023-11-14T22:13:20.123Z", "typed", undefined],
    ["2023-11-14T22:13:21.123Z", "redirect", "https://a.example/"],
  ]);
  expect(found[0]).toMatchObject({ browser: "Firefox", profile: "x1y2z3w4.default-release" });
  expect(await visits("browser.db", database(LEGACY))).toMatchObject([
    { url: "https://a.example/", title: "A", visited_at: "2023-11-14T22:13:20.123Z", browser: "Firefox for Android" },
  ]);
});

it("P-05 Safari and qutebrowser", async () => {
  expect(
    (await visits("History.db", database(SAFARI))).map(({ visited_at, title, transition, browser }) => [
      visited_at,
      title,
      transition,
      browser,
    ]),
  ).toEqual([
    ["2023-11-14T22:13:20.123Z", undefined, undefined, "Safari"],
    ["2023-11-14T22:13:20.200Z", "B", "redirect", "Safari"],
  ]);
  const found = await visits("qutebrowser/history.sqlite", database(QUTEBROWSER));
  expect(found.map(({ visited_at, transition, browser }) => [visited_at, transition, browser])).toEqual([
    ["2023-11-14T22:13:20.000Z", "redirect", "qutebrowser"],
    ["2023-11-14T22:13:20.000Z", undefined, "qutebrowser"],
  ]);
  expect(new Set(found.map(({ id }) => id)).size).toBe(2);
});

it("P-05 reads visits that are only in the write-ahead log of a running browser, without changing its files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-test-"));
  const made = new DatabaseSync(join(folder, "History"));
  try {
    made.exec(`PRAGMA journal_mode = WAL; ${CHROME_SCHEMA} PRAGMA wal_checkpoint(TRUNCATE);
      INSERT INTO urls VALUES (1, 'https://late.example/', 'Late'); INSERT INTO visits VALUES (1, 1, 13344473600123456, 0, 0, 0);`);
    const [main, wal] = ["History", "History-wal"].map((name) => readFileSync(join(folder, name)));
    expect(recordsOf(await collect(importer, [memoryEntry("Default/History", main!)]))).toEqual([]);
    const both = [memoryEntry("Default/History", main!), memoryEntry("Default/History-wal", wal!)];
    expect(recordsOf(await collect(importer, both))).toMatchObject([{ data: { title: "Late" } }]);
    const onDisk = { ...both[0]!, file: async () => join(folder, "History") };
    expect(recordsOf(await collect(importer, [onDisk]))).toHaveLength(1);
    await importer.plan({ name: "x", entries: [onDisk] }, {});
    expect(readFileSync(join(folder, "History"))).toEqual(main);
    expect(readFileSync(join(folder, "History-wal"))).toEqual(wal);
  } finally {
    made.close();
    rmSync(folder, { recursive: true });
  }
});

it("P-05 each profile is an account; the plan asks for the profile of a file outside its folder", async () => {
  const plan = (path: string, answers = {}) =>
    importer.plan({ name: path, entries: [memoryEntry(path, database(CHROME))] }, answers);
  expect(await plan("Google/Chrome/Profile 1/History")).toMatchObject({
    account: { key: "chrome:profile-1", name: "Chrome (Profile 1)" },
    streams: [{ stream: "visits", count: 4, since: "2023-11-14T22:13:20.123Z", until: "2023-11-14T22:13:22.123Z" }],
    questions: [],
  });
  expect((await plan("BraveSoftware/Brave-Browser/Default/History")).account).toEqual({
    key: "brave:default",
    name: "Brave",
  });
  expect(await plan("History")).toMatchObject({ account: { key: "chrome:default" }, questions: [{ id: "profile" }] });
  expect((await plan("History", { profile: "Work" })).account).toEqual({ key: "chrome:work", name: "Chrome (Work)" });
});

it("P-05 databases are recognised by name and first page, together with their journals", () => {
  expect(recognised(importer, "a/Default/History", database(CHROME))).toMatchObject({
    score: 95,
    group: "a/Default/History",
  });
  expect(recognised(importer, "x/copy.sqlite", database(SAFARI))?.score).toBe(95);
  expect(recognised(importer, "chrome-2021.sqlite", database(CHROME))?.score).toBe(95);
  expect(recognised(importer, "a/Default/History-wal", "x", ["a/Default/History"])).toMatchObject({
    group: "a/Default/History",
  });
  expect(recognised(importer, "orders.sqlite", database("CREATE TABLE orders(id)"))).toBeUndefined();
  expect(recognised(importer, "History", "some text")).toBeUndefined();
});

it("SECURITY row 16: views and virtual tables with the expected names are not read, nor are other databases", async () => {
  const view =
    "CREATE TABLE urls(id, url, title); CREATE VIEW visits AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i AS id, i AS url, i AS visit_time, i AS from_visit, i AS transition FROM n;";
  for (const sql of [view, "CREATE TABLE orders(id)"]) {
    expect(await collect(importer, [memoryEntry("History", database(sql))])).toMatchObject([
      { kind: "error", message: "it is a database, but not a browser's history" },
      { kind: "checkpoint" },
    ]);
  }
});

it("P-05 produces the same records in every run, resumes from every checkpoint, and matches its declaration", async () => {
  const many = `${CHROME} WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
    INSERT INTO visits SELECT i + 100, 1, 13344473700123456 + i / 2, 0, 0, 0 FROM n;`;
  const entries = [memoryEntry("History", database(many)), memoryEntry("History.db", database(SAFARI))];
  await repeatsAndResumes(importer, entries);
  expect((await collect(importer, entries)).filter(({ kind }) => kind === "checkpoint")).toHaveLength(4);
  expect(await refusals(importer, entries)).toEqual([]);
});

it("SECURITY row 16: truncated and damaged databases never crash the parser", async () => {
  for (const [path, sql] of [
    ["History", CHROME],
    ["places.sqlite", FIREFOX],
    ["History.db", SAFARI],
  ] as const) {
    await hostile(importer, path, database(sql));
  }
});
