// /mcp over HTTP: authentication, both protocol eras from one code path, and no sessions.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Loose, newHome, testServer } from "../harness.ts";
import { callTool, connectClient, type Era, type Gate, libraryGate, MCP_HEADERS, post, recordIds } from "../mcp.ts";

let gate: Gate;

beforeAll(async () => {
  gate = await libraryGate();
});
afterAll(() => gate.close());

const names = ["schema", "query_records", "aggregate", "search", "fetch"];

describe("authentication", () => {
  const request = (init: RequestInit) => fetch(`${gate.server.url}/mcp`, init);
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  const post401 = { method: "POST", headers: MCP_HEADERS, body: list };

  it.each(["GET", "POST", "DELETE", "PUT"])(
    "E-07 %s without a token gets 401 with the address of the metadata, before 405",
    async (method) => {
      const response = await request(method === "POST" ? post401 : { method });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe(
        `Bearer resource_metadata="${gate.server.url}/.well-known/oauth-protected-resource/mcp", scope="read"`,
      );
      expect(await response.json()).toMatchObject({
        error: { code: "authentication_error", request_id: expect.any(String) },
      });
    },
  );

  it("E-07 an unknown token gets 401 before the body is read", async () => {
    const response = await request({
      ...post401,
      headers: { ...MCP_HEADERS, Authorization: "Bearer pdpp_at_nothing" },
      body: "{",
    });
    expect(response.status).toBe(401);
  });

  it("E-07 an owner's token gets 403 for every method, with advice on how to get a grant, and nothing is read", async () => {
    const before = (await gate.server.get("/v1/activity")).body.data.length;
    for (const init of [{ method: "GET" }, post401, { method: "DELETE" }]) {
      const response = await request({
        ...init,
        headers: { ...MCP_HEADERS, Authorization: `Bearer ${gate.server.owner}` },
      });
      expect(response.status).toBe(403);
      const { error } = (await response.json()) as { error: { code: string; next_step: string } };
      expect(error.code).toBe("owner_token_rejected");
      expect(error.next_step).toContain(`pdpp connect ${gate.server.url}`);
    }
    const after = (await gate.server.get("/v1/activity")).body.data;
    expect(after.length - before).toBeLessThanOrEqual(1);
  });

  it("SECURITY row 22: an owner token is recognised by its kind, not only by its prefix", async () => {
    // There are two checks: the token's prefix and its kind.
    const body = await gate.server.host.call("admit", { owner: false }, { token: gate.server.owner });
    expect(body.kind).toBe("owner");
  });

  it("a grant's token with another method gets 405 with the allowed method", async () => {
    const response = await request({ method: "GET", headers: { Authorization: `Bearer ${gate.token}` } });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    expect(await response.json()).toMatchObject({ error: { code: "method_not_allowed" } });
  });

  it("a revoked grant gets a typed error at the next request", async () => {
    const { access_token, grant_id } = await gate.server.grant({
      selections: [{ connection_id: gate.home, stream: "books" }],
    });
    expect(
      (await callTool(gate.server.url, access_token, "query_records", { stream: "books" })).isError,
    ).toBeUndefined();
    await gate.server.call("POST", `/v1/grants/${grant_id}/revoke`);
    const response = await request({
      ...post401,
      headers: { ...MCP_HEADERS, Authorization: `Bearer ${access_token}` },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: "grant_revoked" } });
  });

  it.each([
    ["not JSON", "{", 400],
    ["too large", `{"x":"${"a".repeat(4 * 1024 * 1024)}"}`, 413],
    ["too deep", "[".repeat(300) + "]".repeat(300), 400],
  ])("a body that is %s is refused with our error", async (_what, body, status) => {
    const response = await request({
      method: "POST",
      headers: { ...MCP_HEADERS, Authorization: `Bearer ${gate.token}` },
      body,
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String), next_step: expect.any(String) } });
  });
});

describe.each<Era>(["legacy", "modern"])("X-02 the %s protocol", (era) => {
  it("X-02 a real client connects, lists tools and templates, calls tools and reads a resource", async () => {
    const client = await connectClient(gate.server.url, gate.token, era);
    expect(client.getInstructions()?.startsWith("Read-only access")).toBe(true);
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
    });
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(names);
    const result = await client.callTool({ name: "query_records", arguments: { stream: "loans" } });
    expect(result.structuredContent).toMatchObject({ has_more: false });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).toEqual(["record", "field-window", "stream"]);
    const read = await client.readResource({ uri: `pdpp://record/${gate.home}/books/b01` });
    const fetched = await client.callTool({ name: "fetch", arguments: { id: `${gate.home}/books:b01` } });
    expect(JSON.parse((read.contents[0] as { text: string }).text)).toEqual(fetched.structuredContent);
    await client.close();
  });
});

