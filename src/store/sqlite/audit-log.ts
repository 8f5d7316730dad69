// The audit log in its own file. Entries wait in journals until they are gathered here, numbered and chained.
import type { KeyObject } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { PdppError } from "../../contract/errors.ts";
import { auditRow } from "../audit-terms.ts";
import type { AuditLog } from "../store.ts";
import { auditGatherer } from "./audit-gather.ts";
import { auditIndex } from "./audit-index.ts";
import { JournalWriter } from "./audit-journal.ts";
import { auditTotals } from "./audit-totals.ts";
import { auditVerifier } from "./audit-verify.ts";
import { typedError, withTypedErrors } from "./database.ts";

export interface GatheringAuditLog extends AuditLog {
  gather(): void;
  sync(): void;
  /** Gathers and removes this log's own journal. */
  close(): void;
}

/** A larger journal is gathered, and a new one is started. */
const JOURNAL_MAX_BYTES = 4 * 1024 * 1024;

export function auditLog(database: DatabaseSync, folder: string, key: KeyObject, now = Date.now): GatheringAuditLog {
  const gatherer = auditGatherer(database, folder, key, now);
  const writer = new JournalWriter({
    folder,
    key,
    now,
    onOpened: (name) => ifFree(() => gatherer.register(name)),
    onChanged: gatherer.distrust,
  });
  const totals = auditTotals(database);
  const index = auditIndex(database);
  const verify = auditVerifier(database, key);
  const pageOfGrant = database.prepare("SELECT n, body FROM entry WHERE grant_id = ? ORDER BY n DESC LIMIT ?");

  const gather = (): void => gatherer.gather({ durable: false });
  const sync = (): void => gatherer.gather({ durable: true });

  return {
    gather,
    sync,
    append(entries) {
      if (entries.length === 0) return true;
      try {
        writer.append(entries.map((entry) => JSON.stringify(entry)));
      } catch (error) {
        throw typedError(error);
      }
      if (writer.size > JOURNAL_MAX_BYTES) {
        writer.end();
        ifFree(sync);
      }
      return true;
    },
    list(query) {
      gather();
      return withTypedErrors(() => index.list(query));
    },
    uses(ids, recent) {
      gather();
      return new Map(
        ids.map((id) => [
          id,
          {
            totals: totals.of(id),
            recent: pageOfGrant.all(id, recent).map((row) => auditRow(row.n as number, row.body as string)),
          },
        ]),
      );
    },
    async verify(options) {
      // Also end the journals of writers that have exited, so that damage in them is found.
      sync();
      return verify(options);
    },
    close() {
      if (!writer.isOpen) return;
      writer.end();
      sync();
    },
  };
}

/** The lines are written, and another thread will gather them, so a busy log must not fail a read. */
function ifFree(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof PdppError) || error.code !== "store_unavailable") throw error;
  }
}
