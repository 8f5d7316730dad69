// C-02: apps that identify themselves with a metadata document can sign in, and stay signed in, while the server has no
// internet access.
import type * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardedFetch } from "../../src/auth/guarded-fetch.ts";
import { KNOWN_DOCUMENTS } from "../../src/auth/known-documents.ts";
import { type ClientSite, startClientSite } from "../client-site.ts";
import { newHome } from "../harness.ts";
import type { Page } from "./owner-browser.ts";
import { approved, ask, discover, exchange, reads, refresh, type World, world } from "./world.ts";

const APP = "https://app.example.test/client.json";
const APP_REDIRECT = "https://app.example.test/callback";

let site: ClientSite;
let it: World;
/** The result when the server fetches a document from the internet. */
let internet: "reachable" | "gone" | "refusing" | "withdrawn" = "gone";
let served: object;
beforeAll(async () => {
  site = await startClientSite((_request, response) => {
    if (internet === "reachable")
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(served));
    else response.writeHead(internet === "refusing" ? 403 : 404).end();
  });
  const reach = guardedFetch(site.reach);
  const offline = guardedFetch({
    resolve: async () => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    },
  });
  it = await world({ clientFetch: (input, init) => (internet === "gone" ? offline : reach)(input, init) });
});
afterAll(async () => {
  await it.close();
  await site.close();
});

const shown = async (client_id: string, redirect_uri: string): Promise<Page> =>
  it.browser.get((await ask(it, { client_id }, { redirect_uri })).href);
