// D-03: every effect that a call declares is handled by a service of the serving process.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestServer, testServer } from "../../test/harness.ts";
import { CALLS, type CallName, callNamed } from "../engine/calls/calls.ts";

let folder: string;
let server: TestServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "postern-handlers-"));
  server = await testServer({ home: folder });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

it("D-03 every effect that a call declares has a handler, and every handler handles a declared effect", () => {
  const names = Object.keys(CALLS) as CallName[];
  const declared = new Set(names.flatMap((name) => callNamed(name).effects ?? []));
  const handled = new Set(Object.values(server.jobs).flatMap(({ effects }) => Object.keys(effects)));
  // The engine's threads wait for running reads themselves (src/engine/threads/threaded-host.ts).
  declared.delete("endsAccess");
  expect([...handled].sort()).toEqual([...declared].sort());
});
