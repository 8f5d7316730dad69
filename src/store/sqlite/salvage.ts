// Copies every row that can still be read from a damaged records.db into a new one, and lists the records that are
// lost.
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { prepareArrays, withTypedErrors } from "./database.ts";
import { columnsOf, defineSums, isWholeRow, SUMMED_TABLES, summedRow } from "./row-sums.ts";
import { MIGRATIONS, migrate } from "./schema.ts";

export interface LostRecord {
  stream_no: number;
  id: string;
  version: number;
}

export interface SalvagedRows {
  /** For each table, the rows that were copied, and the rows that do not match their checksum. */
  tables: Record<
    string,
    { copied: number; damaged: number /** True if some part of the table could not be read. */; partial: boolean }
  >;
  /** Records that are in an index but could not be read. */
  lost: LostRecord[];
}

type SalvagedRow = SQLInputValue[];

/** `from` must be a copy that nothing else has open. */
export function salvageRows(from: string, to: string): SalvagedRows {
  return withTypedErrors(() => {
    const source = new DatabaseSync(from, { timeout: 1000 });
    const target = new DatabaseSync(to);
    try {
      // Without a schema nothing can be read. That is an error, not an empty home.
      source.prepare("SELECT count(*) FROM sqlite_schema").get();
      defineSums(target);
      target.exec("PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
      migrate(target, MIGRATIONS.records);
      target.exec("BEGIN");
      const tables: SalvagedRows["tables"] = {};
      const versions = new Set<number>();
      for (const table of SUMMED_TABLES) tables[table] = copyTable(source, target, table, versions);
      const lost = lostRecords(source, versions);
      countAgain(target);
      target.exec("COMMIT; PRAGMA journal_mode = WAL");
      return { tables, lost };
    } finally {
      source.close();
      target.close();
    }
  });
}

function copyTable(
  source: DatabaseSync,
  target: DatabaseSync,
  table: string,
  versions: Set<number>,
): SalvagedRows["tables"][string] {
  const columns = columnsOf(table);
  const present = new Set(attempt(() => source.prepare(`PRAGMA table_info(${table})`).all())?.map((row) => row.name));
  const counts = { copied: 0, damaged: 0, partial: false };
  if (present.size === 0) return { ...counts, partial: true };
  // A home in an earlier format has fewer columns, and the first formats have no checksums.
  const picked = columns.map((column) => (present.has(column) ? column : "NULL")).join(", ");
  const values = Object.fromEntries(columns.map((column, at) => [column, `?${at + 1}`]));
  const insert = target.prepare(
    `INSERT OR REPLACE INTO ${table} (${columns.join(", ")}, sum)
     VALUES (${Object.values(values).join(", ")}, ${summedRow(table, values)})`,
  );
  const select = `SELECT ${picked}, ${present.has("sum") ? "sum" : "NULL"} FROM ${table}`;
  const seen = new Set<string>();
  const take = (found: SalvagedRow): void => {
    const [cells, sum] = [found.slice(0, -1), found.at(-1)];
    const key = table === "record" ? String(cells[0]) : JSON.stringify(cells);
    if (seen.has(key)) return;
    seen.add(key);
    const isWhole = sum === null || isWholeRow(table, sum, cells);
    if (isWhole && attempt(() => insert.run(...cells)) !== undefined) counts.copied++;
    else counts.damaged++;
    if (isWhole && table === "record") versions.add(cells[0] as number);
  };
  if (table === "record") counts.partial = !readEach(source, select, take);
  // Read from both ends, to get the rows before and after a damaged page.
  else
    for (const order of ["", " DESC"])
      counts.partial = !readAll(source, select + orderOf(source, table, order), take) || counts.partial;
  return counts;
}

function orderOf(source: DatabaseSync, table: string, direction: string): string {
  const key = source
    .prepare(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`)
    .all(table)
    .map(({ name }) => `${name as string}${direction}`);
  return ` ORDER BY ${key.join(", ")}`;
}

/** Reads up to the first page that cannot be read. Returns false if there is one. */
function readAll(source: DatabaseSync, sql: string, take: (row: SalvagedRow) => void): boolean {
  try {
    for (const row of prepareArrays(source, sql).iterate()) take(row as unknown as SalvagedRow);
    return true;
  } catch {
    return false;
  }
}

/** Reads each version separately, so that a damaged page loses only the records on it. */
function readEach(source: DatabaseSync, select: string, take: (row: SalvagedRow) => void): boolean {
  const point = prepareArrays(source, `${select} WHERE version = ?`);
  let whole = true;
  const last = lastVersion(source);
  for (let version = 1; version <= last; version++) {
    try {
      const row = point.get(version);
      if (row !== undefined) take(row as unknown as SalvagedRow);
    } catch {
      whole = false;
    }
  }
  return whole;
}

/** Returns the largest version found in any part of the file. */
function lastVersion(source: DatabaseSync): number {
  const asked = [
    "SELECT value FROM meta WHERE key = 'version'",
    "SELECT max(version) FROM record",
    "SELECT max(+version) FROM record INDEXED BY record_by_version WHERE stream_no > 0",
  ];
  const found = asked.map((sql) => Number(attempt(() => Object.values(source.prepare(sql).get() ?? {})[0]) ?? 0));
  return Math.max(...found.filter((version) => Number.isSafeInteger(version)));
}

/** The index by id is in another part of the file, so it lists even records whose own page is damaged. */
function lostRecords(source: DatabaseSync, versions: ReadonlySet<number>): LostRecord[] {
  const lost = new Map<number, LostRecord>();
  for (const direction of ["", " DESC"])
    readAll(
      source,
      `SELECT stream_no, id, version FROM record INDEXED BY record_by_id ORDER BY stream_no${direction}, id${direction}`,
      ([stream_no, id, version]) => {
        if (!versions.has(version as number)) lost.set(version as number, { stream_no, id, version } as LostRecord);
      },
    );
  return [...lost.values()].sort((a, b) => a.version - b.version);
}

/** Recomputes the values that depend on the number of records. */
function countAgain(target: DatabaseSync): void {
  target.exec(`UPDATE stream SET live = (SELECT count(*) FROM record WHERE record.stream_no = stream.stream_no AND data IS NOT NULL);
    UPDATE stream SET sum = ${summedRow("stream")};
    UPDATE meta SET value = max(value, (SELECT coalesce(max(version), 0) FROM record)) WHERE key = 'version';
    UPDATE meta SET sum = ${summedRow("meta")}`);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
