// P-05: the conformance kit finds a connector's mistakes and says where they are.
import { expect, it } from "vitest";
import { type ConformanceCheck, testConnector } from "../../src/collect/connectors/conformance.ts";
import { locateConnector } from "../../src/collect/connectors/manifest-file.ts";
import { hostileFolder, SECRET } from "./hostile-connector.ts";

async function failing(mode: string): Promise<Record<string, string>> {
  const connector = await locateConnector(hostileFolder(mode, { limits: { silence_seconds: 2 } }));
  const checks = await testConnector({ connector, settings: {}, secrets: { password: SECRET } });
  const failed = (check: ConformanceCheck): boolean => check.status === "fail";
  return Object.fromEntries(checks.filter(failed).map(({ name, reason }) => [name, reason]));
}

it("P-05 a connector that follows the rules passes", async () => {
  expect(await failing("good")).toEqual({});
});

it.each([
  ["lies-about-count", "DONE is last and counts correctly", /DONE reports 7 records, but it sent 1/],
  [
    "breaks-schema",
    "records match the declaration",
    /10 of 10 records were refused; line 1: data\/text is not of type string/,
  ],
  ["unstable-keys", "keys stay the same", /1 of 1 records have keys/],
  ["deletes", "cursors are sent", /no STATE/],
  ["ignores-sigterm", "ends on SIGTERM", /had to be killed/],
  ["prints-secret", "no secret is printed", /stdout and stderr|stderr and stdout/],
  ["crash-midway", "a full refresh succeeds", /exit code 3 after line 6/],
])("P-05 %s: %s", async (mode, name, reason) => {
  expect((await failing(mode))[name.replaceAll("\\", "")]).toMatch(reason);
});
