// A client built with the MCP SDK is refused at /mcp, then discovers the authorization server, registers, requests
// access, and lists its tools.
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardedFetch } from "../../src/auth/guarded-fetch.ts";
import { type ClientSite, startClientSite } from "../client-site.ts";
import { answer, back, REDIRECT, type World, world } from "./world.ts";

let site: ClientSite;
let it: World;
const DOCUMENT = "https://app.example.test/client.json";

beforeAll(async () => {
  site = await startClientSite((_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({
        client_id: DOCUMENT,
        client_name: "Agent",
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: "none",
      }),
    ),
  );
  it = await world({ clientFetch: guardedFetch(site.reach) });
});
afterAll(async () => {
  await it.close();
  await site.close();
});

interface Host extends OAuthClientProvider {
  asked: URL | undefined;
  kept: { tokens?: OAuthTokens; client?: OAuthClientInformationMixed; verifier?: string };
}

/** The state that a client keeps between steps. */
function host(clientMetadataUrl?: string): Host {
  const kept: Host["kept"] = {};
  const self: Host = {
    asked: undefined,
    kept,
    redirectUrl: REDIRECT,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: { client_name: "Agent", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
    state: () => "state-of-the-host",
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      self.asked = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier!,
  };
  return self;
}

const transportOf = (authProvider: OAuthClientProvider): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(`${it.url}/mcp`), { authProvider });
const newClient = (era: "legacy" | "modern"): Client =>
  new Client(
    { name: "agent", version: "1" },
    { versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } } },
  );

describe("P-03 the MCP SDK's client", () => {
  test.each([
    ["a client that registers, with initialize", "legacy", undefined],
    ["a client that registers, stateless", "modern", undefined],
    ["a client with a metadata document", "modern", DOCUMENT],
  ] as const)("%s: 401, discovery, approval, token, tools", async (_how, era, document) => {
    const provider = host(document);
    const first = transportOf(provider);
    await expect(newClient(era).connect(first)).rejects.toThrow(UnauthorizedError);
    expect(provider.asked!.href).toContain(`${it.url}/oauth/authorize?`);
    expect(provider.asked!.searchParams.get("resource")).toBe(`${it.url}/mcp`);
    expect(provider.kept.client!.client_id).toEqual(document ?? expect.stringMatching(/^cli_/));

    const page = await it.browser.get(provider.asked!.href);
    const receipt = await answer(it.browser, page, { streams: [`${it.town}/books`] });
    const { searchParams } = await back(it.browser, receipt);
    expect(searchParams.get("state")).toBe("state-of-the-host");
    await first.finishAuth(searchParams);
    expect(provider.kept.tokens!.access_token).toMatch(/^pdpp_at_/);

    const client = newClient(era);
    await client.connect(transportOf(provider));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(["aggregate", "fetch", "query_records", "schema", "search"]);
    const found = await client.callTool({ name: "query_records", arguments: { stream: "books", limit: 2 } });
    expect(found.isError ?? false).toBe(false);
    await client.close();
  });

  test("refreshes its token after it has expired", async () => {
    const provider = host();
    const first = transportOf(provider);
    await expect(newClient("legacy").connect(first)).rejects.toThrow(UnauthorizedError);
    const page = await it.browser.get(provider.asked!.href);
    await first.finishAuth(
      (await back(it.browser, await answer(it.browser, page, { streams: [`${it.town}/books`] }))).searchParams,
    );
    const before = provider.kept.tokens!.access_token;
    provider.kept.tokens = { ...provider.kept.tokens!, access_token: "pdpp_at_ended" };
    const client = newClient("legacy");
    await client.connect(transportOf(provider));
    expect((await client.listTools()).tools).toHaveLength(5);
    expect(provider.kept.tokens!.access_token).not.toBe(before);
    await client.close();
  });
});
