// C-03: protected-resource metadata for each address as in RFC 9728, under every name that clients use for the address.
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { boxes } from "./owner-browser.ts";
import { approved, ask, consentPage, exchange, HTTP, reads, register, secretOf, type World, world } from "./world.ts";

let it: World;
let client: oauth.Client;
beforeAll(async () => {
  it = await world();
  client = await register(it);
});
afterAll(() => it.close());

const RESOURCES: [path: string, scopes: string[]][] = [
  ["", ["read", "files"]],
  ["/mcp", ["read"]],
  ["/v1", ["read"]],
  ["/files/mcp", ["files"]],
  ["/api", ["files"]],
];

const documentOf = async (path: string): Promise<Loose> =>
  (await fetch(`${it.url}/.well-known/oauth-protected-resource${path}`)).json();

describe("C-03 protected-resource metadata", () => {
  test.each(RESOURCES)("C-03 oauth4webapi accepts the metadata of ORIGIN%s for that address", async (path, scopes) => {
    const resource = new URL(it.url + path);
    const found = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, HTTP),
    );
    expect(found.resource).toBe(it.url + path);
    expect(found.authorization_servers).toEqual([it.url]);
    expect(found.scopes_supported).toEqual(scopes);
  });

  test("C-03 the root document contains the root address, as the reference requires", async () => {
    // The reference CLI compares the two without a trailing slash.
    const bare = (value: string): string => new URL(value).href.replace(/\/$/, "");
    expect(bare((await documentOf("")).resource)).toBe(bare(it.url));
  });

  test.each(["/mcp/", "/files/mcp/", "/v1/", "/api/", "/"])(
    "C-03 the document is also found with a trailing slash: %s",
    async (path) => {
      const { resource } = await documentOf(path);
      expect(resource).toBe(`${it.url}${path.replace(/\/$/, "")}`);
    },
  );

  test("C-03 the authorization server lists every resource that it protects", async () => {
    expect(it.as.protected_resources).toEqual(RESOURCES.map(([path]) => it.url + path));
  });

  test("C-03 a refused call returns the metadata document's URL and the scope for its address", async () => {
    for (const [method, path, document, scope] of [
      ["POST", "/mcp", "/mcp", "read"],
      ["POST", "/mcp/", "/mcp", "read"],
      ["GET", "/v1/schema", "/v1", "read"],
      ["POST", "/files/mcp", "/files/mcp", "files"],
      ["POST", "/files/mcp/", "/files/mcp", "files"],
      ["GET", "/api/roots", "/api", "files"],
    ] as const) {
      const { status, headers } = await it.server.call(method, path, { token: null });
      expect([path, status, headers.get("www-authenticate")]).toEqual([
        path,
        401,
        `Bearer resource_metadata="${it.url}/.well-known/oauth-protected-resource${document}", scope="${scope}"`,
      ]);
    }
  });
});

describe("C-03 OpenID discovery", () => {
  test("C-03 returns the same document, with the fields that its readers require", async () => {
    const issuer = new URL(it.url);
    const found = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, HTTP));
    expect(found).toMatchObject({ ...it.as });
    // The MCP SDK reads the document with a schema that requires these fields.
    expect(found).toMatchObject({ subject_types_supported: ["public"], jwks_uri: `${it.url}/oauth/jwks` });
    expect(found.id_token_signing_alg_values_supported).toEqual(["RS256"]);
    expect(found.scopes_supported).not.toContain("openid");
    expect(await (await fetch(found.jwks_uri!)).json()).toEqual({ keys: [] });
  });
});

/** Requests tokens for an app that sends its resource again, as the MCP SDK does. */
async function tokensFor(parameters: Record<string, string>): Promise<Loose> {
  const done = await approved(it, client, { parameters });
  const { params, redirect, verifier } = done;
  const options = { ...HTTP, additionalParameters: { resource: parameters.resource! } };
  const auth = secretOf(client);
  return oauth.processAuthorizationCodeResponse(
    it.as,
    client,
    await oauth.authorizationCodeGrantRequest(it.as, client, auth, params, redirect, verifier, options),
  );
}

