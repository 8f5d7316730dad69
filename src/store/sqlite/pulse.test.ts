// A commit of any process is felt, and nothing else is.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pdpp } from "../../../test/pdpp.ts";
import { openPulse } from "./pulse.ts";
import { openSqliteStore, prepareHome } from "./sqlite-store.ts";

it("changes with every commit, of this process or of a command, once it can be seen, and with no read", async () => {
  const home = join(mkdtempSync(join(tmpdir(), "postern-pulse-")), "home");
  prepareHome(home);
  const pulse = openPulse(home);
  expect(pulse.feel()).toBe(pulse.feel());
  const store = openSqliteStore(home);
  const subject = await store.read((view) => view.subject());
  const felt = new Set<number>();
  for (let n = 0; n < 200; n++) {
    await store.write((view) => view.putState(subject, "cin_1", { n }, n));
    felt.add(pulse.feel());
    await store.read((view) => view.state(subject, "cin_1"));
    expect(felt.has(pulse.feel())).toBe(true);
  }
  expect(felt.size).toBe(200);
  const before = pulse.feel();
  const run = await pdpp(["owner", "token", "--home", home]);
  expect([run.code, pulse.feel() === before]).toEqual([0, false]);
  pulse.close();
  await store.close();
  rmSync(join(home, ".."), { recursive: true, force: true });
});
