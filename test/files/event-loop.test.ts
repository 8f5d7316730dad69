// The event loop stays responsive while the files lens waits for its databases, which this test locks and releases.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { EngineHost } from "../../src/engine/host.ts";
import { FilesLens } from "../../src/files/shell/lens.ts";
import { shellFor } from "../../src/files/shell/shell.ts";
import { filesMcpHandler } from "../../src/surfaces/files-mcp/http.ts";
import type { Loose } from "../harness.ts";
import { connectClient, MCP_HEADERS, type Result } from "../mcp.ts";
import { apiWorld } from "./api.ts";

const it = apiWorld();

/** Blocks writes to this database while the work runs. */
async function whileLocked(database: "shell.db" | "catalogue.db", work: () => Promise<void>): Promise<void> {
  const other = new DatabaseSync(join(it.home, "files", database));
  other.exec("BEGIN IMMEDIATE");
  try {
    await work();
  } finally {
    other.exec("ROLLBACK");
    other.close();
  }
}

/** Starts a call that has to write, and checks that other calls finish before it. */
async function answersMeanwhile(database: "shell.db" | "catalogue.db", call: () => Promise<unknown>): Promise<void> {
  const order: string[] = [];
  let written: Promise<unknown> | undefined;
  await whileLocked(database, async () => {
    written = call().then(() => order.push("the write"));
    for (let round = 0; round < 5; round++) {
      expect((await it.server.get("/healthz", { token: null })).status).toBe(200);
      // Uses the engine, as the permission check of the call does.
      expect((await it.server.get("/v1/connections")).status).toBe(200);
      expect((await it.server.get("/v1/grants")).status).toBe(200);
    }
    order.push("the reads");
  });
  await written;
  expect(order).toEqual(["the reads", "the write"]);
}

describe("D-05 the event loop does not wait for the databases of the files lens", () => {
  test("D-05 the server responds to probes and reads while a cd waits to store its directory", async () => {
    const client = await connectClient(it.server.url, it.app, "modern", "/files/mcp");
    try {
      await answersMeanwhile("shell.db", async () => {
        const moved = (await client.callTool({ name: "cd", arguments: { path: it.tree } })) as Result;
        expect(moved.isError ?? false).toBe(false);
      });
    } finally {
      await client.close();
    }
  });

  test("D-05 the server responds to probes and reads while a combine waits to store its result", async () => {
    const { entries } = await it.get("/api/indexes/ix1/tree");
    const nodeIds = entries.map(({ nodeId }: Loose) => nodeId);
    const make = async (body: Loose): Promise<Loose> =>
      it.ok("POST", "/api/resource-sets", { token: it.app, body: { name: "some", ...body } });
    const [one, other] = [await make({ nodeIds }), await make({ nodeIds: nodeIds.slice(1) })];
    const selectionIds = [one.selectionId, other.selectionId];
    await answersMeanwhile("shell.db", async () => {
      const found = await make({ combine: "difference", selectionIds });
      expect(found.counts.entries).toBe(1);
    });
  });

  test("D-05 the server responds to probes and reads while a scan waits to be stored", async () => {
    await answersMeanwhile("catalogue.db", async () => {
      await it.ended((await it.ok("POST", "/api/indexes/ix1/scans", { token: it.app, body: {} })).jobId);
    });
  });
});

test("D-05 a cd calls the engine twice: for the permission check and for its log line", async () => {
  const asked: string[] = [];
  const host: EngineHost = {
    ...it.server.host,
    call(method, ...rest) {
      asked.push(method);
      return it.server.host.call(method, ...rest);
    },
  };
  const lens = new FilesLens({ home: it.home, host, resume: false, records: "later" });
  try {
    const handle = filesMcpHandler({ host, shellFor: (caller) => shellFor(lens, caller), log: () => undefined });
    const cd = async (token: string, path: string): Promise<Loose> => {
      const url = new URL("/files/mcp", it.server.url);
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "cd", arguments: { path } } };
      const headers = { ...MCP_HEADERS, Authorization: `Bearer ${token}` };
      const request = new Request(url, { method: "POST", headers, body: JSON.stringify(call) });
      const answer = await handle({ request, url, requestId: "req_cd", origin: it.server.url, address: "" });
      return ((await answer.json()) as Loose).result;
    };
    expect((await cd(it.looker, it.tree)).structuredContent.cwd).toBe(it.tree);
    expect(asked).toEqual(["filesBearer", "noteFileCall"]);
    // A refused call is logged too.
    expect((await cd(it.looker, it.other)).structuredContent.error.code).toBe("root_not_allowed");
    expect(asked.slice(2)).toEqual(["filesBearer", "noteFileCall"]);
  } finally {
    await lens.close();
  }
});
