// The audit log in a file of its own: reads append to it in their own thread and never wait for the writer of records.
import { createHmac } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { AuditEntry, AuditLog, AuditRow } from "../store.ts";
import { typedError } from "./database.ts";

const GENESIS = Buffer.alloc(32);

export function auditLog(database: DatabaseSync, key: Buffer): AuditLog {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const head = database.prepare("SELECT n, hash, seal FROM head");
  const moveHead = database.prepare(
    "INSERT INTO head VALUES (1, ?, ?, ?) ON CONFLICT DO UPDATE SET n = excluded.n, hash = excluded.hash, seal = excluded.seal",
  );
  const insert = database.prepare("INSERT INTO entry VALUES (?, ?, ?, ?, ?)");
  const page = database.prepare("SELECT n, body FROM entry WHERE n < ? ORDER BY n DESC LIMIT ?");
  const pageOfGrant = database.prepare(
    "SELECT n, body FROM entry WHERE grant_id = ? AND n < ? ORDER BY n DESC LIMIT ?",
  );
  const last = database.prepare("SELECT at FROM entry WHERE grant_id = ? ORDER BY n DESC LIMIT 1");
  const walk = database.prepare("SELECT n, grant_id, at, body, hash FROM entry ORDER BY n");

  const link = (previous: Uint8Array, n: number, body: string): Buffer =>
    createHmac("sha256", key).update(previous).update(`${n}\n`).update(body).digest();
  const seal = (n: number, hash: Uint8Array): Buffer =>
    createHmac("sha256", key).update(`head ${n}\n`).update(hash).digest();

  return {
    append(entries) {
      if (entries.length === 0) return;
      try {
        begin.run();
        try {
          const end = head.get();
          let n = (end?.n as number | undefined) ?? 0;
          let hash: Uint8Array = (end?.hash as Uint8Array | undefined) ?? GENESIS;
          for (const entry of entries) {
            const body = JSON.stringify(entry);
            hash = link(hash, ++n, body);
            insert.run(n, entry.at, entry.grant_id ?? null, body, hash);
          }
          moveHead.run(n, hash, seal(n, hash));
          commit.run();
        } catch (error) {
          database.exec("ROLLBACK");
          throw error;
        }
      } catch (error) {
        throw typedError(error);
      }
    },
    list({ before = Number.MAX_SAFE_INTEGER, limit, grantId }) {
      const rows = grantId === undefined ? page.all(before, limit) : pageOfGrant.all(grantId, before, limit);
      return rows.map((row): AuditRow => ({ n: row.n as number, ...(JSON.parse(row.body as string) as AuditEntry) }));
    },
    lastUse(grantIds) {
      const uses = new Map<string, number>();
      for (const grantId of grantIds) {
        const row = last.get(grantId);
        if (row) uses.set(grantId, row.at as number);
      }
      return uses;
    },
    verify() {
      let n = 0;
      let hash: Uint8Array = GENESIS;
      for (const row of walk.iterate()) {
        n++;
        if (row.n !== n) return { entries: n - 1, brokenAt: n, reason: `entry ${n} is missing` };
        const body = row.body as string;
        hash = link(hash, n, body);
        const entry = JSON.parse(body) as AuditEntry;
        const filed = row.at === entry.at && row.grant_id === (entry.grant_id ?? null);
        if (!filed || !Buffer.from(row.hash as Uint8Array).equals(hash)) {
          return { entries: n - 1, brokenAt: n, reason: `entry ${n} was changed` };
        }
      }
      const end = head.get();
      const whole = end ? end.n === n && Buffer.from(end.seal as Uint8Array).equals(seal(n, hash)) : n === 0;
      return whole ? { entries: n } : { entries: n, brokenAt: n + 1, reason: "entries are missing at the end" };
    },
  };
}
