// Benchmark homes: created in the temporary folder, filled over HTTP, and kept only with --keep.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localHost } from "../src/engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../src/store/sqlite/sqlite-store.ts";
import { CONNECTOR, DECLARATION } from "./data.ts";
import { SIZES, type SizeName } from "./options.ts";

export interface BenchHome {
  name: SizeName;
  records: number;
  path: string;
  /** True if an earlier run with --keep filled it. */
  reused: boolean;
}

const folder = join(tmpdir(), "postern-bench");

export function benchFolder(name: string): string {
  return join(folder, name);
}

export function openHome(name: SizeName, keep: boolean, folderName: string = name): BenchHome {
  const path = benchFolder(folderName);
  const reused = keep && existsSync(join(path, "filled"));
  if (!reused) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { recursive: true });
  }
  return { name, records: SIZES[name], path, reused };
}

/** Registers the source and opens one connection. */
export async function declareSource(home: string): Promise<void> {
  prepareHome(home);
  const host = localHost(openSqliteStore(home), { home, persist: false });
  const owner = { home: true } as const;
  await host.call("putConnector", { connector_key: CONNECTOR, declaration: DECLARATION }, owner);
  await host.call("createConnection", { connector_id: CONNECTOR }, owner);
  await host.close();
}

export const markFilled = (home: string): void => writeFileSync(join(home, "filled"), "");

export function dropHomes(): void {
  rmSync(folder, { recursive: true, force: true });
}

export function folderBytes(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
