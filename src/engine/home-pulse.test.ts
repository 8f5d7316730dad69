// A commit of any process is felt, and nothing else is.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pdpp } from "../../test/pdpp.ts";
import { openSqliteStore, prepareHome } from "../store/sqlite/sqlite-store.ts";
import { homePulse } from "./home-pulse.ts";

it("changes with every commit, of this process or of a command, once it can be seen, and with no read", async () => {
  const home = join(mkdtempSync(join(tmpdir(), "postern-pulse-")), "home");
  prepareHome(home);
  expect(homePulse(home)).toBe(homePulse(home));
  const store = openSqliteStore(home);
  const subject = await store.read((view) => view.subject());
  const felt = new Set<string>();
  for (let n = 0; n < 200; n++) {
    await store.write((view) => view.putState(subject, "cin_1", { n }, n));
    felt.add(homePulse(home));
    await store.read((view) => view.state(subject, "cin_1"));
    expect(felt.has(homePulse(home))).toBe(true);
  }
  expect(felt.size).toBe(200);
  const before = homePulse(home);
  const run = await pdpp(["events", "allow", "127.0.0.1", "--home", home]);
  expect([run.code, homePulse(home) === before]).toEqual([0, false]);
  await store.close();
  rmSync(join(home, ".."), { recursive: true, force: true });
});