describe("C-03 the resource parameter", () => {
  test.each<[string, Record<string, string>]>([
    ["", {}],
    ["/", {}],
    ["", { scope: "read" }],
    ["", { scope: "read files" }],
    ["", { scope: "pdpp:read" }],
    ["/mcp/", {}],
    ["/v1/", {}],
  ])("C-03 ORIGIN%s with %o means the records", async (path, more) => {
    const tokens = await tokensFor({ resource: it.url + path, ...more });
    expect(tokens.scope).toBe("read");
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
  });

  test.each<[string, Record<string, string>]>([
    ["", { scope: "files" }],
    ["/", { scope: "files offline_access" }],
    ["/files/mcp/", {}],
    ["/api/", {}],
    ["/files/mcp", { scope: "read" }],
  ])("C-03 ORIGIN%s with %o refers to the files lens", async (path, more) => {
    const page = await consentPage(it, client, { resource: it.url + path, ...more });
    expect(page.html).toContain("An app is asking to browse your files");
    expect(boxes(page, "stream")).toEqual([]);
  });

  test("C-03 without a resource the scope determines the lens", async () => {
    expect((await consentPage(it, client, { scope: "files" })).html).toContain("An app is asking to browse your files");
    expect((await consentPage(it, client, { scope: "read" })).html).toContain("An app is asking to read your data");
  });

  test("C-03 an address outside this server is refused", async () => {
    for (const resource of [
      `${it.url}//mcp`,
      `${it.url}/mcp//`,
      `${it.url}/mcp?x=1`,
      `${it.url}/other`,
      "https://evil.example/",
      `${it.url.replace("127.0.0.1", "127.0.0.2")}`,
    ]) {
      const { href } = await ask(it, client, { resource });
      const page = await it.browser.get(href);
      expect([resource, page.html.includes('name="digest"')]).toEqual([resource, false]);
      expect(page.html + page.url).toContain("invalid_target");
    }
  });

  test("C-03 a code for one lens returns no token for the other, whatever the name of the resource", async () => {
    for (const resource of ["/files/mcp/", "/api/"]) {
      const done = await approved(it, client, { parameters: { resource: it.url } });
      const { params, redirect, verifier } = done;
      const options = { ...HTTP, additionalParameters: { resource: it.url + resource } };
      const auth = secretOf(client);
      const sent = oauth.authorizationCodeGrantRequest(it.as, client, auth, params, redirect, verifier, options);
      await expect(
        sent.then((response) => oauth.processAuthorizationCodeResponse(it.as, client, response)),
      ).rejects.toMatchObject({ error: "invalid_target" });
    }
  });
});

describe("C-03 addresses with a trailing slash", () => {
  test("C-03 POST /mcp/ works like POST /mcp", async () => {
    const { access_token } = await exchange(it, await approved(it, client));
    for (const path of ["/mcp", "/mcp/"]) {
      const listed = await fetch(it.url + path, {
        method: "POST",
        redirect: "error",
        headers: {
          Authorization: `Bearer ${access_token}`,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      });
      expect([path, listed.status]).toEqual([path, 200]);
      expect(await listed.text()).toContain('"query_records"');
    }
  });
});

describe("C-03 dynamic registration", () => {
  test.each(["pdpp:read", "openid profile email", "mcp:*", "read unheard-of"])(
    "C-03 ignores an unknown scope: %s",
    async (scope) => {
      const other = await register(it, { scope });
      const { tokens } = { tokens: await exchange(it, await approved(it, other, { parameters: { scope } })) };
      expect(tokens.scope).toBe("read");
    },
  );

  test("C-03 a registered scope does not limit requests; grants do", async () => {
    const other = await register(it, { scope: "read" });
    const page = await consentPage(it, other, { scope: "files offline_access" });
    expect(page.html).toContain("An app is asking to browse your files");
  });
});
