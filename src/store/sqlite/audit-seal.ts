// Seals an audit log again under another key, without changing its entries.
import type { KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { auditChain, GENESIS } from "../audit-chain.ts";
import { withTypedErrors } from "./database.ts";

/** Returns the number of entries. Everything runs in one transaction. */
export function sealAgain(path: string, key: KeyObject): number {
  if (!existsSync(path)) return 0;
  return withTypedErrors(() => {
    const database = new DatabaseSync(path, { timeout: 10_000 });
    try {
      const { link, seal } = auditChain(key);
      const entries = database.prepare("SELECT n, body FROM entry ORDER BY n");
      const put = database.prepare("UPDATE entry SET hash = ?2 WHERE n = ?1");
      database.exec("BEGIN IMMEDIATE; DELETE FROM journal WHERE state <> 'changed'");
      let n = 0;
      let hash: Uint8Array = GENESIS;
      for (const row of entries.all()) {
        n = row.n as number;
        hash = link(hash, n, row.body as string);
        put.run(n, hash);
      }
      database.prepare("UPDATE head SET seal = ?, hash = ? WHERE n = ?").run(seal(n, hash), hash, n);
      database.exec("COMMIT");
      return n;
    } finally {
      database.close();
    }
  });
}
