// Limits how often one address may try to sign in to any owner of a database, across all servers. It uses the
// database's clock.
import { createHash } from "node:crypto";
import { type SharedLimiter, sharedLimiter } from "../../core/limiter.ts";
import type { Rate } from "../../core/rate.ts";
import type { Connection, Database } from "./connection.ts";
import { EVERYBODY } from "./directory.ts";
import { NOW } from "./owners.ts";

/** How many full buckets each attempt deletes, which is more than it adds. */
const SWEPT = 20;

/** Addresses are hashed, so that the rows do not show them. A guessed address can still be confirmed. */
const idOf = (address: string): string => createHash("sha256").update(address).digest("base64url");

/**
 * Each address has one row, which stores when its bucket will be full again (core/rate.ts). In the database, these rows
 * have the kind "door".
 */
export function signInLimiter(database: Database, rate: Rate): SharedLimiter {
  const period = rate.seconds * 1000;
  const attempt = period / rate.points;
  return sharedLimiter(rate, {
    take: (address) =>
      database.session(async (connection) => {
        const taken = await connection.run(
          `INSERT INTO item (subject_id, kind, id, created_at, due_at, body)
           VALUES ('${EVERYBODY}', 'door', $1, ${NOW}, ${NOW} + $2, 'null')
           ON CONFLICT (subject_id, kind, id) DO UPDATE SET due_at = greatest(item.due_at, ${NOW}) + $2
             WHERE greatest(item.due_at, ${NOW}) + $2 - ${NOW} <= $3`,
          idOf(address),
          attempt,
          period,
        );
        if (taken > 0) return sweep(connection);
        const fullIn = await fullAgainIn(connection, address);
        return Math.max(1, Math.ceil((fullIn + attempt - period) / 1000));
      }),
    give: (address) =>
      database.session(async (connection) => {
        await connection.run(
          `UPDATE item SET due_at = due_at - $2 WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id = $1`,
          idOf(address),
          attempt,
        );
      }),
  });
}

async function fullAgainIn(connection: Connection, address: string): Promise<number> {
  const row = await connection.row(
    `SELECT due_at - ${NOW} FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id = $1`,
    idOf(address),
  );
  return (row?.[0] as number | undefined) ?? 0;
}

/** Deletes full buckets. A bucket that is locked right now is in use, so it is skipped. */
async function sweep(connection: Connection): Promise<undefined> {
  await connection.run(
    `DELETE FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id = ANY (ARRAY(
       SELECT id FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND due_at <= ${NOW}
       ORDER BY due_at, id LIMIT ${SWEPT} FOR UPDATE SKIP LOCKED))`,
  );
}
