// The audit log: every appended line is found, in one chain, no matter which process wrote it or how that process
// ended. Tampering is detected.
import { createHmac, createSecretKey } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditEntry } from "../store.ts";
import { auditLog, type GatheringAuditLog } from "./audit-log.ts";
import { openDatabase } from "./database.ts";
import { MIGRATIONS } from "./schema.ts";

const key = createSecretKey(Buffer.alloc(32, 7));
let folder: string;
let journals: string;
let clock = 0;
const now = (): number => clock;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postern-audit-"));
  journals = join(folder, "journals");
  clock = Date.now();
});
afterEach(() => rmSync(folder, { recursive: true }));

function openLog(): GatheringAuditLog {
  const path = join(folder, "audit.db");
  const database = openDatabase({ path, migrations: MIGRATIONS.audit, synchronous: "NORMAL" });
  return auditLog(database, journals, key, now);
}

function entry(at: number, grant_id?: string): AuditEntry {
  const request_id = `req_${at}`;
  return {
    at,
    subject_id: "s",
    actor: "client",
    grant_id,
    action: "record",
    records: 1,
    bytes: 9,
    outcome: "ok",
    request_id,
  };
}

const times = async (log: GatheringAuditLog): Promise<number[]> =>
  (await log.list({ limit: 100 })).rows.map(({ at }) => at);
const denied = async (log: GatheringAuditLog, requestId: string): Promise<number[]> =>
  (await log.list({ requestId, outcome: "denied", limit: 5 })).rows.map(({ n }) => n);

