// T-02 and T-03: no line of a completed read is lost while its writer is alive, and the log reports what a power cut
// may have lost.
import { createSecretKey } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditEntry } from "../store.ts";
import { auditLog, type GatheringAuditLog } from "./audit-log.ts";
import { openDatabase } from "./database.ts";
import { MIGRATIONS } from "./schema.ts";

const key = createSecretKey(Buffer.alloc(32, 7));
const HOUR = 3_600_000;
const START = 1_700_000_000_000;
let folder: string;
let clock: number;
const databases: DatabaseSync[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postern-power-"));
  clock = START;
});
afterEach(() => {
  for (const database of databases.splice(0)) database.close();
  rmSync(folder, { recursive: true });
});

const path = (home: string, ...names: string[]): string => join(folder, home, ...names);

function openLog(home = "home"): GatheringAuditLog {
  mkdirSync(path(home), { recursive: true });
  const database = openDatabase({ path: path(home, "audit.db"), migrations: MIGRATIONS.audit, synchronous: "NORMAL" });
  databases.push(database);
  return auditLog(database, path(home, "journals"), key, () => clock);
}

const entry = (at: number): AuditEntry => ({
  at: START + at,
  subject_id: "s",
  actor: "client",
  action: "record",
  records: 1,
  bytes: 9,
  outcome: "ok",
  request_id: `req_${at}`,
});

const journal = (home = "home"): string =>
  path(home, "journals", readdirSync(path(home, "journals")).find((name) => !name.includes(".lock"))!);

const requests = async (log: GatheringAuditLog): Promise<string[]> =>
  (await log.list({ limit: 100, action: "record" })).rows.map(({ request_id }) => request_id).reverse();
const stops = async (log: GatheringAuditLog) =>
  (await log.list({ limit: 100, action: "uncleanStop" })).rows.map(({ may_be_missing }) => may_be_missing);

/** Opens a copy of the home as after a power cut, when no process has its files open. */
function cut(home: string, change: (journalPath: string) => void = () => {}): GatheringAuditLog {
  cpSync(path("home"), path(home), { recursive: true });
  change(journal(home));
  return openLog(home);
}

