// A command's engine in a thread behaves like the one in the command's own thread, including failures, and its log
// stays bounded.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { declaration } from "../../../test/non-interference/world.ts";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import { openHome } from "../home.ts";

const OWNER = { home: true } as const;
let home: string;
const notes: string[] = [];
const note = (text: string): void => void notes.push(text);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "postern-command-"));
  prepareHome(home);
  notes.length = 0;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it("succeeds and fails like the engine in this thread, and keeps written data", async () => {
  const thread = openHome(home, { bulk: true, note });
  await thread.call("putConnector", { connector_key: "world", declaration }, OWNER);
  const failure = await thread.call("import", { id: "job_none" }, OWNER).catch((error: unknown) => error);
  const said = await thread.callText("connectors", {}, OWNER);
  await thread.close();
  await expect(thread.call("connectors", {}, OWNER)).rejects.toMatchObject({ code: "store_unavailable" });
  const local = openHome(home, { note });
  expect(await local.callText("connectors", {}, OWNER)).toBe(said);
  expect(said).toContain("world");
  expect(failure).toMatchObject({ code: "not_found" });
  await expect(local.call("import", { id: "job_none" }, OWNER)).rejects.toThrow((failure as Error).message);
  await local.close();
  expect(notes).toEqual([]);
});

it("checkpoints its log when it has grown, even during writes that are not individually synced", async () => {
  const store = openSqliteStore(home, { logPages: 100, alone: true });
  const subject = await store.read((view) => view.subject());
  const long = "x".repeat(20_000);
  for (let n = 0; n < 200; n++) {
    await store.write((view) => view.putState(subject, "cin_1", { [`k${n % 7}`]: `${n}${long}` }, n), {
      redoable: n % 5 !== 0,
    });
  }
  expect(statSync(join(home, "records.db-wal")).size).toBeLessThan(4 * 1024 * 1024);
  await store.close();
  const again = openSqliteStore(home);
  const { state } = await again.read((view) => view.state(subject, "cin_1"));
  expect(Object.values(state).map((value) => Number.parseInt(String(value), 10))).toEqual(
    expect.arrayContaining([199, 198, 197, 196, 195, 194, 193]),
  );
  await again.close();
});
