// Migrates a record's history: the emission time of every change becomes its import time.
import type { DatabaseSync } from "node:sqlite";
import type { History, Stamp } from "../../core/history.ts";

/** Defines the SQL function `emitted_when_ingested(history)`. */
export function defineEmissionMigration(database: DatabaseSync): void {
  database.function("emitted_when_ingested", { deterministic: true }, (text) =>
    typeof text === "string" ? JSON.stringify(corrected(JSON.parse(text) as History)) : null,
  );
}

function corrected({ fields, life }: History): History {
  return {
    fields: Object.fromEntries(Object.entries(fields).map(([name, stamp]) => [name, dated(stamp)])),
    life: life.map(([stamp, ...rest]) => [dated(stamp), ...rest]),
  };
}

const dated = ([version, , ingestedAt, origin]: Stamp): Stamp => [version, ingestedAt, ingestedAt, origin];
