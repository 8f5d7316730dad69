// The owner's password and sessions in the engine: a change ends every session, and only one of two concurrent changes succeeds.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { EngineHost } from "../host.ts";
import { localHost } from "../local-host.ts";

const OWNER = { home: true } as const;
let home: string;
let host: EngineHost;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "pdpp-owner-"));
  prepareHome(home);
  host = localHost(openSqliteStore(home), { home, persist: false });
  await host.call("putSetupCode", { code: "code" }, OWNER);
  await host.call("setOwner", { code: "code", name: "Nora", password: "first" }, OWNER);
});
afterEach(async () => {
  await host.close();
  rmSync(home, { recursive: true });
});

const open = async (label: string): Promise<string> => (await host.call("openSession", { label }, OWNER)).session;
const sessions = async (): Promise<{ session_id: string; opened_with: string }[]> =>
  (await host.call("sessions", {}, OWNER)).data;
const labels = async (): Promise<string[]> => (await sessions()).map(({ opened_with }) => opened_with).sort();

it("P-06 changing the password ends every session, and keeps the name", async () => {
  const token = await open("one");
  await open("two");
  await host.call("changePassword", { password: "second", replaces: "first" }, { token });
  expect(await sessions()).toEqual([]);
  const account = await host.call("ownerAccount", {}, OWNER);
  expect(account).toMatchObject({ name: "Nora", password: "second" });
});

it("P-06 only one of two concurrent changes succeeds, because the other was verified against the old password", async () => {
  await host.call("changePassword", { password: "second", replaces: "first" }, OWNER);
  const late = host.call("changePassword", { password: "third", replaces: "first" }, OWNER);
  await expect(late).rejects.toMatchObject({ code: "authentication_error" });
});

it("P-06 a sign-in that was verified against the old password opens no session", async () => {
  await host.call("changePassword", { password: "second", replaces: "first" }, OWNER);
  const late = host.call("openSession", { label: "a thief", checked: "first" }, OWNER);
  await expect(late).rejects.toMatchObject({ code: "authentication_error" });
  expect(await sessions()).toEqual([]);
  await host.call("openSession", { label: "the owner", checked: "second" }, OWNER);
  expect(await labels()).toEqual(["the owner"]);
});

it("P-06 all sessions but one can be ended, or a single one by its id, and an unknown id is reported", async () => {
  for (const label of ["a", "b", "c"]) await open(label);
  const kept = (await sessions()).find(({ opened_with }) => opened_with === "b")!.session_id;
  await host.call("endSessions", { id: "all", except: kept }, OWNER);
  expect(await labels()).toEqual(["b"]);
  await open("d");
  await host.call("endSessions", { id: kept }, OWNER);
  expect(await labels()).toEqual(["d"]);
  await expect(host.call("endSessions", { id: kept }, OWNER)).rejects.toMatchObject({ code: "not_found" });
});
