// The tables of a home, as migrations. A home written by a newer pdpp is refused.
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { PdppError } from "../../contract/errors.ts";
import { damaged } from "../damage.ts";
import { SHARED_SQLITE } from "../migrations.ts";
import { APPLICATION_ID } from "../private-files.ts";
import { defineEmissionMigration } from "./emission-migration.ts";
import { SUM_ALL, SUM_EARLIER, soundRow, summedRow, WITHOUT_LATER } from "./row-sums.ts";
import { copyBeforeUpgrade, copyToGoBackTo, formatIn } from "./upgrade-copy.ts";

/** Element n migrates a home from version n to n + 1. Never edit a released one; add another. */
const RECORDS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('epoch', 1), ('version', 0);

  CREATE TABLE subject (subject_id TEXT PRIMARY KEY, created_at INTEGER NOT NULL) STRICT;
  CREATE TABLE source (
    subject_id TEXT NOT NULL, source_id TEXT NOT NULL, connector_key TEXT NOT NULL, declaration_no INTEGER NOT NULL,
    PRIMARY KEY (subject_id, source_id), UNIQUE (subject_id, connector_key)
  ) STRICT, WITHOUT ROWID;
  -- Every version of each declaration, because a grant refers to the version that was current when it was approved.
  CREATE TABLE declaration (
    declaration_no INTEGER PRIMARY KEY, subject_id TEXT NOT NULL, source_id TEXT NOT NULL,
    body TEXT NOT NULL, registered_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE connection (
    connection_id TEXT PRIMARY KEY, subject_id TEXT NOT NULL, source_id TEXT NOT NULL,
    display_name TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX connection_by_subject ON connection (subject_id, created_at);
  -- AUTOINCREMENT, because the number of a deleted stream must never be reused: projections may still contain it.
  CREATE TABLE stream (
    stream_no INTEGER PRIMARY KEY AUTOINCREMENT, connection_id TEXT NOT NULL, name TEXT NOT NULL,
    live INTEGER NOT NULL DEFAULT 0, changed_at INTEGER, UNIQUE (connection_id, name)
  ) STRICT;

  -- version is the rowid, so a change moves the row to the end of the feed. born is NULL until the first change.
  CREATE TABLE record (
    version INTEGER PRIMARY KEY, stream_no INTEGER NOT NULL, id TEXT NOT NULL, ord ANY, born INTEGER,
    emitted_at ANY NOT NULL, ingested_at INTEGER NOT NULL, data TEXT, origin TEXT, history TEXT
  ) STRICT;
  CREATE UNIQUE INDEX record_by_id ON record (stream_no, id);
  CREATE INDEX record_by_version ON record (stream_no);
  CREATE INDEX record_by_order ON record (stream_no, ord, id) WHERE data IS NOT NULL;
  -- Earlier positions of changed records in the feed, for readers that cannot see the later change.
  CREATE TABLE trail (
    stream_no INTEGER NOT NULL, version INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (stream_no, version)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE blob (
    blob_id TEXT PRIMARY KEY, mime_type TEXT NOT NULL, size_bytes INTEGER NOT NULL, sha256 TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE blob_use (
    blob_id TEXT NOT NULL, stream_no INTEGER NOT NULL, record_id TEXT NOT NULL, field TEXT NOT NULL,
    PRIMARY KEY (blob_id, stream_no, record_id, field)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blob_use_by_record ON blob_use (stream_no, record_id);

  CREATE TABLE client (
    client_id TEXT PRIMARY KEY, subject_id TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE access_grant (
    grant_id TEXT PRIMARY KEY, subject_id TEXT NOT NULL, client_id TEXT NOT NULL, package_id TEXT,
    body TEXT NOT NULL, issued_at INTEGER NOT NULL, revoked_at INTEGER, consumed_at INTEGER
  ) STRICT;
  CREATE INDEX grant_by_subject ON access_grant (subject_id, issued_at);
  CREATE INDEX grant_by_package ON access_grant (package_id) WHERE package_id IS NOT NULL;
  CREATE TABLE token (
    hash TEXT PRIMARY KEY, kind TEXT NOT NULL, subject_id TEXT NOT NULL, grant_id TEXT, package_id TEXT,
    created_at INTEGER NOT NULL, expires_at INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE state (
    subject_id TEXT NOT NULL, connection_id TEXT NOT NULL, stream TEXT NOT NULL, cursor TEXT NOT NULL,
    updated_at INTEGER NOT NULL, PRIMARY KEY (subject_id, connection_id, stream)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE job (
    job_id TEXT PRIMARY KEY, subject_id TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
    started_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, progress TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- audience is the lens that the token is for. label names the browser that opened a session, so that the owner recognises it.
  ALTER TABLE token ADD COLUMN audience TEXT NOT NULL DEFAULT 'records';
  ALTER TABLE token ADD COLUMN label TEXT;
  CREATE TABLE owner (
    subject_id TEXT PRIMARY KEY, name TEXT NOT NULL, password TEXT NOT NULL, changed_at INTEGER NOT NULL
  ) STRICT;
  -- State of the authorization server between requests: codes, refresh tokens, clients, and requests in progress.
  CREATE TABLE auth_item (
    kind TEXT NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL, grant_id TEXT, uid TEXT, user_code TEXT,
    consumed_at INTEGER, expires_at INTEGER, PRIMARY KEY (kind, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX auth_item_by_grant ON auth_item (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX auth_item_by_uid ON auth_item (kind, uid) WHERE uid IS NOT NULL;
  CREATE INDEX auth_item_by_user_code ON auth_item (kind, user_code) WHERE user_code IS NOT NULL;
  CREATE INDEX auth_item_by_expiry ON auth_item (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX token_by_subject ON token (subject_id, kind);
  -- 'owner', 'app', or 'reuse' if a code or refresh token was used twice.
  ALTER TABLE access_grant ADD COLUMN ended_by TEXT;
  `,
  `
  -- holder is the grant or package that a job belongs to, or NULL for the owner.
  ALTER TABLE job ADD COLUMN holder TEXT;
  ALTER TABLE job ADD COLUMN request TEXT NOT NULL DEFAULT 'null';
  ALTER TABLE job ADD COLUMN expires_at INTEGER;
  `,
  `
  -- The words in which the grant was shown to the owner, because names can change later.
  ALTER TABLE access_grant ADD COLUMN words TEXT;
  `,
  `
  -- State that parts of the server keep between runs: connector setups, schedules, event subscriptions, undelivered events.
  CREATE TABLE item (
    subject_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, holder TEXT, created_at INTEGER NOT NULL,
    due_at INTEGER, body TEXT NOT NULL, PRIMARY KEY (subject_id, kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX item_by_age ON item (subject_id, kind, created_at, id);
  CREATE INDEX item_by_holder ON item (subject_id, kind, holder, created_at, id) WHERE holder IS NOT NULL;
  CREATE INDEX item_by_due ON item (subject_id, kind, due_at, id) WHERE due_at IS NOT NULL;
  `,
  // Adds a checksum to every row (row-sums.ts).
  SUM_ALL,
  `
  -- A part of the name of the object that holds the bytes of a blob, so that no name is ever reused (0023). NULL for older objects.
  ALTER TABLE blob ADD COLUMN generation TEXT;
  UPDATE blob SET sum = row_sum('blob', blob_id, generation, mime_type, size_bytes, sha256, created_at);
  -- Objects to remove were listed by blob id. From now on they are listed by object name.
  DELETE FROM item WHERE kind = 'unused_blob' AND EXISTS (SELECT 1 FROM blob WHERE blob_id = item.id);
  UPDATE item SET id = 'blobs/' || substr(id, 6, 2) || '/' || substr(id, 6),
    sum = row_sum('item', subject_id, kind, 'blobs/' || substr(id, 6, 2) || '/' || substr(id, 6), holder, created_at, due_at, body)
    WHERE kind = 'unused_blob';
  `,
  `
  -- Importers and connectors stored a field of the record, or 1970, as the emission time, so an app could read a hidden field there.
  -- It is replaced by the arrival time, also for records that a program pushed in the same way (G-02).
  ${SUM_EARLIER}
  UPDATE record SET emitted_at = ingested_at, history = emitted_when_ingested(history),
    sum = ${summedRow("record", { ...WITHOUT_LATER, emitted_at: "ingested_at", history: "emitted_when_ingested(history)" })}
  WHERE ${soundRow("record", WITHOUT_LATER)} AND (instr(origin, '"entry":') OR instr(origin, '"file":') OR instr(origin, '"connector":')
    OR instr(history, '\\"entry\\":') OR instr(history, '\\"file\\":') OR instr(history, '\\"connector\\":')
    OR emitted_at < 86400000
    OR instr(data, strftime('%Y-%m-%dT%H:%M:%S', emitted_at / 1000, 'unixepoch'))
    OR instr(data, CAST(CAST(emitted_at / 1000 AS INTEGER) AS TEXT))
    OR (emitted_at % 86400000 = 0 AND instr(data, strftime('%Y-%m-%d', emitted_at / 1000, 'unixepoch'))));
  `,
  `
  ${SUM_EARLIER}
  -- From now on, ids that importers create are keyed (0031). Existing connections keep their unkeyed ids, so that importing the same
  -- files again finds the existing records.
  INSERT INTO item (subject_id, kind, id, holder, created_at, due_at, body, sum)
    SELECT subject_id, 'id_key', connection_id, connection_id, created_at, NULL, '{"key":null}',
      row_sum('item', subject_id, 'id_key', connection_id, connection_id, created_at, NULL, '{"key":null}') FROM connection;
  `,
  `
  -- Records that changed since they were first stored. The last change that a grant could see is found without reading hidden records (G-01).
  CREATE INDEX record_by_change ON record (stream_no) WHERE history IS NOT NULL;
  `,
  `
  -- Grants can have a record filter. An older build would ignore the filter and show hidden records, so the new format locks it out.
  SELECT 1;
  `,
  ...SHARED_SQLITE,
];

const AUDIT: readonly string[] = [
  `
  CREATE TABLE entry (n INTEGER PRIMARY KEY, at INTEGER NOT NULL, grant_id TEXT, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
  CREATE INDEX entry_by_grant ON entry (grant_id, n) WHERE grant_id IS NOT NULL;
  -- The end of the chain. It is sealed, so that removing the last entries is detected as well as changing an entry.
  CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), n INTEGER NOT NULL, hash BLOB NOT NULL, seal BLOB NOT NULL) STRICT;
  -- Journals, and how much of each is in the log. State finished: all of it is, and only the file remains. changed: the journal is damaged.
  CREATE TABLE journal (name TEXT PRIMARY KEY, offset INTEGER NOT NULL, mark TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- Lists select by grant_id: the grant, or the package if no single grant was used. A body that was tampered with is skipped.
  UPDATE entry SET grant_id = body ->> '$.grant_package_id'
    WHERE grant_id IS NULL AND json_valid(body) AND body ->> '$.grant_package_id' IS NOT NULL;
  CREATE TABLE denial (request_id TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (request_id, n)) STRICT, WITHOUT ROWID;
  INSERT INTO denial SELECT body ->> '$.request_id', n FROM entry WHERE json_valid(body) AND body ->> '$.outcome' <> 'ok';
  -- Totals of the log, updated as it grows. Verifying the log also verifies them.
  CREATE TABLE total (
    grant_id TEXT NOT NULL, connection_id TEXT NOT NULL, stream TEXT NOT NULL, calls INTEGER NOT NULL, denied INTEGER NOT NULL,
    records INTEGER NOT NULL, bytes INTEGER NOT NULL, used_at INTEGER, PRIMARY KEY (grant_id, connection_id, stream)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO total
    SELECT grant_id, coalesce(body ->> '$.connection_id', ''), coalesce(body ->> '$.stream', ''),
      sum(body ->> '$.action' <> 'blobServed' AND body ->> '$.outcome' = 'ok'),
      sum(body ->> '$.action' <> 'blobServed' AND body ->> '$.outcome' <> 'ok'),
      sum(CASE WHEN body ->> '$.action' = 'blobServed' THEN 0 ELSE body ->> '$.records' END),
      sum(body ->> '$.bytes'), max(CASE WHEN body ->> '$.outcome' = 'ok' THEN at END)
    FROM entry WHERE grant_id IS NOT NULL AND json_valid(body) GROUP BY 1, 2, 3;
  `,
  `
  -- The terms that occur in each block of 64 lines (audit-terms.ts). Verifying the log also verifies them.
  CREATE TABLE mark (
    part INTEGER NOT NULL, term TEXT NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (part, term, block)
  ) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO mark
    SELECT n >> 12, term.value, n >> 6 FROM (SELECT n, grant_id, iif(json_valid(body), body, '{}') AS body FROM entry),
      json_each(json_array(
        'r' || (body ->> '$.request_id'), 'o' || iif(body ->> '$.outcome' = 'ok', 'ok', 'denied'),
        'w' || iif(body ->> '$.actor' = 'owner', 'owner', 'app'), 'a' || (body ->> '$.action'), 'g' || grant_id,
        'c' || (body ->> '$.client_id'), 'n' || coalesce(body ->> '$.connection_id', body ->> '$.asked.connection_id'),
        's' || coalesce(body ->> '$.stream', body ->> '$.asked.stream')
      )) AS term WHERE term.value IS NOT NULL;
  DROP TABLE denial;
  -- newest is the latest time of any line. late is the longest time by which a line ever followed a newer one. Binary search by time
  -- needs both.
  ALTER TABLE head ADD COLUMN newest INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE head ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
  UPDATE head SET newest = (SELECT coalesce(max(at), 0) FROM entry),
    late = (SELECT coalesce(max(newest - at), 0) FROM (SELECT at, max(at) OVER (ORDER BY n) AS newest FROM entry));
  `,
  `
  -- synced is the number of bytes of the journal that are on the disk. Everything written before gathered_at is in the log.
  ALTER TABLE journal ADD COLUMN synced INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE journal ADD COLUMN gathered_at INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Invalid requests and server failures were summed as denials.
  CREATE TEMP TABLE failure AS
    SELECT grant_id, coalesce(body ->> '$.connection_id', '') AS connection_id, coalesce(body ->> '$.stream', '') AS stream,
      count(*) AS calls FROM entry
    WHERE grant_id IS NOT NULL AND json_valid(body) AND body ->> '$.action' NOT IN ('blobServed', 'exportServed', 'files.served')
      AND body ->> '$.outcome' IN ('invalid_request', 'invalid_declaration', 'invalid_path', 'invalid_cursor', 'invalid_filter', 'invalid_sort', 'invalid_expand',
      'invalid_window', 'invalid_record', 'unknown_field', 'unsupported_version', 'method_not_allowed', 'ambiguous_connection',
      'stale_handle', 'job_already_running', 'home_in_use', 'already_exists', 'cursor_expired', 'export_expired',
      'resource_limit', 'field_not_text', 'api_error', 'store_unavailable', 'key_missing', 'store_damaged', 'home_too_new',
      'storage_full')
    GROUP BY 1, 2, 3;
  UPDATE total SET denied = denied - failure.calls FROM failure
    WHERE total.grant_id = failure.grant_id AND total.connection_id = failure.connection_id AND total.stream = failure.stream;
  DROP TABLE failure;
  `,
];

const PROJECTIONS: readonly string[] = [
  `
  CREATE TABLE manifest (kind TEXT NOT NULL, stream_no INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, stream_no)) STRICT, WITHOUT ROWID;
  CREATE TABLE segment (
    kind TEXT NOT NULL, stream_no INTEGER NOT NULL, seq INTEGER NOT NULL, part TEXT NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (kind, stream_no, seq, part)
  ) STRICT;
  `,
];

export const MIGRATIONS = { records: RECORDS, audit: AUDIT, projections: PROJECTIONS };

/**
 * The tables do not match the format stated in the file. SQLite's own message would not help the person who is starting
 * a server.
 */
function asDamage(error: unknown): unknown {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return code === "ERR_SQLITE_ERROR" && errcode === 1
    ? damaged(`it cannot be upgraded to the current format (${(error as Error).message})`)
    : error;
}

function wayBack(path: string | undefined, known: number): { next_step?: string } {
  const copy = path === undefined ? undefined : copyToGoBackTo(path, known);
  if (copy === undefined) return {};
  return {
    next_step: `Start this home with the newer pdpp that wrote it. To go back to this version and lose everything written since the upgrade, restore the copies in ${dirname(copy)} (docs/run/upgrading.md has the commands).`,
  };
}

/** If the path of the file is given, first keeps a copy in the earlier format. */
export function migrate(database: DatabaseSync, steps: readonly string[], keepCopyOf?: string): void {
  const current = () => formatIn(database);
  const isMarked = database.prepare("PRAGMA application_id").get()!.application_id === APPLICATION_ID;
  if (current() === steps.length && isMarked) return;
  defineEmissionMigration(database);
  if (keepCopyOf !== undefined && current() > 0 && current() < steps.length) copyBeforeUpgrade(database, keepCopyOf);
  database.exec("BEGIN IMMEDIATE");
  try {
    const found = current();
    if (found > steps.length) {
      throw new PdppError(
        "home_too_new",
        `this home has format ${found}; this pdpp supports formats up to ${steps.length}`,
        wayBack(keepCopyOf, steps.length),
      );
    }
    for (const step of steps.slice(found)) database.exec(step);
    database.exec(`PRAGMA user_version = ${steps.length}`);
    // Identifies a copy of the file under any name (G-07).
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw asDamage(error);
  }
}
