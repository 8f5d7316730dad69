// Bad homes: newer, in use, locked, full or damaged. Each leads to a typed error or is repaired, and nothing is lost or
// half-written.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EngineHost } from "../../src/engine/host.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import { EMITTED, HOME_OWNER, ids, type Loose, newHome, type TestServer, testServer } from "../harness.ts";
import { BOOKS, book, library } from "../library.ts";

let home: string;
let connection: string;
/** Creates a closed home with the twelve books and their projections. */
beforeEach(async () => {
  home = newHome();
  prepareHome(home);
  const host = localHost(openSqliteStore(home), { home, persist: true });
  await outcome(host, "putConnector", { connector_key: "library", declaration: library });
  connection = ((await outcome(host, "createConnection", { connector_id: "library" })) as Loose).connection_id;
  const text = BOOKS.map((one) => JSON.stringify({ ...one, emitted_at: EMITTED })).join("\n");
  await outcome(host, "ingest", { stream: "books", connection_id: connection, text });
  await answers(host);
  await host.close();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (name: string): string => join(home, name);
const codeOf = (start: Promise<TestServer>): Promise<string> =>
  start.then(
    async (server) => {
      await server.close();
      return "started";
    },
    (error: { code?: string }) => error.code ?? String(error),
  );

/** Runs queries that use the columns, so that a wrong projection is noticed. */
async function answers(host: EngineHost): Promise<unknown> {
  const filtered = (await outcome(host, "records", {
    stream: "books",
    filter: { genre: "novel" },
    sort: "-pages",
    count: "exact",
  })) as Loose;
  const summed = (await outcome(host, "aggregate", {
    stream: "books",
    metric: "sum",
    field: "pages",
    group_by: "genre",
  })) as Loose;
  expect([filtered.meta?.count.value, summed.filtered_record_count], JSON.stringify([filtered, summed])).toEqual([
    5, 12,
  ]);
  return [ids(filtered.data), summed.groups];
}
async function right(): Promise<unknown> {
  const host = localHost(openSqliteStore(home), { home, persist: true });
  const found = await answers(host);
  await host.close();
  return found;
}
function inDatabase(name: string, sql: string): void {
  const database = new DatabaseSync(at(name));
  database.exec(sql);
  database.close();
}

describe("P-01 a home of another version", () => {
  test.each(["records.db", "audit.db"])(
    "P-01 a home with a newer %s is refused with home_too_new and stays untouched, and a pdpp that supports its version can still start on it",
    async (name) => {
      inDatabase(name, "PRAGMA user_version = 999");
      expect(await codeOf(testServer({ home }))).toBe("home_too_new");
      expect(await codeOf(testServer({ home }))).toBe("home_too_new");
      const database = new DatabaseSync(at(name));
      expect(database.prepare("PRAGMA user_version").get()!.user_version).toBe(999);
      database.exec(`PRAGMA user_version = ${versionOf(name)}`);
      database.close();
      expect(await codeOf(testServer({ home }))).toBe("started");
    },
  );

  test("P-01 newer projections are rebuilt from the records", async () => {
    const expected = await right();
    inDatabase("projections.db", "PRAGMA user_version = 999");
    expect(await right()).toEqual(expected);
  });

  /** Returns the schema version of a new home. */
  function versionOf(name: string): number {
    const fresh = newHome();
    openSqliteStore(fresh).close();
    const database = new DatabaseSync(join(fresh, name));
    const { user_version: version } = database.prepare("PRAGMA user_version").get()!;
    database.close();
    rmSync(fresh, { recursive: true, force: true });
    return version as number;
  }
});

describe("P-01 a home in use", () => {
  test("P-01 row 25 a second server is refused with home_in_use; the first keeps running, and another can start after it stops", async () => {
    const first = await testServer({ home });
    expect(await codeOf(testServer({ home }))).toBe("home_in_use");
    await first.ingest("books", connection, [book("still-here")]);
    expect((await first.get("/v1/streams/books/records/still-here")).status).toBe(200);
    await first.close();
    expect(await codeOf(testServer({ home }))).toBe("started");
  });
});

describe("P-01 a locked store", () => {
  test("P-01 writes fail with store_unavailable and reads work; once the lock is released, nothing is lost", async () => {
    const host = localHost(openSqliteStore(home, { busyMilliseconds: 200 }), { home, persist: false });
    const other = new DatabaseSync(at("records.db"));
    other.exec("BEGIN EXCLUSIVE");
    const write = () => outcome(host, "ingest", { stream: "books", connection_id: connection, text: line("x") });
    expect(await write()).toBe("store_unavailable");
    expect(await outcome(host, "issueGrant", { all: true })).toBe("store_unavailable");
    expect(await outcome(host, "record", { stream: "books", id: "b01" })).toMatchObject({ id: "b01" });
    expect(await outcome(host, "record", { stream: "books", id: "x" })).toBe("not_found");
    other.exec("COMMIT");
    other.close();
    expect(await write()).toMatchObject({ changed: 1 });
    expect(await outcome(host, "record", { stream: "books", id: "x" })).toMatchObject({ id: "x" });
    await host.close();
  });
});

describe("P-01 a full disk", () => {
  test("P-01 writes fail with storage_full, nothing is half-written, reads continue, and freed space is used again", async () => {
    const size = statSync(at("records.db")).size;
    const limited = { pages: Math.ceil(size / 8192) + 60 };
    let host = localHost(openSqliteStore(home, limited), { home, persist: false });
    const { connection_id: extra } = (await outcome(host, "createConnection", { connector_id: "library" })) as Loose;
    let accepted = 0;
    let result: Loose;
    for (let batch = 0; batch < 100; batch++) {
      const text = Array.from({ length: 20 }, (_, n) => line(`f${batch}-${n}`, { notes: "x".repeat(2000) })).join("\n");
      result = await outcome(host, "ingest", { stream: "books", connection_id: extra, text });
      if (result === "storage_full") break;
      accepted += result.changed;
    }
    expect(result).toBe("storage_full");
    expect(accepted).toBeGreaterThan(0);
    const count = async (): Promise<number> =>
      ((await outcome(host, "records", { stream: "books", connection_id: extra, count: "exact", limit: 1 })) as Loose)
        .meta.count.value;
    expect(await count()).toBe(accepted);
    const feed = (await outcome(host, "records", {
      stream: "books",
      connection_id: extra,
      changes_since: "beginning",
      limit: 100,
    })) as Loose;
    expect(feed.data[0].id).toBe("f0-0");
    expect(
      await outcome(host, "ingest", {
        stream: "books",
        connection_id: extra,
        text: Array.from({ length: 500 }, (_, n) => line(`g${n}`, { notes: "y".repeat(2000) })).join("\n"),
      }),
    ).toBe("storage_full");
    expect(await count()).toBe(accepted);
    await host.close();
    const check = new DatabaseSync(at("records.db"));
    expect(check.prepare("PRAGMA integrity_check").get()!.integrity_check).toBe("ok");
    check.close();
    // Deleting the connection that filled the disk frees space on it.
    host = localHost(openSqliteStore(home, limited), { home, persist: false });
    expect(await outcome(host, "deleteConnection", { connection_id: extra })).toMatchObject({
      records_deleted: accepted,
    });
    expect(
      await outcome(host, "ingest", {
        stream: "books",
        connection_id: connection,
        text: line("after", { notes: "x".repeat(2000) }),
      }),
    ).toMatchObject({ changed: 1 });
    await host.close();
  });
});

describe("P-01 damaged projections", () => {
  const DAMAGE: [what: string, damage: () => void][] = [
    ["zeros in the segments", () => inDatabase("projections.db", "UPDATE segment SET bytes = zeroblob(length(bytes))")],
    [
      "random bytes in the segments",
      () => inDatabase("projections.db", "UPDATE segment SET bytes = randomblob(length(bytes))"),
    ],
    [
      "truncated segments",
      () => inDatabase("projections.db", "UPDATE segment SET bytes = substr(bytes, 1, length(bytes) / 2)"),
    ],
    [
      "a changed byte in each segment",
      () =>
        inDatabase(
          "projections.db",
          "UPDATE segment SET bytes = CAST(substr(bytes, 1, length(bytes) - 9) || x'5a' || substr(bytes, -8) AS BLOB)",
        ),
    ],
    ["missing segments", () => inDatabase("projections.db", "DELETE FROM segment")],
    ["manifests that are not JSON", () => inDatabase("projections.db", "UPDATE manifest SET body = '{\"nonsense\":'")],
    ["manifests with another structure", () => inDatabase("projections.db", "UPDATE manifest SET body = '[1,2,3]'")],
    ["a missing table", () => inDatabase("projections.db", "DROP TABLE segment")],
    ["a missing file", () => rmSync(at("projections.db"))],
    ["a file of random bytes", () => writeFileSync(at("projections.db"), randomBytes(50_000))],
    ["an empty file", () => truncateSync(at("projections.db"), 0)],
    ["a truncated file", () => truncateSync(at("projections.db"), 5000)],
    ["random bytes in the middle of the file", () => scribble("projections.db", 8192, 4096)],
  ];
  test.each(DAMAGE)(
    "P-01 %s: rebuilt, and the results are correct on the first and the second start",
    async (_what, damage) => {
      const expected = await right();
      expect(existsSync(at("projections.db"))).toBe(true);
      for (const suffix of ["-wal", "-shm"]) rmSync(at(`projections.db${suffix}`), { force: true });
      damage();
      expect(await right()).toEqual(expected);
      expect(await right()).toEqual(expected);
    },
  );
});

describe("P-01 damaged records", () => {
  const refused = async (): Promise<string> => {
    const start = testServer({ home });
    return start.then(
      async (server) => {
        const codes = await Promise.all(
          ["/v1/streams/books/records", "/v1/schema", "/v1/streams/books/records?sort=title"].map(async (path) => {
            const { status, body } = await server.get(path);
            return status === 200 ? "answered" : body.error.code;
          }),
        );
        await server.close();
        return codes.find((code) => code !== "answered") ?? "answered";
      },
      (error: { code?: string }) => error.code ?? String(error),
    );
  };

  test("P-01 a file that is not a database fails with store_damaged on every start and stays unchanged", async () => {
    const noise = randomBytes(100_000);
    writeFileSync(at("records.db"), noise);
    expect(await refused()).toBe("store_damaged");
    expect(await refused()).toBe("store_damaged");
    expect(readFileSync(at("records.db")).equals(noise)).toBe(true);
  });

  test("P-01 noise inside the file causes store_damaged, never an internal error", async () => {
    scribble("records.db", 8192, statSync(at("records.db")).size - 8192);
    expect(await refused()).toBe("store_damaged");
  });

  test("T-04 a missing or damaged key is refused and not replaced", async () => {
    for (const bytes of [Buffer.alloc(0), randomBytes(7), randomBytes(64)]) {
      writeFileSync(at("key"), bytes);
      expect(await refused()).toBe("key_missing");
    }
    rmSync(at("key"));
    expect(await refused()).toBe("key_missing");
    expect(existsSync(at("key"))).toBe(false);
  });
});

function scribble(name: string, from: number, length: number): void {
  const file = openSync(at(name), "r+");
  writeSync(file, randomBytes(length), 0, length, from);
  closeSync(file);
}

const line = (id: string, data: Record<string, unknown> = {}): string =>
  JSON.stringify({ ...book(id, data), emitted_at: EMITTED });

/** Returns the result, or the error code. */
const outcome = (host: EngineHost, method: Parameters<EngineHost["call"]>[0], query: Loose): Promise<unknown> =>
  host.call(method, query, HOME_OWNER).catch((error) => error.code);
