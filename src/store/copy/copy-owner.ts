// Copies an owner from one place to another, and proves with digests that both have the same data.
import { createHash } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import type { HomeLocation } from "../place.ts";
import { readDatabase, writeDatabase } from "./postgres-owner.ts";
import { readHome, writeHome } from "./sqlite-owner.ts";
import { type CopiedTable, type OwnerReader, type OwnerWriter, TABLES } from "./tables.ts";

export interface TableDigest {
  table: string;
  rows: number;
  /** A digest of all rows in table order, the same on every engine. */
  sha256: string;
}

/** Reports how many rows of a table are done. */
export type CopyProgress = (step: "copying" | "comparing", table: string, rows: number) => void;

/** With `unserved`, refuses if a server is running for this owner in the database. For a home, the lock does that. */
export const readOwner = <T>(
  { home, database }: HomeLocation,
  work: (owner: OwnerReader) => Promise<T>,
  options: { unserved?: boolean } = {},
): Promise<T> =>
  database === undefined ? readHome(home, work) : readDatabase(database.url, database.subject, work, options);

/** Returns the result of `work` once everything is committed. If `work` throws, nothing is written. */
export const writeOwner = <T>(
  { home, database }: { home: string; database?: { url: string; name?: string } },
  subject: string,
  work: (owner: OwnerWriter) => Promise<T>,
): Promise<T> => (database === undefined ? writeHome(home, subject, work) : writeDatabase(database, subject, work));

export async function copyTables(from: OwnerReader, to: OwnerWriter, onProgress: CopyProgress): Promise<void> {
  for (const table of TABLES) {
    let rows = 0;
    for await (const batch of from.batches(table)) {
      await to.put(table, batch);
      rows += batch.length;
      onProgress("copying", table.name, rows);
    }
  }
}

/** Reads both sides again and compares their digests. */
export async function proveEqual(from: OwnerReader, to: OwnerReader, onProgress: CopyProgress): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const table of TABLES) {
    const count = (rows: number): void => onProgress("comparing", table.name, rows);
    const [there, here] = [await digestOf(from, table, count), await digestOf(to, table, count)];
    if (there.sha256 !== here.sha256 || there.rows !== here.rows) {
      throw new PdppError(
        "store_unavailable",
        `${table.name} differs between the source and the target: ${there.rows} rows became ${here.rows}, or some rows differ`,
        { next_step: "Nothing was kept at the target, and the source is unchanged. Run `pdpp doctor` on the source." },
      );
    }
    digests.push(there);
  }
  return digests;
}

async function digestOf(owner: OwnerReader, table: CopiedTable, count: (rows: number) => void): Promise<TableDigest> {
  const digest = createHash("sha256");
  let rows = 0;
  for await (const batch of owner.batches(table)) {
    for (const row of batch) digest.update(`${JSON.stringify(row)}\n`);
    rows += batch.length;
    count(rows);
  }
  return { table: table.name, rows, sha256: digest.digest("hex") };
}
