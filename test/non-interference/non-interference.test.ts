// P-02, row 10 of the threat table: data that a grant hides does not influence anything that the grant shows.
import { expect, test } from "vitest";
import { meaningService } from "../../src/engine/meaning/meaning-service.ts";
import { embeddingServer } from "../embedding-server.ts";
import { compareWorlds } from "./compare.ts";
import { overHttp } from "./over-http.ts";
import { overMcp } from "./over-mcp.ts";
import { inProcess, type Reality } from "./reader.ts";

const seed = Number(process.env.PDPP_SEED ?? Date.now() % 1_000_000_000);

test("G-01 P-02 row 10 every call under a grant returns the same as in a world where the hidden data does not exist (engine)", async () => {
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

test("G-01 P-02 row 10 every call under a grant returns the same as in a world where the hidden data does not exist (REST)", async () => {
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

test("G-01 P-02 row 10 every tool call under a grant returns the same as in a world where the hidden data does not exist (MCP)", async () => {
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

const OWNER = { home: true } as const;

/** Waits until the model has indexed everything. */
async function readByModel({ host }: Reality, url: string): Promise<void> {
  await host.call("setSearchModel", { url, name: "world" }, OWNER);
  const failures: string[] = [];
  const changes = { read: () => 0, close: () => undefined };
  const service = meaningService({ host, changes, log: (text) => failures.push(text) });
  service.begin(OWNER);
  await service.idle();
  await service.close();
  expect(failures).toEqual([]);
}

test("R-07 P-02 row 10 every search by words and meaning returns the same as in a world where the hidden data does not exist", async () => {
  const endpoint = await embeddingServer();
  try {
    const { cases, difference } = await compareWorlds({
      seed: seed + 3,
      worlds: 3,
      grantsPerWorld: 3,
      callsPerGrant: 20,
      only: "search",
      settle: (reality) => readByModel(reality, endpoint.url),
      connect: async (reality, token) => ({ ask: inProcess(reality, token), close: async () => undefined }),
    });
    expect(difference, `PDPP_SEED=${seed}`).toBeUndefined();
    expect(cases).toBeGreaterThanOrEqual(360);
    expect(endpoint.requests.length).toBeGreaterThan(20);
  } finally {
    await endpoint.close();
  }
});
