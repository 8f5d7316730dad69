// DuckDB compared with our columns. It is downloaded into a temporary folder on request, because it is too large to be
// a dependency.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { recordAt } from "../data.ts";
import { type BenchHome, benchFolder } from "../home.ts";

export interface Duck {
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[] }>;
  closeSync(): void;
}

export async function openDuck({ name, records }: BenchHome): Promise<Duck> {
  const folder = join(tmpdir(), "postern-bench-duckdb");
  const entry = join(folder, "node_modules", "@duckdb", "node-api", "lib", "index.js");
  if (!existsSync(entry)) {
    process.stderr.write("Installing @duckdb/node-api in a temporary folder\n");
    mkdirSync(folder, { recursive: true });
    const done = spawnSync(
      "npm",
      ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", "@duckdb/node-api"],
      { stdio: ["ignore", 2, 2] },
    );
    if (done.status !== 0) throw new Error("DuckDB could not be installed");
  }
  const module = (await import(pathToFileURL(entry).href)) as {
    DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
  };
  const connection = await (await module.DuckDBInstance.create(":memory:")).connect();
  const file = benchFolder(`duck-${name}.ndjson`);
  rmSync(file, { force: true });
  for (let start = 0; start < records; start += 10_000) {
    const end = Math.min(records, start + 10_000);
    const lines = Array.from({ length: end - start }, (_, index) => recordAt(start + index, records).data);
    writeFileSync(file, `${lines.join("\n")}\n`, { flag: "a" });
  }
  await connection.run(
    `CREATE TABLE record AS SELECT id, account, category, amount::DOUBLE AS amount, booked_at::TIMESTAMP AS booked_at
     FROM read_json('${file}', format = 'newline_delimited', columns = {id: 'VARCHAR', account: 'VARCHAR', category: 'VARCHAR', amount: 'DOUBLE', booked_at: 'TIMESTAMP'})`,
  );
  rmSync(file);
  return {
    async run(sql) {
      (await connection.runAndReadAll(sql)).getRows();
    },
    async close() {
      connection.closeSync();
    },
  };
}