describe("after a power cut", () => {
  /** Lines 1 and 2 are on the disk. Lines 3 and 4 are only in the synced audit.db, and 5 and 6 only in the journal. */
  function used(): { log: GatheringAuditLog; synced: number; size: number } {
    const log = openLog();
    log.append([entry(1), entry(2)]);
    clock = START + 100;
    log.sync();
    const synced = statSync(journal()).size;
    log.append([entry(103), entry(104)]);
    log.gather();
    log.append([entry(105), entry(106)]);
    clock = START + 5000;
    return { log, synced, size: statSync(journal()).size };
  }

  it("T-02 the log passes verification wherever the journal was cut off, keeps all gathered lines, and reports since when lines may be missing", async () => {
    const { synced, size } = used();
    for (let length = synced; length <= size; length += 29) {
      const log = cut(`cut-${length}`, (file) => truncateSync(file, length));
      const verdict = await log.verify();
      expect(verdict, `cut at ${length}`).toEqual({ entries: verdict.entries, gaps: 1 });
      expect((await requests(log)).slice(0, 4)).toEqual(["req_1", "req_2", "req_103", "req_104"]);
      const [gap] = await stops(log);
      expect(gap!.since).toBeGreaterThanOrEqual(START + 100);
      expect(gap!.since).toBeLessThanOrEqual(START + 106);
      expect(gap!.until).toBe(clock);
    }
  });

  it("T-02 the log also passes verification if the disk has zeros instead of lines", async () => {
    const { synced, size } = used();
    for (const from of [synced, synced + 40, size - 100]) {
      const log = cut(`zeros-${from}`, (file) => {
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0, from, Math.min(from + 60, size)));
      });
      expect(await log.verify()).toMatchObject({ gaps: 1 });
    }
  });

  it("T-02 a journal that never reached the disk is reported as missing, and the next clean stop reports no further gap", async () => {
    const log = openLog();
    log.append([entry(1)]);
    const after = cut("home-2", (file) => rmSync(file));
    expect(await after.verify()).toEqual({ entries: 1, gaps: 1 });
    after.append([entry(2)]);
    after.close();
    expect(readdirSync(path("home-2", "journals"))).toEqual([]);
    expect(await openLog("home-2").verify()).toEqual({ entries: 2, gaps: 1 });
  });

  it("T-02 a journal whose lock file and gathered lines never reached the disk is not a sign of tampering", async () => {
    const log = openLog();
    log.append([entry(1)]);
    log.gather();
    for (const length of [0, 40]) {
      const after = cut(`no-lock-${length}`, (file) => {
        truncateSync(file, length);
        rmSync(`${file}.lock`);
      });
      expect(await after.verify()).toEqual({ entries: 2, gaps: 1 });
      expect(await requests(after)).toEqual(["req_1"]);
    }
  });

  it("T-02 an audit.db that is older than the journals gets their lines once", async () => {
    const log = openLog();
    log.append([entry(1)]);
    log.sync();
    for (const suffix of ["", "-wal"]) copyFileSync(path("home", `audit.db${suffix}`), path(`older${suffix}`));
    log.append([entry(2), entry(3)]);
    log.sync();
    const after = cut("home-2", () => {
      rmSync(path("home-2", "audit.db-shm"), { force: true });
      for (const suffix of ["", "-wal"]) copyFileSync(path(`older${suffix}`), path("home-2", `audit.db${suffix}`));
    });
    expect(await requests(after)).toEqual(["req_1", "req_2", "req_3"]);
    expect(await after.verify()).toEqual({ entries: 4, gaps: 1 });
  });

  it("T-02 a journal that is shorter than its synced part, or has a different line, was tampered with", async () => {
    const { synced } = used();
    const short = cut("short", (file) => truncateSync(file, synced - 1));
    expect(await short.verify()).toMatchObject({ reason: "entries were changed in a journal" });
    const gone = cut("gone", (file) => rmSync(file));
    expect(await gone.verify()).toMatchObject({ reason: "entries were changed in a journal" });
    const edited = cut("edited", (file) =>
      writeFileSync(file, readFileSync(file, "utf8").replace("req_105", "req_999")),
    );
    expect(await edited.verify()).toMatchObject({ reason: "entries were changed in a journal" });
  });

  it("T-02 after a clean stop there is nothing to report, and no journal to cut off", async () => {
    const { log } = used();
    log.close();
    expect(readdirSync(path("home", "journals"))).toEqual([]);
    expect(await openLog().verify()).toEqual({ entries: 6 });
  });

  it("T-02 a journal that was closed but not gathered yet is complete", async () => {
    const log = openLog();
    log.append([entry(1)]);
    const blocker = databases[0]!;
    blocker.exec("BEGIN IMMEDIATE");
    expect(() => log.close()).toThrow();
    blocker.exec("ROLLBACK");
    expect(await openLog().verify()).toEqual({ entries: 1 });
  });
});

describe("while the writer is running", () => {
  it("T-03 a journal that was idle for hours is kept, and later lines are found immediately", async () => {
    const writers = [openLog(), openLog()];
    for (const [n, writer] of writers.entries()) writer.append([entry(n)]);
    const gatherer = openLog();
    for (let hour = 0; hour < 3; hour++) {
      clock += 2 * HOUR;
      gatherer.sync();
      for (const [n, writer] of writers.entries()) writer.append([entry(10 + 2 * hour + n)]);
    }
    expect(await requests(gatherer)).toHaveLength(8);
    expect(await gatherer.verify()).toEqual({ entries: 8 });
  });

  it("T-03 lines written after another program removed or truncated the journal are not lost, and verify reports the change", async () => {
    for (const [n, change] of [(file: string) => rmSync(file), (file: string) => truncateSync(file, 10)].entries()) {
      const home = `home-${n}`;
      const log = openLog(home);
      log.append([entry(1)]);
      log.gather();
      change(journal(home));
      log.append([entry(2)]);
      expect(await requests(log)).toEqual(["req_1", "req_2"]);
      expect(await log.verify()).toMatchObject({ entries: 2, reason: "entries were changed in a journal" });
    }
  });
});
