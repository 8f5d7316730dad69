// pdpp mcp: the hosted tools on stdin and stdout, byte for byte, and never with an owner's credential.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ON_FILES } from "../harness.ts";
import { type Gate, libraryGate, MCP_HEADERS } from "../mcp.ts";
import { pdpp } from "../pdpp.ts";

const BIN = fileURLToPath(new URL("../../bin/pdpp.js", import.meta.url));

let gate: Gate;
let folder: string;

beforeAll(async () => {
  gate = await libraryGate();
  folder = mkdtempSync(join(tmpdir(), "pdpp-stdio-"));
});
afterAll(async () => {
  await gate.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (more: Record<string, string>): Record<string, string> => {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PDPP_"));
  return { ...(Object.fromEntries(inherited) as Record<string, string>), HOME: folder, ...more };
};

/** Starts a process. `ask` sends it one line and returns its response. */
function running(
  args: string[],
  env: Record<string, string>,
): { child: ChildProcess; ask(message: object): Promise<string> } {
  const child = spawn(process.execPath, [BIN, "mcp", ...args], { env: environment(env), cwd: folder });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    child,
    async ask(message) {
      child.stdin!.write(`${JSON.stringify(message)}\n`);
      return (await lines.next()).value ?? "";
    },
  };
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function overHttp(message: { method: string }): Promise<string> {
  const response = await fetch(`${gate.server.url}/mcp`, {
    method: "POST",
    headers: {
      ...MCP_HEADERS,
      Authorization: `Bearer ${gate.token}`,
      ...(JSON.stringify(message).includes("2026-07-28")
        ? { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": message.method }
        : {}),
    },
    body: JSON.stringify(message),
  });
  return response.text();
}

describe("E-05 the same tools", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };
  const conversations: [string, { method: string }[]][] = [
    [
      "initialize",
      [
        initialize,
        ...["tools/list", "resources/list", "resources/templates/list"].map((method, index) => ({
          jsonrpc: "2.0",
          id: index + 2,
          method,
          params: {},
        })),
      ],
    ],
    [
      "server/discover",
      ["server/discover", "tools/list", "resources/templates/list"].map((method, index) => ({
        jsonrpc: "2.0",
        id: index + 1,
        method,
        params: { _meta: meta },
      })),
    ],
  ];

  it.each(conversations)(
    "E-01 E-05 after %s, instructions, tools and templates equal the hosted ones, byte for byte",
    async (_opening, messages) => {
      const { child, ask } = running(["--server", gate.server.url], { PDPP_ACCESS_TOKEN: gate.token });
      for (const message of messages) expect(await ask(message)).toBe(await overHttp(message));
      child.stdin!.end();
      const [code] = await once(child, "close");
      expect(code).toBe(0);
    },
  );

  it.each([
    ["a running call completes", [], ["0", "1"]],
    [
      "the process does not wait for a cancelled call",
      [{ method: "notifications/cancelled", params: { requestId: 1 } }],
      ["0"],
    ],
  ])("E-05 when the client disconnects, %s", async (_what, more, answered) => {
    const { child } = running(["--server", gate.server.url], { PDPP_ACCESS_TOKEN: gate.token });
    const call = { id: 1, method: "tools/call", params: { name: "search", arguments: { query: "heron" } } };
    const messages = [{ ...initialize, id: 0 }, { ...call }, ...more];
    child.stdin!.end(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
    const [[code], out, err] = await Promise.all([once(child, "close"), text(child.stdout!), text(child.stderr!)]);
    const ids = out
      .trim()
      .split("\n")
      .map((line) => String(JSON.parse(line).id));
    expect({ code, ids, err }).toEqual({ code: 0, ids: answered, err: "" });
  });

  it("E-05 a message that is far too large ends the process with an explanation", async () => {
    const { child, ask } = running(["--server", gate.server.url], { PDPP_ACCESS_TOKEN: gate.token });
    await ask(initialize);
    child.stdin!.on("error", () => undefined).write("a".repeat(11 * 1024 * 1024));
    const [[code], err] = await Promise.all([once(child, "exit"), text(child.stderr!)]);
    expect([code, err]).toEqual([0, expect.stringContaining("exceeded maximum size")]);
  });

  it.each(ON_FILES ? ["server", "home"] : ["server"])(
    "E-05 tool calls get the same results as from the hosted server, over a %s",
    async (where) => {
      const client = new Client({ name: "test", version: "1" });
      const args = where === "server" ? ["--server", gate.server.url] : ["--home", gate.server.home];
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [BIN, "mcp", ...args],
        env: environment({ PDPP_ACCESS_TOKEN: gate.token }),
        cwd: folder,
      });
      await client.connect(transport);
      const origin = where === "server" ? gate.server.url : "http://127.0.0.1:7887";
      for (const [name, given] of [
        ["schema", {}],
        [
          "query_records",
          { stream: "books", connection_id: gate.home, filter: { pages: { gte: 300 } }, sort: "-pages" },
        ],
        ["aggregate", { stream: "books", connection_id: gate.home, metric: "count", group_by: "genre" }],
        ["search", { query: "heron" }],
        ["fetch", { id: `${gate.cabin}/books:c01` }],
      ] as const) {
        const local = await client.callTool({ name, arguments: given });
        const hosted = await gate.call(name, given);
        const plain = (value: unknown) =>
          JSON.stringify(value)
            .replaceAll(origin, "")
            .replaceAll(gate.server.url, "")
            .replace(/"(export_id|next_cursor)":"[^"]+"/g, "");
        expect(plain(local.structuredContent)).toBe(plain(hosted.structuredContent));
      }
      await client.close();
    },
  );
});

