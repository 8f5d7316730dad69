// The facts about a home that every read needs first: its owner, and the counters in `meta`.
import type { DatabaseSync } from "node:sqlite";
import type { ReadView } from "../store.ts";
import { prepareArrays } from "./database.ts";
import { erasFrom } from "./maintenance.ts";
import { metaValue, required, sound } from "./row-sums.ts";

export function headReads(database: DatabaseSync): Pick<ReadView, "epoch" | "version" | "eras" | "subject"> {
  const meta = (key: string) => prepareArrays(database, `SELECT value, sum FROM meta WHERE key = '${key}'`);
  const [epoch, version, eras] = [meta("epoch"), meta("version"), meta("eras")];
  const subject = database.prepare(`SELECT subject_id FROM subject WHERE ${sound("subject")} ORDER BY rowid LIMIT 1`);
  return {
    epoch: () => metaValue(epoch.get(), "epoch") as number,
    version: () => metaValue(version.get(), "version") as number,
    eras() {
      const row = eras.get();
      return erasFrom(row === undefined ? undefined : (metaValue(row, "eras") as string));
    },
    subject: () => required(subject.get(), "the owner").subject_id as string,
  };
}
