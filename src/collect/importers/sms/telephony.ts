// Converts rows of Android's mmssms.db to the format of a backup. Its columns have the same names as the backup's
// attributes.
import type { ForeignDatabase } from "../foreign-sqlite.ts";
import type { SmsElement } from "./elements.ts";

export const NEEDS = { sms: ["_id", "address", "date", "type", "body"] };

export function* storedMessages(
  database: ForeignDatabase,
  after: bigint,
): Generator<{ element: SmsElement; row: number }> {
  const rows = database.rows("SELECT _id, address, date, type, body FROM sms WHERE _id > ? ORDER BY _id", after);
  for (const { _id, ...columns } of rows) {
    const attributes = Object.fromEntries(
      Object.entries(columns).flatMap(([name, value]) =>
        typeof value === "string" || typeof value === "bigint" ? [[name, String(value)]] : [],
      ),
    );
    yield { element: { name: "sms", attributes, parts: [], addresses: [] }, row: Number(_id) };
  }
}

/** Counts MMS messages, whose text and files are stored elsewhere. */
export function hiddenCount({ tables, rows }: ForeignDatabase): number {
  if (!tables.has("pdu")) return 0;
  return Number(rows("SELECT count(*) AS count FROM pdu").next().value?.count ?? 0);
}
