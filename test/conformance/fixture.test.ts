// The server factory under the official suite: every scenario that a revision requires, on a server with the suite's
// fixtures.
import { devNull } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFixtureServer } from "./fixture-server.ts";
import { REVISIONS, runSuite } from "./suite.ts";

let fixture: Awaited<ReturnType<typeof startFixtureServer>>;

beforeAll(async () => {
  fixture = await startFixtureServer();
});
afterAll(() => fixture.close());

test.each(REVISIONS)("X-02 every required server scenario of %s passes without a warning", async (revision) => {
  expect(await runSuite(fixture.url, revision, devNull)).toEqual({
    exitCode: 0,
    unexpected: [],
    stale: [],
    excused: [],
  });
});
