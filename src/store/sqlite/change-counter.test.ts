// Every commit by any process changes the counter, and nothing else does.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pdpp } from "../../../test/pdpp.ts";
import { openChangeCounter } from "./change-counter.ts";
import { openSqliteStore, prepareHome } from "./sqlite-store.ts";

it("changes with every visible commit, by this process or by a command, and never with a read", async () => {
  const home = join(mkdtempSync(join(tmpdir(), "postern-change-counter-")), "home");
  prepareHome(home);
  const changes = openChangeCounter(home);
  expect(changes.read()).toBe(changes.read());
  const store = openSqliteStore(home);
  const subject = await store.read((view) => view.subject());
  const lastChange = new Set<number>();
  for (let n = 0; n < 200; n++) {
    await store.write((view) => view.putState(subject, "cin_1", { n }, n));
    lastChange.add(changes.read());
    await store.read((view) => view.state(subject, "cin_1"));
    expect(lastChange.has(changes.read())).toBe(true);
  }
  expect(lastChange.size).toBe(200);
  const before = changes.read();
  const run = await pdpp(["owner", "token", "--home", home]);
  expect([run.code, changes.read() === before]).toEqual([0, false]);
  changes.close();
  await store.close();
  rmSync(join(home, ".."), { recursive: true, force: true });
});
