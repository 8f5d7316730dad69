// Checks a database for backup and doctor without opening it as a store: version, user permissions and counts.
import { PdppError } from "../../contract/errors.ts";
import type { BlobRow } from "../rows.ts";
import type { HomeCounts } from "../sqlite/maintenance.ts";
import { type Connection, Database } from "./connection.ts";
import { noOwnerYet, whichOwner } from "./directory.ts";
import { requireVersion } from "./fitness.ts";
import { closedTables, FORMAT, formatIn } from "./schema.ts";

/** A health check must return quickly. */
const CHECK_TIMEOUT_MS = 3000;

async function looking<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const database = new Database(url, { connections: 1, timeoutMs: CHECK_TIMEOUT_MS });
  try {
    return await database.session(work);
  } finally {
    await database.close();
  }
}

export interface PostgresCheck {
  /** The database's own version text, such as 17.2. */
  version: string;
  /** The format of the tables (0 if there are none), and the format that this pdpp uses. */
  format: number;
  known: number;
  /** True if the database is a replica or configured as read-only. */
  readOnly: boolean;
  /** Tables that are missing, or that the user may not read or write. */
  closed: string[];
  bytes: number;
  /** True if the database detects damaged pages (`data_checksums`). */
  hasChecksums: boolean;
  /** The schema for our tables, and whether the user may create tables there. */
  room: { schema: string | null; allowed: boolean };
  /** The requested owner, or why it was not found. */
  owner: string | PdppError;
}

/** Throws if the database cannot be reached or is older than the oldest tested version. Changes nothing. */
export const checkDatabase = (url: string, asked: string | undefined): Promise<PostgresCheck> =>
  looking(url, async (connection) => {
    await requireVersion(connection);
    const [[version, readOnly, bytes, isEmpty, schema, allowed, hasChecksums]] = (await connection.rows(
      `SELECT current_setting('server_version'),
         pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on', pg_database_size(current_database()),
         to_regclass('postern_format') IS NULL, current_schema(), has_schema_privilege(current_schema(), 'CREATE'),
         current_setting('data_checksums') = 'on'`,
    )) as [[string, boolean, number, boolean, string | null, boolean | null, boolean]];
    const about = {
      version: version.split(" ")[0]!,
      known: FORMAT,
      readOnly,
      bytes,
      hasChecksums,
      room: { schema, allowed: allowed === true },
    };
    if (isEmpty) return { ...about, format: 0, closed: [], owner: noOwnerYet() };
    const closed = await closedTables(connection);
    const format = await formatIn(connection);
    return { ...about, format, closed, owner: format > FORMAT ? noOwnerYet() : await ownerIn(connection, asked) };
  });

async function ownerIn(connection: Connection, asked: string | undefined): Promise<string | PdppError> {
  try {
    return (await whichOwner(connection, asked)) ?? noOwnerYet();
  } catch (error) {
    if (error instanceof PdppError) return error;
    throw error;
  }
}

export const countOwner = (url: string, subject: string): Promise<HomeCounts> =>
  looking(url, async (connection) => {
    const one = async (sql: string): Promise<number> => (await connection.row(sql, subject))![0] as number;
    return {
      sources: await one("SELECT count(*) FROM source WHERE subject_id = $1"),
      connections: await one("SELECT count(*) FROM connection WHERE subject_id = $1"),
      streams: await one("SELECT count(*) FROM stream WHERE subject_id = $1"),
      records: await one("SELECT coalesce(sum(live), 0)::bigint FROM stream WHERE subject_id = $1"),
      grants: await one("SELECT count(*) FROM access_grant WHERE subject_id = $1 AND revoked_at IS NULL"),
      tokens: await one("SELECT count(*) FROM token WHERE subject_id = $1"),
      blobs: await one("SELECT count(*) FROM blob WHERE subject_id = $1"),
    };
  });

export const listBlobs = (url: string, subject: string): Promise<BlobRow[]> =>
  looking(url, async (connection) => {
    const rows = await connection.rows(
      "SELECT blob_id, generation, mime_type, size_bytes, sha256 FROM blob WHERE subject_id = $1 ORDER BY blob_id",
      subject,
    );
    return (rows as [string, string | null, string, number, string][]).map(
      ([blobId, generation, mimeType, sizeBytes, sha256]) => ({
        blobId,
        generation,
        mimeType,
        sizeBytes,
        sha256,
      }),
    );
  });
