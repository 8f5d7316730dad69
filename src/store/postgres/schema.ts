// The tables of all owners, as migrations. Every table and every unique key starts with the owner, so that the database
// can be sharded by owner. A database written by a newer pdpp is refused.
import { PdppError } from "../../contract/errors.ts";
import { SHARED_POSTGRES } from "../migrations.ts";
import { type Connection, transaction } from "./connection.ts";

/** Compared byte by byte, as in SQLite, so that the order is the same on every machine. */
const TEXT = 'TEXT COLLATE "C"';

/** Element n migrates a database from format n to n + 1. Never edit a released one; add another. */
export const MIGRATIONS: readonly string[] = [
  `
  -- The owner's key and counters, which SQLite homes keep in files. A writer locks its owner's row, so there is one writer at a time.
  CREATE TABLE home (
    subject_id ${TEXT} PRIMARY KEY, key BYTEA NOT NULL, epoch BIGINT NOT NULL DEFAULT 1, version BIGINT NOT NULL DEFAULT 0,
    streams BIGINT NOT NULL DEFAULT 0, declarations BIGINT NOT NULL DEFAULT 0, eras TEXT, created_at BIGINT NOT NULL
  ) WITH (fillfactor = 50);

  -- The names of owners if many are hosted. It is read before the owner is known. It is small, so a distributed database
  -- can keep a full copy on every node.
  CREATE TABLE owner_name (name ${TEXT} PRIMARY KEY, subject_id ${TEXT} NOT NULL UNIQUE);
  -- When an owner's jobs must be checked next. The leader renews this time while it runs them, and when it stops, it stores when the
  -- next job is due. Any process with capacity finds due rows by time, across owners.
  CREATE TABLE job_watch (subject_id ${TEXT} PRIMARY KEY, look_at BIGINT NOT NULL);
  CREATE INDEX job_watch_by_time ON job_watch (look_at);

  CREATE TABLE source (
    subject_id ${TEXT} NOT NULL, source_id ${TEXT} NOT NULL, connector_key ${TEXT} NOT NULL, declaration_no BIGINT NOT NULL,
    PRIMARY KEY (subject_id, source_id), UNIQUE (subject_id, connector_key)
  );
  -- Every version of each declaration, because a grant refers to the version that was current when it was approved.
  CREATE TABLE declaration (
    subject_id ${TEXT} NOT NULL, declaration_no BIGINT NOT NULL, source_id ${TEXT} NOT NULL, body TEXT NOT NULL,
    registered_at BIGINT NOT NULL, PRIMARY KEY (subject_id, declaration_no)
  );
  CREATE TABLE connection (
    subject_id ${TEXT} NOT NULL, connection_id ${TEXT} NOT NULL, source_id ${TEXT} NOT NULL, display_name TEXT NOT NULL,
    created_at BIGINT NOT NULL, PRIMARY KEY (subject_id, connection_id)
  );
  CREATE TABLE stream (
    subject_id ${TEXT} NOT NULL, stream_no BIGINT NOT NULL, connection_id ${TEXT} NOT NULL, name ${TEXT} NOT NULL,
    live BIGINT NOT NULL DEFAULT 0, changed_at BIGINT,
    PRIMARY KEY (subject_id, stream_no), UNIQUE (subject_id, connection_id, name)
  );

  -- A change moves the row to the end of the feed. born is NULL until the first change. ord is a number or a text, encoded by
  -- record-order.ts.
  CREATE TABLE record (
    subject_id ${TEXT} NOT NULL, version BIGINT NOT NULL, stream_no BIGINT NOT NULL, id ${TEXT} NOT NULL, ord ${TEXT},
    born BIGINT, emitted_at DOUBLE PRECISION NOT NULL, ingested_at BIGINT NOT NULL, data TEXT, origin TEXT, history TEXT,
    PRIMARY KEY (subject_id, version)
  );
  CREATE UNIQUE INDEX record_by_id ON record (subject_id, stream_no, id);
  CREATE INDEX record_by_version ON record (subject_id, stream_no, version);
  CREATE INDEX record_by_order ON record (subject_id, stream_no, ord, id) WHERE data IS NOT NULL;
  -- Earlier positions of changed records in the feed, for readers that cannot see the later change.
  CREATE TABLE trail (
    subject_id ${TEXT} NOT NULL, stream_no BIGINT NOT NULL, version BIGINT NOT NULL, id ${TEXT} NOT NULL,
    PRIMARY KEY (subject_id, stream_no, version)
  );

  CREATE TABLE blob (
    subject_id ${TEXT} NOT NULL, blob_id ${TEXT} NOT NULL, mime_type TEXT NOT NULL, size_bytes BIGINT NOT NULL,
    sha256 TEXT NOT NULL, created_at BIGINT NOT NULL, PRIMARY KEY (subject_id, blob_id)
  );
  CREATE TABLE blob_use (
    subject_id ${TEXT} NOT NULL, blob_id ${TEXT} NOT NULL, stream_no BIGINT NOT NULL, record_id ${TEXT} NOT NULL,
    field ${TEXT} NOT NULL, PRIMARY KEY (subject_id, blob_id, stream_no, record_id, field)
  );
  CREATE INDEX blob_use_by_record ON blob_use (subject_id, stream_no, record_id);

  CREATE TABLE client (
    subject_id ${TEXT} NOT NULL, client_id ${TEXT} NOT NULL, name TEXT NOT NULL, created_at BIGINT NOT NULL,
    PRIMARY KEY (subject_id, client_id)
  );
  -- n numbers the grants in the order in which they were approved.
  CREATE TABLE access_grant (
    subject_id ${TEXT} NOT NULL, grant_id ${TEXT} NOT NULL, client_id ${TEXT} NOT NULL, package_id ${TEXT},
    body TEXT NOT NULL, issued_at BIGINT NOT NULL, revoked_at BIGINT, ended_by TEXT, consumed_at BIGINT, words TEXT,
    n BIGINT GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (subject_id, grant_id)
  );
  CREATE INDEX grant_by_issue ON access_grant (subject_id, issued_at);
  CREATE INDEX grant_by_package ON access_grant (subject_id, package_id) WHERE package_id IS NOT NULL;
  CREATE TABLE token (
    subject_id ${TEXT} NOT NULL, hash ${TEXT} NOT NULL, kind TEXT NOT NULL, grant_id ${TEXT}, package_id ${TEXT},
    created_at BIGINT NOT NULL, expires_at BIGINT, audience TEXT NOT NULL, label TEXT, PRIMARY KEY (subject_id, hash)
  );
  CREATE INDEX token_by_kind ON token (subject_id, kind, created_at);
  CREATE TABLE owner (
    subject_id ${TEXT} PRIMARY KEY, name TEXT NOT NULL, password TEXT NOT NULL, changed_at BIGINT NOT NULL
  );
  CREATE TABLE auth_item (
    subject_id ${TEXT} NOT NULL, kind ${TEXT} NOT NULL, hash ${TEXT} NOT NULL, body TEXT NOT NULL, grant_id ${TEXT},
    uid ${TEXT}, user_code ${TEXT}, consumed_at BIGINT, expires_at BIGINT, PRIMARY KEY (subject_id, kind, hash)
  );
  CREATE INDEX auth_item_by_grant ON auth_item (subject_id, grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX auth_item_by_uid ON auth_item (subject_id, kind, uid) WHERE uid IS NOT NULL;
  CREATE INDEX auth_item_by_user_code ON auth_item (subject_id, kind, user_code) WHERE user_code IS NOT NULL;
  CREATE INDEX auth_item_by_expiry ON auth_item (subject_id, expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE state (
    subject_id ${TEXT} NOT NULL, connection_id ${TEXT} NOT NULL, stream ${TEXT} NOT NULL, cursor TEXT NOT NULL,
    updated_at BIGINT NOT NULL, PRIMARY KEY (subject_id, connection_id, stream)
  );
  CREATE TABLE job (
    subject_id ${TEXT} NOT NULL, job_id ${TEXT} NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, holder ${TEXT},
    request TEXT NOT NULL, started_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, progress TEXT NOT NULL,
    expires_at BIGINT, n BIGINT GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (subject_id, job_id)
  );
  CREATE TABLE item (
    subject_id ${TEXT} NOT NULL, kind ${TEXT} NOT NULL, id ${TEXT} NOT NULL, holder ${TEXT}, created_at BIGINT NOT NULL,
    due_at BIGINT, body TEXT NOT NULL, PRIMARY KEY (subject_id, kind, id)
  );
  CREATE INDEX item_by_age ON item (subject_id, kind, created_at, id);
  CREATE INDEX item_by_holder ON item (subject_id, kind, holder, created_at, id) WHERE holder IS NOT NULL;
  CREATE INDEX item_by_due ON item (subject_id, kind, due_at, id) WHERE due_at IS NOT NULL;

  -- The audit log. Lines are first stored in audit_line, and then moved to audit_entry, where they are numbered and chained.
  CREATE TABLE audit_line (
    subject_id ${TEXT} NOT NULL, journal ${TEXT} NOT NULL, seq BIGINT NOT NULL, mark TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (subject_id, journal, seq)
  );
  -- seq is the last line of each journal that was moved to the log. changed is true if a line is missing or was altered.
  CREATE TABLE audit_journal (
    subject_id ${TEXT} NOT NULL, journal ${TEXT} NOT NULL, seq BIGINT NOT NULL, changed BOOLEAN NOT NULL,
    gathered_at BIGINT NOT NULL, PRIMARY KEY (subject_id, journal)
  );
  CREATE TABLE audit_entry (
    subject_id ${TEXT} NOT NULL, n BIGINT NOT NULL, at BIGINT NOT NULL, grant_id ${TEXT}, body TEXT NOT NULL,
    hash BYTEA NOT NULL, PRIMARY KEY (subject_id, n)
  );
  CREATE INDEX audit_entry_by_grant ON audit_entry (subject_id, grant_id, n) WHERE grant_id IS NOT NULL;
  CREATE TABLE audit_head (
    subject_id ${TEXT} PRIMARY KEY, n BIGINT NOT NULL, hash BYTEA NOT NULL, seal BYTEA NOT NULL, newest BIGINT NOT NULL,
    late BIGINT NOT NULL
  );
  CREATE TABLE audit_total (
    subject_id ${TEXT} NOT NULL, grant_id ${TEXT} NOT NULL, connection_id ${TEXT} NOT NULL, stream ${TEXT} NOT NULL,
    calls BIGINT NOT NULL, denied BIGINT NOT NULL, records BIGINT NOT NULL, bytes BIGINT NOT NULL, used_at BIGINT,
    PRIMARY KEY (subject_id, grant_id, connection_id, stream)
  );
  CREATE TABLE audit_mark (
    subject_id ${TEXT} NOT NULL, part BIGINT NOT NULL, term ${TEXT} NOT NULL, block BIGINT NOT NULL,
    PRIMARY KEY (subject_id, part, term, block)
  );

  -- Projections. They can be deleted at any time and are rebuilt from the feed.
  CREATE TABLE manifest (
    subject_id ${TEXT} NOT NULL, kind ${TEXT} NOT NULL, stream_no BIGINT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (subject_id, kind, stream_no)
  );
  CREATE TABLE segment (
    subject_id ${TEXT} NOT NULL, kind ${TEXT} NOT NULL, stream_no BIGINT NOT NULL, seq BIGINT NOT NULL, part ${TEXT} NOT NULL,
    bytes BYTEA NOT NULL, PRIMARY KEY (subject_id, kind, stream_no, seq, part)
  );
  -- The bytes are already compressed.
  ALTER TABLE segment ALTER COLUMN bytes SET STORAGE EXTERNAL;
  `,
  `
  -- Changes with every commit for the owner, except those of the audit log and of projections. A process that finds it unchanged has
  -- missed nothing. It starts at a random number, so that an owner who was removed and added again is not mistaken for the earlier one.
  ALTER TABLE home ADD COLUMN writes BIGINT NOT NULL DEFAULT floor(random() * 1e12);
  `,
  `
  -- Increases each time a leader is elected for the owner's jobs. Writes by an earlier leader are refused.
  ALTER TABLE home ADD COLUMN term BIGINT NOT NULL DEFAULT floor(random() * 1e12);
  `,
  `
  -- A part of the name of the object that holds the bytes of a blob, so that no name is ever reused (0023). NULL for older objects.
  ALTER TABLE blob ADD COLUMN generation TEXT;
  -- Objects to remove were listed by blob id. From now on they are listed by object name.
  DELETE FROM item WHERE kind = 'unused_blob' AND EXISTS (SELECT 1 FROM blob WHERE blob_id = item.id AND blob.subject_id = item.subject_id);
  UPDATE item SET id = 'blobs/' || substr(id, 6, 2) || '/' || substr(id, 6) WHERE kind = 'unused_blob';
  `,
  `
  -- Importers and connectors stored a field of the record, or 1970, as the emission time, so an app could read a hidden field there.
  -- It is replaced by the arrival time, also for records that a program pushed in the same way (G-02). The history is edited as text,
  -- because JSON can contain characters that PostgreSQL cannot store.
  UPDATE record SET emitted_at = ingested_at,
    history = regexp_replace(history, '\\[(\\d+),(-?[0-9.eE+]+),(\\d+),("|null)', '[\\1,\\3,\\3,\\4', 'g')
  WHERE strpos(origin, '"entry":') > 0 OR strpos(origin, '"file":') > 0 OR strpos(origin, '"connector":') > 0
    OR strpos(history, '\\"entry\\":') > 0 OR strpos(history, '\\"file\\":') > 0 OR strpos(history, '\\"connector\\":') > 0
    OR emitted_at < 86400000
    OR strpos(data, to_char(to_timestamp(emitted_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')) > 0
    OR strpos(data, floor(emitted_at / 1000)::bigint::text) > 0
    OR (emitted_at::bigint % 86400000 = 0
      AND strpos(data, to_char(to_timestamp(emitted_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')) > 0);
  `,
  `
  -- Invalid requests and server failures were summed as denials. Only lines with such an outcome are parsed as JSON.
  WITH line AS MATERIALIZED (
    SELECT subject_id, grant_id, body::json AS body FROM audit_entry
    WHERE grant_id IS NOT NULL AND substring(body FROM '"outcome":"([a-z_]+)"') IN ('invalid_request', 'invalid_declaration', 'invalid_path', 'invalid_cursor', 'invalid_filter', 'invalid_sort', 'invalid_expand',
      'invalid_window', 'invalid_record', 'unknown_field', 'unsupported_version', 'method_not_allowed', 'ambiguous_connection',
      'stale_handle', 'job_already_running', 'home_in_use', 'already_exists', 'cursor_expired', 'export_expired',
      'resource_limit', 'field_not_text', 'api_error', 'store_unavailable', 'key_missing', 'store_damaged', 'home_too_new',
      'storage_full')
  ), failure AS (
    SELECT subject_id, grant_id, coalesce(body ->> 'connection_id', '') AS connection_id,
      coalesce(body ->> 'stream', '') AS stream, count(*) AS calls FROM line
    WHERE body ->> 'action' NOT IN ('blobServed', 'exportServed', 'files.served') GROUP BY 1, 2, 3, 4
  )
  UPDATE audit_total SET denied = denied - failure.calls FROM failure
    WHERE audit_total.subject_id = failure.subject_id AND audit_total.grant_id = failure.grant_id
      AND audit_total.connection_id = failure.connection_id AND audit_total.stream = failure.stream;
  `,
  `
  -- From now on, ids that importers create are keyed (0031). Existing connections keep their unkeyed ids, so that importing the same
  -- files again finds the existing records.
  INSERT INTO item (subject_id, kind, id, holder, created_at, due_at, body)
    SELECT subject_id, 'id_key', connection_id, connection_id, created_at, NULL, '{"key":null}' FROM connection;
  `,
  `
  -- Records that changed since they were first stored. The last change that a grant could see is found without reading hidden records (G-01).
  CREATE INDEX record_by_change ON record (subject_id, stream_no, version) WHERE history IS NOT NULL;
  `,
  `
  -- Grants can have a record filter. An older build would ignore the filter and show hidden records, so the new format locks it out.
  SELECT 1;
  `,
  ...SHARED_POSTGRES,
];

