// The owner for the PostgreSQL benchmarks: a new database for each run, filled through the engine with the benchmark's
// records.
import { mkdirSync, rmSync } from "node:fs";
import type { IssuedGrant } from "../src/contract/grant.ts";
import type { EngineHost } from "../src/engine/host.ts";
import { localHost } from "../src/engine/local-host.ts";
import type { DatabasePlace } from "../src/store/place.ts";
import { openStore } from "../src/store/place.ts";
import { Database } from "../src/store/postgres/connection.ts";
import { putOwner } from "../src/store/postgres/postgres-store.ts";
import { prepareDatabase } from "../src/store/postgres/prepare.ts";
import { startCluster } from "../test/postgres.ts";
import { CONNECTOR, DECLARATION, lineOf, recordAt, STREAM } from "./data.ts";
import { benchFolder } from "./home.ts";
import { SIZES, type SizeName } from "./options.ts";

export const OWNER = { home: true } as const;

export interface PostgresHome {
  name: SizeName;
  records: number;
  /** Total size of the records' `data` alone. */
  jsonBytes: number;
  /** The local directory with the files that belong to this machine. */
  path: string;
  database: DatabasePlace;
  close(): Promise<void>;
}

const BATCH = 1600;

/** Opens the home with PostgreSQL's defaults: every commit is synced. */
export async function openPostgresHome(name: SizeName, folder: string): Promise<PostgresHome> {
  const path = benchFolder(`${folder}-${name}`);
  mkdirSync(path, { recursive: true });
  const cluster = await startCluster({ durable: true });
  const records = SIZES[name];
  const database = await prepareDatabase(cluster.url);
  const host = await openPostgresEngine({ path, database });
  await declare(host);
  let jsonBytes = 0;
  for (let start = 0; start < records; start += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, records - start) }, (_, at) => recordAt(start + at, records));
    for (const { data } of some) jsonBytes += data.length;
    await host.call("ingest", { stream: STREAM, text: some.map(lineOf).join("") }, OWNER);
  }
  await host.close();
  await runSql(database.url, "VACUUM ANALYZE");
  return {
    name,
    records,
    jsonBytes,
    path,
    database,
    async close() {
      await cluster.remove();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

async function declare(host: EngineHost): Promise<void> {
  await host.call("putConnector", { connector_key: CONNECTOR, declaration: DECLARATION }, OWNER);
  await host.call("createConnection", { connector_id: CONNECTOR }, OWNER);
}

/** The engine in this thread, with columns and search. */
export async function openPostgresEngine({ path, database }: Pick<PostgresHome, "path" | "database">) {
  return localHost(await openStore({ home: path, database }), { home: path, persist: true });
}

/** Issues a grant on everything. */
export async function issueGrant(host: EngineHost): Promise<IssuedGrant> {
  return await host.call("issueGrant", { all: true }, OWNER);
}

/** Adds owners with a source, a connection and a grant but no records; returns the bytes per owner. */
export async function bytesPerOwner({ path, database: { url } }: PostgresHome, owners: number): Promise<number> {
  const database = new Database(url);
  const before = await tableBytes(url);
  for (let count = 0; count < owners; count++) {
    const subject = await database.session((connection) => putOwner(connection));
    const host = await openPostgresEngine({ path, database: { url, subject } });
    await declare(host);
    await issueGrant(host);
    await host.close();
  }
  await database.close();
  const after = await tableBytes(url);
  return (after.other + after.audit - before.other - before.audit) / owners;
}

const GROUPS = {
  record: "relname = 'record'",
  projections: "relname IN ('segment', 'manifest')",
  audit: "relname LIKE 'audit%'",
  other: "relname NOT LIKE 'audit%' AND relname NOT IN ('record', 'segment', 'manifest')",
};

/** Counts the bytes of tables with their indexes and TOAST data, excluding reusable space. */
export async function tableBytes(url: string): Promise<Record<keyof typeof GROUPS, number>> {
  await runSql(url, "VACUUM");
  const sums = Object.values(GROUPS).map((where) => `sum(pg_total_relation_size(oid)) FILTER (WHERE ${where})`);
  const [row] = await runSql(
    url,
    `SELECT ${sums} FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE 'bench%'`,
  );
  return Object.fromEntries(Object.keys(GROUPS).map((name, at) => [name, Number(row![at])])) as never;
}

export async function runSql(url: string, sql: string): Promise<unknown[][]> {
  const database = new Database(url, { connections: 1 });
  try {
    return await database.session((connection) => connection.script(sql));
  } finally {
    await database.close();
  }
}