const isConsent = (page: Page): boolean => page.html.includes('name="digest"');
/** Adds an arbitrary port, such as the operating system would assign to the app. */
const asSent = (redirect: string): string => redirect.replace(/^(http:\/\/[^/:]+)(?::\d+)?\//, "$1:49152/");

describe("C-02 a known app, without internet", () => {
  test.each(Object.entries(KNOWN_DOCUMENTS))("C-02 %s signs in at each of its addresses", async (client_id, known) => {
    internet = "gone";
    const client: oauth.Client = { client_id, token_endpoint_auth_method: "none" };
    for (const redirect_uri of known.redirect_uris.map(asSent)) {
      const page = await shown(client_id, redirect_uri);
      expect(page.html).toContain(`It calls itself <q><bdi>${known.client_name}</bdi></q>`);
    }
    const redirect_uri = asSent(known.redirect_uris[0]!);
    const tokens = await exchange(it, await approved(it, client, { parameters: { redirect_uri } }));
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
    expect(await reads(it.server, (await refresh(it, client, tokens.refresh_token)).access_token)).toEqual([200]);
    const { words } = (await it.server.get(`/v1/grants/${tokens.grant_id}`)).body;
    expect(words.verified_host).toBeUndefined();
  });

  test("C-02 SECURITY row 7: an app is not verified by a bundled copy, and the page says that a copy was used", async () => {
    internet = "gone";
    const page = await shown(
      "https://chatgpt.com/oauth/client.json",
      "https://chatgpt.com/connector_platform_oauth_redirect",
    );
    expect(page.html).toContain("<h1>An unverified app</h1>");
    expect(page.html).not.toContain("Verified host");
    expect(page.html).toContain(
      "This server could not reach chatgpt.com and used the copy of the app’s description that came with this version of Postern.",
    );
  });

  test("C-02 SECURITY row 4: a bundled copy allows exactly the redirect addresses of its document", async () => {
    internet = "gone";
    for (const [client_id, redirect] of [
      ["https://chatgpt.com/oauth/client.json", "https://evil.example/"],
      ["https://chatgpt.com/oauth/client.json", "http://127.0.0.1/callback"],
      ["https://claude.ai/oauth/claude-code-client-metadata", "http://localhost:1234/other"],
      ["https://vscode.dev/oauth/client-metadata.json", "https://vscode.dev/redirect/x"],
      ["https://claude.ai/oauth/claude-code-client-metadata/", "http://localhost/callback"],
      ["https://CLAUDE.ai/oauth/claude-code-client-metadata", "http://localhost/callback"],
    ] as const) {
      const page = await shown(client_id, redirect);
      expect([client_id, redirect, page.status, isConsent(page)]).toEqual([client_id, redirect, 400, false]);
      expect(page.url).toContain(it.url);
    }
  });
});

describe("C-02 an app that was approved before", () => {
  const client: oauth.Client = { client_id: APP, token_endpoint_auth_method: "none" };
  const document = (more: object = {}): object => ({
    client_id: APP,
    client_name: "Shelf",
    redirect_uris: [APP_REDIRECT],
    token_endpoint_auth_method: "none",
    ...more,
  });

  test("C-02 refreshes and signs in again with the stored copy, even after a restart", async () => {
    const home = newHome();
    const clientFetch: typeof fetch = (input, init) =>
      internet === "gone" ? Promise.reject(new Error("offline")) : guardedFetch(site.reach)(input as string, init);
    const first = await world({ home, clientFetch });
    internet = "reachable";
    served = document();
    const tokens = await exchange(
      first,
      await approved(first, client, { parameters: { redirect_uri: APP_REDIRECT }, duration: "forever" }),
    );
    const { words } = (await first.server.get(`/v1/grants/${tokens.grant_id}`)).body;
    expect(words.verified_host).toBe("app.example.test");
    const { port } = new URL(first.url);
    await first.close();

    internet = "gone";
    const { testServer } = await import("../harness.ts");
    const server = await testServer({ home, clientFetch, port: Number(port) });
    try {
      const again = { ...first, server, as: await discover(server.url) };
      expect(await reads(server, (await refresh(again, client, tokens.refresh_token)).access_token)).toEqual([200]);
      const { href } = await ask(again, client, { redirect_uri: APP_REDIRECT });
      const page = await first.browser.get(href);
      expect(page.html).toContain("This server could not reach app.example.test and used what it read there on ");
      expect(page.html).not.toContain("Verified host");
    } finally {
      await server.close();
    }
  });

  test("C-02 the stored copy is updated with the served document and deleted with it", async () => {
    internet = "reachable";
    const id = "https://app.example.test/second.json";
    served = document({ client_id: id });
    const second: oauth.Client = { client_id: id, token_endpoint_auth_method: "none" };
    await exchange(it, await approved(it, second, { parameters: { redirect_uri: APP_REDIRECT } }));
    const { clientDocuments } = await import("../../src/auth/client-documents.ts");
    const read = async (): Promise<string> => {
      const fetchIt = guardedFetch(site.reach);
      const documents = clientDocuments(it.server.host, (input, init) =>
        internet === "gone" ? Promise.reject(new Error("offline")) : fetchIt(input, init),
      );
      const answer = await documents.fetch(id);
      return answer.status === 200
        ? `${((await answer.json()) as { client_name: string }).client_name}${documents.copyFor(id) ? ", copy" : ""}`
        : String(answer.status);
    };
    served = document({ client_id: id, client_name: "Shelf 2" });
    expect(await read()).toBe("Shelf 2");
    internet = "gone";
    expect(await read()).toBe("Shelf 2, copy");
    internet = "refusing";
    expect(await read()).toBe("Shelf 2, copy");
    // With a 404, the app itself states that the document is gone.
    internet = "withdrawn";
    expect(await read()).toBe("404");
    internet = "reachable";
    served = document({ client_id: "https://other.example.test/x" });
    await read();
    internet = "gone";
    expect(await read()).toBe("Shelf 2, copy");
  });
});

describe("C-02 an unknown app, without internet", () => {
  test("C-02 the page offers registration, and the command that it shows works", async () => {
    internet = "gone";
    const page = await shown("https://unknown.example.test/client.json", "http://127.0.0.1:50123/callback");
    expect([page.status, isConsent(page)]).toEqual([400, false]);
    expect(page.html).toContain("https://unknown.example.test/client.json");
    expect(page.html).toContain("<code>--oauth-client-registration dcr</code>");
    expect(page.html).toContain("<code>--client-id</code>");
    const line = /<code>(curl [^<]*)<\/code>/.exec(page.html)![1]!.replaceAll("&quot;", '"').replaceAll("&#39;", "'");
    const [, body, url] = /-d '(.*)' (\S+)$/.exec(line)!;
    const answered = await fetch(url!, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(answered.status).toBe(201);
    const { client_id } = (await answered.json()) as { client_id: string };
    expect(isConsent(await shown(client_id, "http://127.0.0.1:50123/callback"))).toBe(true);
  });

  test("C-02 a request that cannot be registered gets no command, and nothing in it becomes markup", async () => {
    internet = "gone";
    for (const redirect of ["javascript:alert(1)", "http://evil.example/'; rm -rf /", "https://x/<script>"]) {
      const page = await shown("https://unknown.example.test/<b>client</b>.json", redirect);
      expect(page.status).toBe(400);
      expect(page.html).not.toMatch(/curl|<b>|<script>alert/);
    }
  });
});

describe("C-02 real metadata documents", () => {
  test("C-02 an app signs in although its document prefers a signed assertion, as ChatGPT's does, and lists a grant type that is not supported here, as Claude's does", async () => {
    internet = "reachable";
    const id = "https://app.example.test/chatgpt.json";
    served = {
      client_id: id,
      client_name: "ChatGPT",
      redirect_uris: [APP_REDIRECT],
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
      token_endpoint_auth_signing_alg: "RS256",
      jwks_uri: "https://app.example.test/jwks.json",
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
      response_types: ["code"],
      scope: "mcp:*",
    };
    const client: oauth.Client = { client_id: id, token_endpoint_auth_method: "none" };
    const tokens = await exchange(it, await approved(it, client, { parameters: { redirect_uri: APP_REDIRECT } }));
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
    expect(site.requests.map(({ url }) => url)).not.toContain("/jwks.json");
  });
});
