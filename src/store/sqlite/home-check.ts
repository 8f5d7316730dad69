// check.json in a home stores when all of records.db was last checked, and any damage found since. It is kept outside
// the database, because that may be the damaged file.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The file's name in a home. */
export const CHECK_FILE = "check.json";

export interface HomeCheck {
  /** When all rows were last found intact. Null if never. */
  checkedAt: number | null;
  damage: { foundAt: number; what: string } | null;
}

export function readCheck(home: string): HomeCheck {
  try {
    return JSON.parse(readFileSync(join(home, CHECK_FILE), "utf8")) as HomeCheck;
  } catch {
    return { checkedAt: null, damage: null };
  }
}

/** Keeps the first finding until a full check finds nothing. */
export function noteDamage(home: string, what: string): void {
  const check = readCheck(home);
  if (check.damage === null) writeCheck(home, { ...check, damage: { foundAt: Date.now(), what } });
}

export const recordIntact = (home: string): void => writeCheck(home, { checkedAt: Date.now(), damage: null });

/** Ignores a disk that refuses the write, because the finding itself is also thrown or logged. */
function writeCheck(home: string, check: HomeCheck): void {
  const path = join(home, CHECK_FILE);
  try {
    writeFileSync(`${path}.new`, JSON.stringify(check), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {}
}
