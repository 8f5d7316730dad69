// Guarantees of the engine itself: which reads leave the quick-read thread, and which callers are logged.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { declaration } from "../../test/non-interference/world.ts";
import { openSqliteStore, prepareHome } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import type { Credential } from "./caller.ts";
import { Engine } from "./engine.ts";
import { localHost } from "./local-host.ts";

const OWNER: Credential = { home: true };
const home = mkdtempSync(join(tmpdir(), "pdpp-engine-"));
let store: Store;
/** Like the quick-read thread, this engine has no columns. */
let quick: Engine;
let timed: string;
let whole: string;

beforeAll(async () => {
  prepareHome(home);
  store = openSqliteStore(home);
  quick = new Engine({ home, store, now: Date.now });
  const host = localHost(store, { home, persist: false });
  await host.call("putConnector", { connector_key: "world", declaration }, OWNER);
  const made = await host.call("createConnection", { connector_id: "world" }, OWNER);
  const { connection_id } = made;
  const grant = async (selection: object) =>
    (await host.call("issueGrant", { selections: [{ connection_id, stream: "items", ...selection }] }, OWNER))
      .access_token;
  timed = await grant({ since: "2024-01-01T00:00:00Z" });
  whole = await grant({});
});

afterAll(async () => {
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

const ask = async (token: string, query: object) =>
  (
    await quick.read([{ name: "records", query: { stream: "items", ...query }, credential: { token }, requestId: "r" }])
  )[0]!;

it("SECURITY row 21 reading a change feed with many hidden rows moves off the quick-read thread", async () => {
  expect(await ask(timed, { changes_since: "beginning" })).toEqual({ needsColumns: true });
  expect(await ask(whole, { changes_since: "beginning" })).toHaveProperty("body");
});

it("a page in the default order is a quick read, but a filtered page is not", async () => {
  expect(await ask(timed, {})).toHaveProperty("body");
  expect(await ask(whole, { filter: { kind: "red" } })).toEqual({ needsColumns: true });
});
