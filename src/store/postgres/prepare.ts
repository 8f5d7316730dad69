// Getting a database ready: the right version, all tables, and the owner whose data is asked for.
import { PdppError } from "../../contract/errors.ts";
import type { DatabasePlace } from "../place.ts";
import { type Connection, Database, requireVersion } from "./connection.ts";
import { listOwners, putOwner } from "./postgres-store.ts";
import { migrate } from "./schema.ts";

/** Without an owner: the only one there is, or a first one. Of several processes that start at once one makes it. */
export async function prepareDatabase(url: string, owner?: string): Promise<DatabasePlace> {
  const database = new Database(url, { connections: 1 });
  try {
    return await database.session(async (connection) => {
      await requireVersion(connection);
      await migrate(connection);
      return { url, subject: await ownerIn(connection, owner) };
    });
  } finally {
    await database.close();
  }
}

export async function migrateDatabase(url: string): Promise<{ from: number; to: number }> {
  const database = new Database(url, { connections: 1 });
  try {
    return await database.session(async (connection) => {
      await requireVersion(connection);
      return migrate(connection);
    });
  } finally {
    await database.close();
  }
}

/** Any number that no other lock has. */
const CHOOSING = 7_063_828;

async function ownerIn(connection: Connection, wanted: string | undefined): Promise<string> {
  await connection.script(`BEGIN; SELECT pg_advisory_xact_lock(${CHOOSING})`);
  try {
    const owners = await listOwners(connection);
    const subject = wanted ?? (owners.length === 0 ? await putOwner(connection) : owners[0]!);
    await connection.script("COMMIT");
    if (wanted === undefined ? owners.length < 2 : owners.includes(subject)) return subject;
    throw new PdppError(
      "not_found",
      wanted === undefined ? "this database has several owners" : `this database has no owner ${wanted}`,
      { next_step: `Set PDPP_OWNER to one of its owners: ${owners.slice(0, 5).join(", ") || "there is none yet"}.` },
    );
  } catch (error) {
    await connection.script("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