describe("E-07 credentials", () => {
  it.each([
    ["PDPP_OWNER_TOKEN", "anything"],
    ["PDPP_ACCESS_TOKEN", "pdpp_owner_abc"],
    ["PDPP_SOMETHING_ELSE", "pdpp_owner_abc"],
    ["POSTERN_TOKEN", "pdpp_owner_abc"],
    ["AUTHORIZATION", "Bearer pdpp_owner_abc"],
    ["MCP_SETTINGS", '{"headers":{"Authorization":"Bearer pdpp_owner_abc"}}'],
    ["COOKIE", "pdpp_session=pdpp_session_abc"],
  ])("E-07 row 22: refuses to start with an owner's credential in %s", async (name, value) => {
    const run = await pdpp(["mcp", "--server", gate.server.url], {
      env: { PDPP_ACCESS_TOKEN: gate.token, [name]: value },
    });
    expect(run.code).toBe(3);
    expect(run.stdout).toBe("");
    expect(run.stderr).toContain(name);
    expect(run.stderr).toContain(`pdpp connect ${gate.server.url}`);
    expect(run.stderr).not.toContain("pdpp_owner_abc");
  });

  it("E-07 row 22: pdpp files mcp refuses an owner's credential in its environment too", async () => {
    const run = await pdpp(["files", "mcp"], {
      env: { PDPP_ACCESS_TOKEN: gate.token, AUTHORIZATION: "Bearer pdpp_owner_abc" },
    });
    expect([run.code, run.stdout]).toEqual([3, ""]);
    expect(run.stderr).toContain("AUTHORIZATION contains an owner's credential");
    expect(run.stderr).toContain("pdpp grants issue --files");
  });

  it("E-07 refuses made-up and real owner tokens on the command line", async () => {
    for (const token of ["pdpp_owner_abc", gate.server.owner]) {
      const run = await pdpp(["mcp", "--server", gate.server.url, "--token", token]);
      expect(run.code).toBe(3);
    }
  });

  it("E-07 pdpp mcp without a grant exits with code 3 and says how to get one, even for the owner of the home", async () => {
    for (const args of [
      ["--server", gate.server.url],
      ["--home", gate.server.home],
    ]) {
      const run = await pdpp(["mcp", ...args], { env: { HOME: folder } });
      expect(run.code).toBe(3);
      expect(run.stderr).toContain("pdpp connect");
    }
  });

  it("pdpp mcp uses the credential that pdpp connect stored, nearest folder first", async () => {
    const store = (place: string, access_token: string) => {
      mkdirSync(join(place, ".pdpp"), { recursive: true });
      const servers = {
        [gate.server.url]: {
          access_token,
          client_id: "cli_x",
          token_endpoint: `${gate.server.url}/oauth/token`,
          obtained_at: new Date().toISOString(),
        },
      };
      writeFileSync(join(place, ".pdpp", "credentials.json"), JSON.stringify({ version: 1, servers }));
    };
    store(folder, gate.token);
    const below = join(folder, "a", "b");
    mkdirSync(below, { recursive: true });
    const child = spawn(process.execPath, [BIN, "mcp", "--server", gate.server.url], {
      env: environment({}),
      cwd: below,
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "schema", arguments: {} } })}\n`,
    );
    expect((await lines.next()).value).toContain("Home shelf");
    child.stdin.end();
    await once(child, "close");
    rmSync(join(folder, ".pdpp"), { recursive: true });
  });
});
