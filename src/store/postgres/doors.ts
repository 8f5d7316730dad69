// How often one address may try at the doors of all owners of a database, whichever server it meets: by the database's clock.
import { createHash } from "node:crypto";
import type { Turns } from "../../core/turns.ts";
import type { Database } from "./connection.ts";
import { EVERYBODY } from "./directory.ts";
import { NOW } from "./owners.ts";

/** Those that are full again and go with each turn: more than it adds. */
const SWEPT = 20;

/** Addresses are of nobody's interest later. */
const idOf = (address: string): string => createHash("sha256").update(address).digest("base64url");

/** One row says all of an address: when its turns will be full again (core/turns.ts). Answers how many seconds to wait, if so. */
export function takeDoorTurn(
  database: Database,
  address: string,
  { points, seconds }: Turns,
): Promise<number | undefined> {
  const period = seconds * 1000;
  const turn = period / points;
  return database.session(async (connection) => {
    const taken = await connection.run(
      `INSERT INTO item (subject_id, kind, id, created_at, due_at, body)
       VALUES ('${EVERYBODY}', 'door', $1, ${NOW}, ${NOW} + $2, 'null')
       ON CONFLICT (subject_id, kind, id) DO UPDATE SET due_at = greatest(item.due_at, ${NOW}) + $2
         WHERE greatest(item.due_at, ${NOW}) + $2 - ${NOW} <= $3`,
      idOf(address),
      turn,
      period,
    );
    if (taken === 0) {
      const row = await connection.row(
        `SELECT due_at - ${NOW} FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id = $1`,
        idOf(address),
      );
      return Math.max(1, Math.ceil((((row?.[0] as number | undefined) ?? 0) + turn - period) / 1000));
    }
    await connection.run(
      `DELETE FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id IN (
         SELECT id FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND due_at <= ${NOW} LIMIT ${SWEPT})`,
    );
    return undefined;
  });
}

export async function giveDoorTurn(database: Database, address: string, { points, seconds }: Turns): Promise<void> {
  await database.session((connection) =>
    connection.run(
      `UPDATE item SET due_at = due_at - $2 WHERE subject_id = '${EVERYBODY}' AND kind = 'door' AND id = $1`,
      idOf(address),
      (seconds * 1000) / points,
    ),
  );
}
