// D-03: a call's effects happen after the commit and before the response, and a call that fails has no effects.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BOOKS, library } from "../../test/library.ts";
import { openSqliteStore, prepareHome } from "../store/sqlite/sqlite-store.ts";
import type { EffectHandlers, Services } from "./calls/services.ts";
import type { EngineHost } from "./host.ts";
import { localHost } from "./local-host.ts";
import { servedHost } from "./served-host.ts";

const OWNER = { home: true } as const;
let home: string;
/** Two stores on one home. The second sees a write by the first once it is committed. */
let inner: EngineHost;
let other: EngineHost;
let connection_id: string;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "postern-effects-"));
  prepareHome(home);
  inner = localHost(openSqliteStore(home), { home, persist: false });
  other = localHost(openSqliteStore(home), { home, persist: false });
  await inner.call("putConnector", { connector_key: "library", declaration: library }, OWNER);
  ({ connection_id } = await inner.call("createConnection", { connector_id: "library" }, OWNER));
  const text = BOOKS.map((line) => `${JSON.stringify(line)}\n`).join("");
  await inner.call("ingest", { stream: "books", connection_id, text }, OWNER);
});
afterEach(async () => {
  await inner.close();
  await other.close();
  rmSync(home, { recursive: true, force: true });
});

const served = (...handlers: EffectHandlers[]): EngineHost => servedHost(inner, {} as Services, handlers);

it("D-03 effects see the committed write, run in order, and finish before the call returns", async () => {
  const seen: [string, number][] = [];
  const connections = async (): Promise<number> => (await other.call("connections", {}, OWNER)).data.length;
  const noting =
    (name: string) =>
    async (query: unknown): Promise<void> => {
      expect(query).toEqual({ connection_id });
      seen.push([name, await connections()]);
    };
  const host = served(
    { removesConnector: noting("connector") },
    { endsExports: noting("exports"), endsEvents: noting("events") },
  );
  expect(await connections()).toBe(1);
  await host.call("deleteConnection", { connection_id }, OWNER);
  expect(seen).toEqual([
    ["events", 0],
    ["exports", 0],
    ["connector", 0],
  ]);
});

it("D-03 a call that fails has no effects, and does not add effects to other calls", async () => {
  const seen: string[] = [];
  const host = served({ endsEvents: () => void seen.push("events"), endsExports: () => void seen.push("exports") });
  await expect(host.call("deleteConnection", { connection_id: "cin_unknown" }, OWNER)).rejects.toMatchObject({
    code: "connection_not_found",
  });
  await host.call("renameConnection", { connection_id, display_name: "Shelf" }, OWNER);
  expect(seen).toEqual([]);
});
