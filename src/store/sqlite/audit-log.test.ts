// The audit log: what is appended is found, in one chain, whoever wrote it and however the writer ended; changes are seen.
import { createSecretKey } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

const times = async (log: GatheringAuditLog): Promise<number[]> => (await log.list({ limit: 100 })).map(({ at }) => at);

describe("the audit log", () => {
  it("P-08: shows every writer's entries in the order of time, once", async () => {
    const [first, second] = [openLog(), openLog()];
    first.append([entry(1), entry(3)]);
    second.append([entry(2, "g")]);
    expect(await times(second)).toEqual([3, 2, 1]);
    first.append([entry(4)]);
    first.gather();
    expect(await times(first)).toEqual([4, 3, 2, 1]);
    expect(await first.lastUse(["g", "h"])).toEqual(new Map([["g", 2]]));
    expect(await second.verify()).toEqual({ entries: 4 });
  });

  it("keeps the entries of a writer that never closed, and sweeps its journal away later", async () => {
    openLog().append([entry(1)]);
    const log = openLog();
    expect(await times(log)).toEqual([1]);
    expect(readdirSync(journals)).toHaveLength(1);
    clock += 2 * 3_600_000;
    log.gather();
    expect(readdirSync(journals)).toEqual([]);
    expect(await log.verify()).toEqual({ entries: 1 });
  });

  it("goes on in a new journal when its own was swept away while it slept", async () => {
    const sleeper = openLog();
    sleeper.append([entry(1)]);
    clock += 2 * 3_600_000;
    openLog().gather();
    sleeper.append([entry(2)]);
    expect(await times(openLog())).toEqual([2, 1]);
  });

  it("leaves no journal behind when it closes", async () => {
    const log = openLog();
    log.append([entry(1)]);
    log.close();
    expect(readdirSync(journals)).toEqual([]);
    expect(await times(openLog())).toEqual([1]);
  });

  it("leaves a line that is still being written for later", async () => {
    const log = openLog();
    log.append([entry(1)]);
    const path = join(journals, readdirSync(journals)[0]!);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, -5));
    expect(await times(openLog())).toEqual([]);
    writeFileSync(path, whole);
    expect(await times(openLog())).toEqual([1]);
  });

  it("P-08: sees a change to what waits in a journal", async () => {
    const log = openLog();
    log.append([entry(1), entry(2)]);
    const path = join(journals, readdirSync(journals)[0]!);
    writeFileSync(path, readFileSync(path, "utf8").replace('"bytes":9', '"bytes":8'));
    expect(await openLog().verify()).toMatchObject({ brokenAt: 1 });
  });

  it("P-08: sees a line that was taken out of a journal", async () => {
    const log = openLog();
    log.append([entry(1), entry(2), entry(3)]);
    const path = join(journals, readdirSync(journals)[0]!);
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [lines[0], lines[2], ""].join("\n"));
    expect(await openLog().verify()).toMatchObject({ brokenAt: 1 });
  });
});
