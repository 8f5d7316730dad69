// How often one address may try at the doors (the sign-in pages) of all owners of a database, whichever server it meets: by the
// database's clock.
import { createHash } from "node:crypto";
import { type SharedLimiter, sharedLimiter } from "../../core/limiter.ts";
import type { Turns } from "../../core/turns.ts";
import type { Connection, Database } from "./connection.ts";
import { EVERYBODY } from "./directory.ts";
import { NOW } from "./owners.ts";

/** Those that are full again and go with each turn: more than it adds. */
const SWEPT = 20;

/** Not for whoever looks at the rows; who guesses an address can tell whether it is there. */
const idOf = (address: string): string => createHash("sha256").update(address).digest("base64url");

/** One row says all of an address: when its turns will be full again (core/turns.ts). */
export function doorsOf(database: Database, turns: Turns): SharedLimiter {
  const period = turns.seconds * 1000;
  const turn = period / turns.points;
  return sharedLimiter(turns, {
    take: (address) =>
      database.session(async (connection) => {
        const taken = await connection.run(
          `INSERT INTO item (subject_id, kind, id, created_at, due_at, body)
           VALUES ('${EVERYBODY}', 'door', $1, ${NOW}, ${NOW} + $2, 'null')
           ON CONFLICT (subject_id, kind, id) DO UPDATE SET due_at = greatest(item.due_at, ${NOW}) + $2
             WHERE greatest(item.due_at, ${NOW}) + $2 - ${NOW} <= $3`,
          idOf(address),
          turn,
          period,
        );
        if (taken > 0) return sweep(connection);
        const fullIn = await fullAgainIn(connection, address);
        return Math.max(1, Math.ceil((fullIn + turn - period) / 1000));
      }),
    give: (address) =>
      database.session(async (connection) => {
        await connection.run(
          `UPDATE item SET due_at = due_at - $2 WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id = $1`,
          idOf(address),
          turn,
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

/** One that is counted this very moment is not full. */
async function sweep(connection: Connection): Promise<undefined> {
  await connection.run(
    `DELETE FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id = ANY (ARRAY(
       SELECT id FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND due_at <= ${NOW}
       ORDER BY due_at, id LIMIT ${SWEPT} FOR UPDATE SKIP LOCKED))`,
  );
}
