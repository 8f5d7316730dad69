// Prepares a database: checks the version, creates or migrates the tables, and finds the requested owner.
import { ERRORS, PdppError } from "../../contract/errors.ts";
import type { DatabasePlace } from "../place.ts";
import { type Connection, Database, transaction } from "./connection.ts";
import { noOwnerYet, whichOwner } from "./directory.ts";
import { requireClock, requireVersion } from "./fitness.ts";
import { putOwner } from "./postgres-store.ts";
import { closedTables, migrate } from "./schema.ts";

interface Preparing {
  /** The name or id of an owner. Defaults to the only owner. */
  owner?: string;
  /** Creates an owner if the database has none yet. Only one is created, even if several processes start together. */
  create?: boolean;
  /** Called while waiting for the database. */
  note?: (text: string) => void;
}

export const prepareDatabase = (url: string, { owner, create = true, note }: Preparing = {}): Promise<DatabasePlace> =>
  getReady(url, note, async (connection) => {
    await requireFit(connection);
    return { url, subject: await ownerIn(connection, owner, create) };
  });

/** Prepares a database for a multi-owner server. */
export const prepareForMany = (url: string, note?: Preparing["note"]): Promise<void> => getReady(url, note, requireFit);

async function requireFit(connection: Connection): Promise<void> {
  await requireVersion(connection);
  await requireClock(connection);
  await migrate(connection);
  await requireTables(connection);
}

export const migrateDatabase = (url: string): Promise<{ from: number; to: number }> =>
  getReady(url, undefined, async (connection) => {
    await requireVersion(connection);
    return migrate(connection);
  });

async function getReady<T>(
  url: string,
  note: Preparing["note"],
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const onWait = (why: string): void => note?.(`Waiting for the database: ${why}.`);
  const database = new Database(url, { connections: 1, onWait });
  try {
    return await database.session(work);
  } catch (error) {
    throw forOperator(error);
  } finally {
    await database.close();
  }
}

/** An operator sees this error at startup and can do more than retry. */
function forOperator(error: unknown): unknown {
  if (!(error instanceof PdppError) || error.code !== "store_unavailable") return error;
  const { next_step } = error.details;
  if (next_step !== undefined && next_step !== ERRORS.store_unavailable.next) return error;
  return new PdppError(error.code, error.message, {
    next_step: "Start the database, or correct the host and port in DATABASE_URL; `pdpp doctor` shows the details.",
  });
}

async function requireTables(connection: Connection): Promise<void> {
  const closed = await closedTables(connection);
  if (closed.length === 0) return;
  const names = `${closed.slice(0, 5).join(", ")}${closed.length > 5 ? ", …" : ""}`;
  throw new PdppError(
    "store_unavailable",
    `tables are missing from the database, or its user may not use them: ${names}`,
    {
      next_step:
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO its user; restore a backup if they are missing.",
    },
  );
}

/** Any number that no other lock uses. */
const CHOOSING = 7_063_828;

async function ownerIn(connection: Connection, asked: string | undefined, create: boolean): Promise<string> {
  const subject = await whichOwner(connection, asked);
  if (subject !== undefined) return subject;
  if (!create) throw noOwnerYet();
  return transaction(
    connection,
    `BEGIN; SELECT pg_advisory_xact_lock(${CHOOSING})`,
    async () => (await whichOwner(connection, undefined)) ?? (await putOwner(connection)),
  );
}
