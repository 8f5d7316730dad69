// How often one address may try at the doors of all owners of a database, whichever server it meets: by the database's clock.
import { createHash } from "node:crypto";
import { type SharedLimiter, sharedLimiter } from "../../core/limiter.ts";
import type { Connection, Database } from "./connection.ts";
import { EVERYBODY } from "./directory.ts";
import { NOW } from "./owners.ts";

/** Those that are full again and go with each turn: more than it adds. */
const SWEPT = 20;

/** Addresses are of nobody's interest later. */
const idOf = (address: string): string => createHash("sha256").update(address).digest("base64url");

const TURNS = { points: 40, seconds: 300 };
const PERIOD = TURNS.seconds * 1000;
const TURN = PERIOD / TURNS.points;

/** One row says all of an address: when its turns will be full again (core/turns.ts). */
export function doorsOf(database: Database): SharedLimiter {
  return sharedLimiter(TURNS, {
    take: (address) =>
      database.session(async (connection) => {
        const taken = await connection.run(
          `INSERT INTO item (subject_id, kind, id, created_at, due_at, body)
           VALUES ('${EVERYBODY}', 'door', $1, ${NOW}, ${NOW} + ${TURN}, 'null')
           ON CONFLICT (subject_id, kind, id) DO UPDATE SET due_at = greatest(item.due_at, ${NOW}) + ${TURN}
             WHERE greatest(item.due_at, ${NOW}) + ${TURN} - ${NOW} <= ${PERIOD}`,
          idOf(address),
        );
        return taken === 0 ? secondsLeft(connection, address) : sweep(connection);
      }),
    give: (address) =>
      database.session(async (connection) => {
        await connection.run(
          `UPDATE item SET due_at = due_at - ${TURN} WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id = $1`,
          idOf(address),
        );
      }),
  });
}

async function secondsLeft(connection: Connection, address: string): Promise<number> {
  const row = await connection.row(
    `SELECT due_at - ${NOW} FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id = $1`,
    idOf(address),
  );
  return Math.max(1, Math.ceil((((row?.[0] as number | undefined) ?? 0) + TURN - PERIOD) / 1000));
}

/** One that is counted this very moment is not full. */
async function sweep(connection: Connection): Promise<undefined> {
  await connection.run(
    `DELETE FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id = ANY (ARRAY(
       SELECT id FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND due_at <= ${NOW}
       ORDER BY due_at, id LIMIT ${SWEPT} FOR UPDATE SKIP LOCKED))`,
  );
}