describe("the audit log", () => {
  it("P-08: shows every writer's entries once, in chronological order", async () => {
    const [first, second] = [openLog(), openLog()];
    first.append([entry(1), entry(3)]);
    second.append([entry(2, "g")]);
    expect(await times(second)).toEqual([3, 2, 1]);
    first.append([entry(4)]);
    first.gather();
    expect(await times(first)).toEqual([4, 3, 2, 1]);
    const uses = await first.uses(["g", "h"], 5);
    expect([uses.get("g")?.totals.map(({ usedAt }) => usedAt), uses.get("h")?.totals]).toEqual([[2], []]);
    expect(await second.verify()).toEqual({ entries: 4 });
  });

  it("leaves no journal behind when it closes", async () => {
    const log = openLog();
    log.append([entry(1)]);
    log.close();
    expect(readdirSync(journals)).toEqual([]);
    expect(await times(openLog())).toEqual([1]);
  });

  it("leaves a line that is still being written for the next gathering", async () => {
    const log = openLog();
    log.append([entry(1)]);
    const path = join(journals, readdirSync(journals).find((name) => !name.includes(".lock"))!);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, -5));
    expect(await times(openLog())).toEqual([]);
    writeFileSync(path, whole);
    expect(await times(openLog())).toEqual([1]);
  });

  it("P-08: detects a change to pending lines in a journal", async () => {
    const log = openLog();
    log.append([entry(1), entry(2)]);
    const path = join(journals, readdirSync(journals).find((name) => !name.includes(".lock"))!);
    writeFileSync(path, readFileSync(path, "utf8").replace('"bytes":9', '"bytes":8'));
    expect(await openLog().verify()).toMatchObject({ brokenAt: 1 });
  });

  it("P-08: totals each grant's reads by stream, and a package's calls that used none of its grants", async () => {
    const log = openLog();
    const read = { connection_id: "c", stream: "books" };
    log.append([
      { ...entry(1, "g"), ...read },
      { ...entry(2, "g"), ...read, action: "blob", bytes: 0 },
      { ...entry(3, "g"), ...read, action: "blobServed", bytes: 500 },
    ]);
    log.gather();
    log.append([
      { ...entry(4, "g"), outcome: "field_not_granted", records: 0, bytes: 0 },
      { ...entry(5), grant_package_id: "p", action: "schema", records: 0 },
      entry(6),
    ]);
    const uses = await log.uses(["g", "p"], 2);
    expect(uses.get("g")).toMatchObject({
      totals: [
        { connectionId: "", stream: "", calls: 0, denied: 1, records: 0, bytes: 0, usedAt: null },
        { connectionId: "c", stream: "books", calls: 2, denied: 0, records: 2, bytes: 509, usedAt: 3 },
      ],
      recent: [{ at: 4 }, { at: 3 }],
    });
    expect(uses.get("p")).toMatchObject({ totals: [{ calls: 1, bytes: 9, usedAt: 5 }], recent: [{ at: 5 }] });
    expect(await denied(log, "req_4")).toEqual([4]);
    expect(await denied(log, "req_5")).toEqual([]);
    expect(await log.verify()).toEqual({ entries: 6 });
  });

  it("P-08: migrates a log of the older format completely", async () => {
    const path = join(folder, "audit.db");
    const older = openDatabase({ path, migrations: MIGRATIONS.audit.slice(0, 1), synchronous: "NORMAL" });
    const lines = [
      { ...entry(1, "g"), connection_id: "c", stream: "books" },
      { ...entry(2, "g"), outcome: "field_not_granted", records: 0, bytes: 0 },
      { ...entry(3), grant_package_id: "p" },
      entry(4),
      { ...entry(5, "g"), outcome: "ambiguous_connection", records: 0, bytes: 0 },
    ];
    let hash: Buffer = Buffer.alloc(32);
    for (const [index, line] of lines.entries()) {
      const body = JSON.stringify(line);
      hash = createHmac("sha256", key)
        .update(hash)
        .update(`${index + 1}\n`)
        .update(body)
        .digest();
      older
        .prepare("INSERT INTO entry VALUES (?, ?, ?, ?, ?)")
        .run(index + 1, line.at, line.grant_id ?? null, body, hash);
    }
    const seal = createHmac("sha256", key).update("head 5\n").update(hash).digest();
    older.prepare("INSERT INTO head VALUES (1, 5, ?, ?)").run(hash, seal);
    older.close();
    const log = openLog();
    expect(await log.verify()).toEqual({ entries: 5 });
    expect((await log.list({ limit: 9, grantId: "p" })).rows.map(({ n }) => n)).toEqual([3]);
    expect((await log.list({ limit: 9, stream: "books", since: 1, until: 2 })).rows.map(({ n }) => n)).toEqual([1]);
    expect(await denied(log, "req_2")).toEqual([2]);
    expect(await denied(log, "req_5")).toEqual([]);
    log.append([{ ...entry(6, "g"), connection_id: "c", stream: "books" }]);
    expect(
      (await log.uses(["g"], 1)).get("g")?.totals.map(({ calls, denied, records }) => [calls, denied, records]),
    ).toEqual([
      [0, 1, 0],
      [2, 0, 2],
    ]);
    expect(await log.verify()).toEqual({ entries: 6 });
  });

  it("P-08: detects a change to the totals", async () => {
    const log = openLog();
    log.append([entry(1, "g")]);
    log.gather();
    const database = new DatabaseSync(join(folder, "audit.db"));
    database.exec("UPDATE total SET records = 0");
    database.close();
    expect(await openLog().verify()).toEqual({ entries: 1, brokenAt: 2, reason: "the totals by grant were changed" });
  });

  it("P-08: stops a query early if many lines nearly match, and returns where to continue", async () => {
    const log = openLog();
    const line = (n: number): AuditEntry => ({ ...entry(n), client_id: `c${n % 2}`, stream: `s${n % 2}` });
    log.append(Array.from({ length: 20_000 }, (_, n) => line(n)));
    const never = { clientId: "c0", stream: "s1", limit: 10 };
    const { rows, next } = await log.list(never);
    expect([rows, next! > 2000, next! < 5000]).toEqual([[], true, true]);
    expect(await log.list({ ...never, before: next! })).toEqual({ rows: [] });
    expect((await log.list({ clientId: "c0", stream: "s0", requestId: "req_2", limit: 10 })).rows).toHaveLength(1);
  });

  it("P-08: detects a change to the search index", async () => {
    for (const change of [
      "DELETE FROM mark WHERE term = 'gg'",
      "INSERT INTO mark VALUES (0, 'gh', 0)",
      "INSERT INTO mark VALUES (9, 'gg', 600)",
      "UPDATE head SET late = 5",
    ]) {
      const log = openLog();
      log.append([entry(1, "g")]);
      log.gather();
      const database = new DatabaseSync(join(folder, "audit.db"));
      database.exec(change);
      database.close();
      const reason = "the index of entries was changed";
      expect(await openLog().verify()).toEqual({ entries: 1, brokenAt: 2, reason });
      log.close();
      rmSync(join(folder, "audit.db"));
    }
  });

  it("P-08: detects a line that was removed from a journal", async () => {
    const log = openLog();
    log.append([entry(1), entry(2), entry(3)]);
    const path = join(journals, readdirSync(journals).find((name) => !name.includes(".lock"))!);
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [lines[0], lines[2], ""].join("\n"));
    expect(await openLog().verify()).toMatchObject({ brokenAt: 2, reason: "entries were changed in a journal" });
  });
});
