// check.json in a home: when all of records.db was last read, and the damage found since. Kept outside the database,
// which may be the damaged file.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Its name in a home. */
export const CHECK_FILE = "check.json";

export interface HomeCheck {
  /** When all rows were last found intact; null: never. */
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

/** The first finding stays until a full check finds nothing. */
export function noteDamage(home: string, what: string): void {
  const check = readCheck(home);
  if (check.damage === null) writeCheck(home, { ...check, damage: { foundAt: Date.now(), what } });
}

export const recordIntact = (home: string): void => writeCheck(home, { checkedAt: Date.now(), damage: null });

/** A disk that accepts no writes must not hide the finding itself: it is also thrown or logged. */
function writeCheck(home: string, check: HomeCheck): void {
  const path = join(home, CHECK_FILE);
  try {
    writeFileSync(`${path}.new`, JSON.stringify(check), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {}
}