/** The format that this version works with. */
export const FORMAT = MIGRATIONS.length;

/** A step over large tables may take a long time. */
const STEP_MS = 86_400_000;

/**
 * Any number that is the same in every process. If several processes start at once, one migrates and the others wait.
 */
export const MIGRATING = 7_063_827;

/**
 * Runs all steps in one transaction and returns the old and the new format. Does not write to a database that is up to
 * date.
 */
export async function migrate(connection: Connection): Promise<{ from: number; to: number }> {
  const found = await formatFound(connection);
  if (found === FORMAT) return { from: FORMAT, to: FORMAT };
  return transaction(connection, "BEGIN", async () => {
    // Another process holds the lock for as long as it migrates.
    await connection.script(
      `SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${MIGRATING})`,
      STEP_MS,
    );
    const present = await formatFound(connection);
    if (present === 0) await requireRoom(connection);
    for (const step of MIGRATIONS.slice(present)) await connection.script(step, STEP_MS);
    await connection.script(
      `CREATE TABLE IF NOT EXISTS postern_format (format INTEGER NOT NULL); DELETE FROM postern_format;
       INSERT INTO postern_format VALUES (${FORMAT})`,
    );
    return { from: present, to: FORMAT };
  });
}

/**
 * Returns 0 if there are no tables yet. Reads the catalogue itself, because `to_regclass` may still return its result
 * from before another process created the tables.
 */