describe("X-02 the messages on the wire", () => {
  const send = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${gate.server.url}/mcp`, {
      method: "POST",
      headers: { ...MCP_HEADERS, Authorization: `Bearer ${gate.token}`, ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 7, ...body }),
    });
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const modern = (method: string, params: object = {}, name?: string) =>
    send(
      { method, params: { ...params, _meta: meta } },
      {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        ...(name === undefined ? {} : { "Mcp-Name": name }),
      },
    );

  it.each(["2025-06-18", "2025-11-25"])(
    "X-02 initialize with %s gets a response in that version, without a session",
    async (version) => {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
      const response = await send({ method: "initialize", params });
      expect(response.headers.get("mcp-session-id")).toBeNull();
      expect(response.headers.get("content-type")).toContain("application/json");
      const { result } = (await response.json()) as { result: { protocolVersion: string; serverInfo: object } };
      expect(result.protocolVersion).toBe(version);
      expect(result.serverInfo).toMatchObject({
        name: "postern",
        title: "Postern",
        icons: [{ mimeType: "image/svg+xml" }],
      });
    },
  );

  it("X-02 server/discover lists the protocol versions and can be cached", async () => {
    const { result } = (await (await modern("server/discover")).json()) as { result: Record<string, unknown> };
    expect(result).toMatchObject({ supportedVersions: ["2026-07-28"], ttlMs: 3_600_000, cacheScope: "public" });
  });

  it("C-05 the icon is in server/discover and in no other response", async () => {
    const info = async (method: string, params?: object, name?: string): Promise<object> => {
      const { result } = (await (await modern(method, params, name)).json()) as { result: Loose };
      return result._meta["io.modelcontextprotocol/serverInfo"];
    };
    expect(await info("server/discover")).toMatchObject({ name: "postern", icons: [{ mimeType: "image/svg+xml" }] });
    const brief = { name: "postern", version: expect.any(String) };
    expect(await info("tools/list")).toEqual(brief);
    expect(await info("tools/call", { name: "schema", arguments: {} }, "schema")).toEqual(brief);
  });

  it("X-02 anyone can cache lists, but reads cannot be cached", async () => {
    const list = (await (await modern("tools/list")).json()) as { result: Record<string, unknown> };
    expect(list.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
    const uri = `pdpp://stream/${gate.home}/books`;
    const read = (await (await modern("resources/read", { uri }, uri)).json()) as { result: Record<string, unknown> };
    expect(read.result).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  });

  it.each(["*/*", "application/json", "application/*"])("X-02 a client that accepts %s gets JSON", async (accept) => {
    const response = await fetch(`${gate.server.url}/mcp`, {
      method: "POST",
      headers: { ...MCP_HEADERS, Accept: accept, Authorization: `Bearer ${gate.token}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    expect(response.status).toBe(200);
    expect(((await response.json()) as { result: { tools: object[] } }).result.tools).toHaveLength(5);
  });

  it("X-03 a session id from an earlier server is ignored", async () => {
    const response = await send({ method: "tools/list", params: {} }, { "Mcp-Session-Id": "gone-since-tuesday" });
    expect(response.status).toBe(200);
    expect(response.headers.get("mcp-session-id")).toBeNull();
  });

  it("E-01 E-03 the tool list is the same for every grant, and no URL selects another", async () => {
    const { access_token } = await gate.server.grant({ selections: [{ connection_id: gate.cabin, stream: "books" }] });
    const lists = await Promise.all(
      [
        ["", gate.token],
        ["", access_token],
        ["?profile=full", gate.token],
        ["?toolset=events&tools=all", gate.token],
      ].map(async ([search, token]) => {
        const response = await fetch(`${gate.server.url}/mcp${search}`, {
          method: "POST",
          headers: { ...MCP_HEADERS, Authorization: `Bearer ${token}`, "X-MCP-Toolsets": "all" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list", params: {} }),
        });
        return response.text();
      }),
    );
    expect(new Set(lists).size).toBe(1);
  });

  it("every response has Request-Id, PDPP-Version and no-store, and the activity log contains its request id", async () => {
    const response = await send(
      { method: "tools/call", params: { name: "query_records", arguments: { stream: "loans" } } },
      { "Request-Id": "req_from_test" },
    );
    expect(response.headers.get("request-id")).toBe("req_from_test");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const { body } = await gate.server.get("/v1/activity", { query: { limit: 20 } });
    expect(body.data.some((row: { request_id: string }) => row.request_id === "req_from_test")).toBe(true);
  });

  it("an unknown tool causes a protocol error, and a wrong argument causes a tool error", async () => {
    const unknown = await post(gate.server.url, gate.token, "tools/call", { name: "list_streams", arguments: {} });
    expect(unknown.error.code).toBe(-32602);
    const wrong = await gate.call("query_records", { stream: 5 });
    expect(wrong.isError).toBe(true);
  });
});

describe("X-03 a restart", () => {
  it("X-03 is invisible to connected clients of both protocols, and cursors continue", async () => {
    const home = newHome();
    const first = await libraryGate({ home });
    const port = Number(new URL(first.server.url).port);
    const page = await first.call("query_records", { stream: "books", connection_id: first.home, limit: 5 });
    const clients = await Promise.all(
      (["legacy", "modern"] as const).map((era) => connectClient(first.server.url, first.token, era)),
    );
    await first.close();
    const again = await testServer({ home, port });
    try {
      for (const client of clients) {
        const args = {
          stream: "books",
          connection_id: first.home,
          limit: 5,
          cursor: page.structuredContent.next_cursor,
        };
        const { structuredContent } = await client.callTool({ name: "query_records", arguments: args });
        const seen = recordIds(structuredContent);
        expect(seen).toHaveLength(5);
        expect(seen).not.toContain(recordIds(page.structuredContent)[0]);
        await client.close();
      }
    } finally {
      await again.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
});
