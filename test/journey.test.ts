// L-10: the whole journey with a real MCP client, over HTTP with OAuth and an owner's approval, and over stdio.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSetupLink } from "../src/surfaces/web/sign-in.ts";
import { type Gate, libraryGate } from "./mcp.ts";
import { approve, backToApp } from "./oauth/approve.ts";
import { ownerBrowser, setUp } from "./oauth/owner-browser.ts";
import { type Step, walk } from "./smoke/walk.ts";

const STEPS = ["connect", "discover", "preview", "window", "fetch", "count", "changes", "export", "refusal"];
const BIN = fileURLToPath(new URL("../bin/pdpp.js", import.meta.url));
const SMOKE = fileURLToPath(new URL("smoke/run.ts", import.meta.url));

let gate: Gate;
let folder: string;
/** The grant that the owner approved in the browser. */
let approved: string;

beforeAll(async () => {
  gate = await libraryGate();
  folder = mkdtempSync(join(tmpdir(), "pdpp-journey-"));
});
afterAll(async () => {
  await gate.close();
  rmSync(folder, { recursive: true, force: true });
});

const downloadWith = (token: string) => async (url: string) =>
  (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).text();

async function climbed(client: Client, token: string): Promise<void> {
  const steps: Step[] = [];
  for await (const step of walk({ client, download: downloadWith(token) })) steps.push(step);
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  expect(steps.map(({ name }) => name)).toEqual(STEPS);
}

interface Memory {
  tokens?: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
  client?: Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
  verifier?: string;
  found?: OAuthDiscoveryState;
  /** The URL to which the owner's browser is sent. */
  authorize?: URL;
}

/** An app that keeps its credentials in memory, as hosts do. */
function appProvider(memory: Memory): OAuthClientProvider {
  return {
    redirectUrl: "http://127.0.0.1:9999/cb",
    clientMetadata: {
      client_name: "Journey",
      redirect_uris: ["http://127.0.0.1:9999/cb"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    },
    clientInformation: () => memory.client,
    saveClientInformation(information) {
      memory.client = information;
    },
    tokens: () => memory.tokens,
    saveTokens(tokens) {
      memory.tokens = tokens;
    },
    redirectToAuthorization(url) {
      memory.authorize = url;
    },
    saveCodeVerifier(verifier) {
      memory.verifier = verifier;
    },
    codeVerifier: () => memory.verifier!,
    saveDiscoveryState(state) {
      memory.found = state;
    },
    discoveryState: () => memory.found,
  };
}

describe("L-10 the whole journey", () => {
  it("L-10 over HTTP, the client discovers the authorization server, the owner approves, and every step of the ladder works", async () => {
    const { server } = gate;
    const browser = ownerBrowser(server.url);
    await setUp(browser, await newSetupLink(server.host, server.url));
    const memory: Memory = {};
    const authProvider = appProvider(memory);
    const transport = () => new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider });
    const first = transport();
    await expect(new Client({ name: "journey", version: "1" }).connect(first)).rejects.toThrow(UnauthorizedError);
    const page = await browser.get(memory.authorize!.href);
    const callback = new URL(await backToApp(browser, await approve(browser, page, { streams: 10 })));
    await first.finishAuth(callback.searchParams);
    const client = new Client({ name: "journey", version: "1" });
    await client.connect(transport());
    approved = memory.tokens!.access_token;
    await climbed(client, approved);
    await client.close();
  });

  it("L-10 over stdio, every step works under the same grant", async () => {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PDPP_"));
    const client = new Client({ name: "journey", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [BIN, "mcp", "--server", gate.server.url],
        env: { ...(Object.fromEntries(inherited) as Record<string, string>), PDPP_ACCESS_TOKEN: approved },
        cwd: folder,
      }),
    );
    await climbed(client, approved);
    await client.close();
  });
});

describe("L-10 npm run smoke", () => {
  async function smoke(url: string, env: Record<string, string>): Promise<{ code: number; lines: string[] }> {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PDPP_"));
    const child = spawn(process.execPath, [SMOKE, url], {
      env: { ...Object.fromEntries(inherited), HOME: folder, ...env },
      cwd: folder,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part));
    const [code] = (await once(child, "close")) as [number];
    return { code, lines: output.trim().split("\n") };
  }

  it("L-10 prints every step and exits with code 0", async () => {
    const { code, lines } = await smoke(gate.server.url, { PDPP_ACCESS_TOKEN: gate.token });
    expect(lines.map((line) => line.split(/\s+/).slice(0, 2))).toEqual(STEPS.map((name) => ["ok", name]));
    expect(code).toBe(0);
  });

  it("L-10 reports the failed step and exits with code 1; exits with code 3 without a grant, and with code 2 without an address", async () => {
    const { access_token } = await gate.server.grant({
      selections: [{ connection_id: gate.home, stream: "loans" }],
    });
    const narrow = await smoke(gate.server.url, { PDPP_ACCESS_TOKEN: access_token });
    expect(narrow).toMatchObject({ code: 1 });
    expect(narrow.lines.at(-1)).toMatch(/^failed\s+discover\s+no granted stream/);
    const unknown = await smoke(gate.server.url, { PDPP_ACCESS_TOKEN: "pdpp_at_nothing" });
    expect(unknown).toMatchObject({ code: 1, lines: [expect.stringMatching(/^failed\s+connect/)] });
    const none = await smoke(gate.server.url, {});
    expect(none).toMatchObject({ code: 3, lines: [expect.stringContaining(`pdpp connect ${gate.server.url}`)] });
    expect((await smoke("nowhere", {})).code).toBe(2);
  });
});
