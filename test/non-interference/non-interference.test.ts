// P-02, row 10 of the threat table: what a grant hides influences nothing that it shows.
import { expect, test } from "vitest";
import { compareWorlds } from "./compare.ts";
import { overHttp } from "./over-http.ts";
import { overMcp } from "./over-mcp.ts";
import { inProcess } from "./reader.ts";

const seed = Number(process.env.PDPP_SEED ?? Date.now() % 1_000_000_000);

test("G-01 P-02 row 10 no call under a grant differs from the same call in a world where the hidden data does not exist (engine)", async () => {
  const { cases, difference } = await compareWorlds({
    seed,
    worlds: 8,
    grantsPerWorld: 4,
    callsPerGrant: 20,
    connect: async (reality, token) => ({ ask: inProcess(reality, token), close: async () => undefined }),
  });
  expect(difference, `PDPP_SEED=${seed}`).toBeUndefined();
  expect(cases).toBeGreaterThanOrEqual(1100);
});

test("G-01 P-02 row 10 no call under a grant differs from the same call in a world where the hidden data does not exist (REST)", async () => {
  const { cases, difference } = await compareWorlds({
    seed: seed + 1,
    worlds: 2,
    grantsPerWorld: 3,
    callsPerGrant: 22,
    connect: overHttp,
  });
  expect(difference, `PDPP_SEED=${seed}`).toBeUndefined();
  expect(cases).toBeGreaterThanOrEqual(190);
});

test("G-01 P-02 row 10 no tool call under a grant differs from the same call in a world where the hidden data does not exist (MCP)", async () => {
  const { cases, difference } = await compareWorlds({
    seed: seed + 2,
    worlds: 2,
    grantsPerWorld: 3,
    callsPerGrant: 22,
    connect: overMcp,
  });
  expect(difference, `PDPP_SEED=${seed}`).toBeUndefined();
  expect(cases).toBeGreaterThanOrEqual(190);
});