async function formatFound(connection: Connection): Promise<number> {
  const [[isThere]] = (await connection.rows(
    "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'postern_format' AND pg_table_is_visible(oid))",
  )) as [[boolean]];
  return isThere ? requireKnown(connection) : 0;
}

/** A newer pdpp may have migrated the database while this one was running. */
export async function requireKnown(connection: Connection): Promise<number> {
  const present = await formatIn(connection);
  if (present <= FORMAT) return present;
  throw new PdppError(
    "home_too_new",
    `this database has format ${present}; this pdpp supports formats up to ${FORMAT}`,
    {
      next_step: "Use the newer pdpp that wrote it, or another database. Nothing was changed.",
    },
  );
}

/** Refuses a database in which another program uses our table names. */
async function requireRoom(connection: Connection): Promise<void> {
  const rows = await connection.rows(
    "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL ORDER BY name",
    TABLES,
  );
  if (rows.length === 0) return;
  const names = rows.slice(0, 5).join(", ");
  throw new PdppError("already_exists", `another program's tables in this database have our names: ${names}`, {
    next_step: "Create a separate database for Postern (createdb) and use it in DATABASE_URL. Nothing was changed.",
  });
}

/** Expects our tables to exist. */
export async function formatIn(connection: Connection): Promise<number> {
  const [[format]] = (await connection.rows("SELECT coalesce(max(format), 0) FROM postern_format")) as [[number]];
  return format;
}

export const TABLES = [...MIGRATIONS.join().matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name!);

/** Returns our tables that are missing, or that the user may not read or write. */
export async function closedTables(connection: Connection): Promise<string[]> {
  const rows = await connection.rows(
    `SELECT name FROM (SELECT name, to_regclass(name) AS found FROM unnest($1::text[]) AS name) AS ours
     WHERE CASE WHEN found IS NULL THEN true ELSE NOT (has_table_privilege(found, 'SELECT') AND
       has_table_privilege(found, 'INSERT') AND has_table_privilege(found, 'UPDATE') AND has_table_privilege(found, 'DELETE')) END
     ORDER BY name`,
    TABLES,
  );
  return rows.map(([name]) => name as string);
}
