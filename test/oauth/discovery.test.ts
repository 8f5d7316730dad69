// P-03, E-04: the metadata that clients read first has the same bytes, whatever headers a caller sends.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";

let server: TestServer;
let published: TestServer;
beforeAll(async () => {
  server = await testServer();
  published = await testServer({ publicUrl: "https://data.example.org" });
});
afterAll(async () => {
  await server.close();
  await published.close();
});

/** Sends the request over a socket as a proxy would, because fetch does not allow a custom Host header. */
function get(to: TestServer, path: string, headers: Record<string, string>): Promise<{ head: string; body: string }> {
  return new Promise((resolve, reject) => {
    const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(Number(new URL(to.url).port), "127.0.0.1", () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`),
    );
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (part) => {
      text += part;
    });
    socket.on("end", () => {
      const [head, ...rest] = text.split("\r\n\r\n");
      resolve({ head: head!, body: rest.join("\r\n\r\n").replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, "") });
    });
    socket.on("error", reject);
  });
}

const authorizationServer = (origin: string): string =>
  `{"issuer":"${origin}","authorization_endpoint":"${origin}/oauth/authorize","token_endpoint":"${origin}/oauth/token",` +
  `"registration_endpoint":"${origin}/oauth/register","pushed_authorization_request_endpoint":"${origin}/oauth/par",` +
  `"device_authorization_endpoint":"${origin}/oauth/device","revocation_endpoint":"${origin}/oauth/revoke",` +
  `"introspection_endpoint":"${origin}/oauth/introspect","scopes_supported":["read","files","offline_access"],` +
  `"response_types_supported":["code"],"response_modes_supported":["query"],` +
  `"grant_types_supported":["authorization_code","refresh_token","urn:ietf:params:oauth:grant-type:device_code"],` +
  `"token_endpoint_auth_methods_supported":["none","client_secret_basic","client_secret_post"],` +
  `"revocation_endpoint_auth_methods_supported":["none","client_secret_basic","client_secret_post"],` +
  `"introspection_endpoint_auth_methods_supported":["none","client_secret_basic","client_secret_post"],` +
  `"code_challenge_methods_supported":["S256"],"authorization_response_iss_parameter_supported":true,` +
  `"client_id_metadata_document_supported":true,` +
  `"authorization_details_types_supported":["https://pdpp.dev/data-access","https://pdpp.dev/file-access"],` +
  `"protected_resources":["${origin}","${origin}/mcp","${origin}/v1","${origin}/files/mcp","${origin}/api"],` +
  `"agent_connect_endpoint":"${origin}/oauth/agent-connect","pdpp_registration_modes_supported":["dynamic"],` +
  `"service_documentation":"${origin}/llms.txt"}`;

const protectedResource = (origin: string, path: string, scopes = '"read"', name = "Postern"): string =>
  `{"resource":"${origin}${path}","authorization_servers":["${origin}"],"scopes_supported":[${scopes}],` +
  `"bearer_methods_supported":["header"],"resource_name":"${name}","resource_documentation":"${origin}/llms.txt"${
    path === "/v1" || path === "" ? restMetadata(`${origin}/v1/event-subscriptions/capabilities`) : ""
  }}`;

const restMetadata = (capabilities: string): string =>
  `,"event_subscriptions":"${capabilities}",` +
  `"capabilities":{"client_event_subscriptions":{"supported":true,"capabilities":"${capabilities}"}},` +
  `"pdpp_agent_discovery":{"cli":{"no_owner_token":true}}`;

const documents = (origin: string): [string, string][] => [
  ["/.well-known/oauth-authorization-server", authorizationServer(origin)],
  ["/.well-known/oauth-protected-resource", protectedResource(origin, "", '"read","files"')],
  ["/.well-known/oauth-protected-resource/mcp", protectedResource(origin, "/mcp")],
  ["/.well-known/oauth-protected-resource/v1", protectedResource(origin, "/v1")],
  [
    "/.well-known/oauth-protected-resource/files/mcp",
    protectedResource(origin, "/files/mcp", '"files"', "Postern files"),
  ],
  ["/.well-known/oauth-protected-resource/api", protectedResource(origin, "/api", '"files"', "Postern files")],
];

/** Headers that a careless proxy or an attacker adds. */
const FORGED = {
  "X-Forwarded-Host": "evil.example",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Port": "8443",
  "X-Forwarded-For": "203.0.113.9",
  "X-Forwarded-Prefix": "/evil",
  "X-Original-URL": "/evil",
  Forwarded: 'host="evil.example";proto=https',
};

describe("P-03 discovery", () => {
  test("the documents are byte for byte the same, whatever headers an attacker adds", async () => {
    const { host } = new URL(server.url);
    for (const headers of [{ Host: host }, { Host: host, ...FORGED }]) {
      for (const [path, expected] of documents(`http://${host}`)) {
        const { head, body } = await get(server, path, headers);
        expect(head).toMatch(/^HTTP\/1\.1 200/);
        expect(head.toLowerCase()).toContain("content-type: application/json");
        expect(body).toBe(expected);
      }
    }
  });

  test("behind a proxy, the documents contain the public name, whichever Host the proxy sends", async () => {
    const port = new URL(published.url).port;
    for (const host of ["data.example.org", "DATA.example.org", `127.0.0.1:${port}`]) {
      for (const [path, expected] of documents("https://data.example.org")) {
        expect((await get(published, path, { Host: host, ...FORGED })).body).toBe(expected);
      }
    }
  });

  test("behind a proxy, the authorization server's responses also contain the public name", async () => {
    const registered = await fetch(`${published.url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json", ...FORGED },
      body: JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], token_endpoint_auth_method: "none" }),
    });
    const { client_id } = (await registered.json()) as Loose;
    const query = new URLSearchParams({
      client_id,
      redirect_uri: "http://127.0.0.1/cb",
      response_type: "code",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
    });
    const asked = await get(published, `/oauth/authorize?${query}`, { Host: "data.example.org", ...FORGED });
    // This server is not set up yet, so it refuses the request. The test checks the name in the error.
    expect(asked.head).toMatch(/^HTTP\/1\.1 403/);
    expect(asked.head + asked.body).not.toContain("evil");
    expect(asked.head).not.toMatch(/set-cookie: pdpp_as/i);
    const refused = await get(published, `/oauth/authorize?${query}&resource=https://evil.example`, {
      Host: "data.example.org",
    });
    expect(refused.body).toContain(`iss=${encodeURIComponent("https://data.example.org")}`);
  });

  test("E-04 there is one MCP endpoint for records, and no profiles", async () => {
    const { body } = await server.get("/.well-known/oauth-protected-resource/mcp", { token: null });
    expect(body.resource).toBe(`${server.url}/mcp`);
    expect(Object.keys(body).filter((name) => /profile/i.test(name))).toEqual([]);
    const { protected_resources } = (await server.get("/.well-known/oauth-authorization-server", { token: null })).body;
    expect(protected_resources.filter((one: string) => one.includes("mcp"))).toEqual([
      `${server.url}/mcp`,
      `${server.url}/files/mcp`,
    ]);
    for (const other of ["/mcp/records", "/mcp//", "/v2", "mcp", "//"]) {
      const { status } = await server.get(`/.well-known/oauth-protected-resource${other}`, { token: null });
      expect([other, status]).toEqual([other, 404]);
    }
  });

  test("a 401 on /mcp and /v1 links to the metadata document, whatever the method", async () => {
    for (const [method, path, document] of [
      ["GET", "/mcp", "mcp"],
      ["POST", "/mcp", "mcp"],
      ["DELETE", "/mcp", "mcp"],
      ["GET", "/v1/schema", "v1"],
    ] as const) {
      const { status, headers } = await server.call(method, path, { token: null });
      expect([status, headers.get("www-authenticate")]).toEqual([
        401,
        `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/${document}", scope="read"`,
      ]);
    }
  });

  test("POST to the metadata documents is refused", async () => {
    expect((await server.call("POST", "/.well-known/oauth-authorization-server", { token: null })).status).toBe(405);
  });
});
