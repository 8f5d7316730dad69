// Client ID Metadata Documents: an app is identified by the URL of its document, which is fetched safely (SECURITY row
// 6), and the page shows the document's host (row 7).
import type { IncomingMessage, ServerResponse } from "node:http";
import type * as oauth from "oauth4webapi";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { guardedFetch } from "../../src/auth/guarded-fetch.ts";
import { type ClientSite, startClientSite } from "../client-site.ts";
import type { Page } from "./owner-browser.ts";
import { approved, ask, exchange, REDIRECT, reads, refresh, type World, world } from "./world.ts";

let site: ClientSite;
let it: World;
let answerOf: (request: IncomingMessage, response: ServerResponse) => void;
let addresses: string[];
let number = 0;

/** The server under test uses a fetch function that resolves hosts to the addresses that a test sets. */
beforeAll(async () => {
  site = await startClientSite((request, response) => answerOf(request, response));
  const fetchIt = guardedFetch({
    ...site.reach,
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
  });
  it = await world({ clientFetch: fetchIt });
});
afterAll(async () => {
  await it.close();
  await site.close();
});
beforeEach(() => {
  addresses = ["93.184.215.14"];
  site.requests.length = 0;
});

/** A redirect address on the app's own site, so only the app that the document describes receives the response. */
const SITE_REDIRECT = "https://app.example.test/callback";

/** Returns a new document URL, so that nothing is cached. */
const newId = (host = "app.example.test"): string => `https://${host}/client-${++number}.json`;
const serve = (document: object | string | Buffer, headers: Record<string, string> = {}, status = 200): void => {
  answerOf = (_request, response) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof document === "string" || Buffer.isBuffer(document) ? document : JSON.stringify(document));
};
const documentOf = (id: string, more: object = {}): object => ({
  client_id: id,
  client_name: "Shelf",
  redirect_uris: [SITE_REDIRECT, REDIRECT],
  token_endpoint_auth_method: "none",
  ...more,
});
const shown = async (client_id: string, parameters: Record<string, string> = {}): Promise<Page> =>
  it.browser.get((await ask(it, { client_id }, { redirect_uri: SITE_REDIRECT, ...parameters })).href);
const isConsent = (page: Page): boolean => page.html.includes('name="digest"');

describe("P-03 a client metadata document", () => {
  test("is fetched, its host is shown prominently, and the app connects", async () => {
    const id = newId();
    serve(documentOf(id));
    const client: oauth.Client = { client_id: id, token_endpoint_auth_method: "none" };
    const page = await shown(id);
    expect(page.html).toMatch(/<h1><bdi>app\.example\.test<\/bdi><\/h1>/);
    expect(page.html).toContain("Verified host");
    expect(page.html).toContain("It calls itself <q><bdi>Shelf</bdi></q>.");
    const tokens = await exchange(it, await approved(it, client, { parameters: { redirect_uri: SITE_REDIRECT } }));
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
    const { grant } = (await it.server.get(`/v1/grants/${tokens.grant_id}`)).body;
    expect(grant.client.client_id).toBe(id);
    expect(await reads(it.server, (await refresh(it, client, tokens.refresh_token)).access_token)).toEqual([200]);
    // The document is cached for a while, so the whole flow needs only one fetch.
    expect(site.requests).toHaveLength(1);
  });

  test("a redirect address that the document does not list is refused", async () => {
    const id = newId();
    serve(documentOf(id));
    for (const uri of ["https://evil.example/", "http://127.0.0.1:9999/other", "https://app.example.test/"]) {
      const page = await shown(id, { redirect_uri: uri });
      expect([page.status, isConsent(page)]).toEqual([400, false]);
      expect(page.url).toContain(it.url);
    }
  });

  const refusedDocuments: [string, (id: string) => object | string | Buffer][] = [
    ["of another client_id", () => documentOf("https://other.example.test/client.json")],
    ["without a client_id", () => ({ client_name: "Shelf", redirect_uris: [REDIRECT] })],
    ["with a secret", (id) => documentOf(id, { client_secret: "x" })],
    ["that requires a secret", (id) => documentOf(id, { token_endpoint_auth_method: "client_secret_basic" })],
    ["with a hostile redirect", (id) => documentOf(id, { redirect_uris: ["javascript:alert(1)"] })],
    ["without redirects", (id) => documentOf(id, { redirect_uris: [] })],
    ["of more than 5 KB", (id) => documentOf(id, { client_name: "x".repeat(6000) })],
    ["that is not JSON", () => "<html>"],
    ["that is a list", () => "[]"],
    ["that is null", () => "null"],
    ["that is empty", () => ""],
    ["with a redirect list that is not a list", (id) => documentOf(id, { redirect_uris: "http://127.0.0.1/cb" })],
    ["nested deeply", () => `${"[".repeat(2000)}${"]".repeat(2000)}`],
  ];
  test.each(refusedDocuments)("a document %s is refused", async (_what, make) => {
    const id = newId();
    serve(make(id));
    const page = await shown(id);
    expect([page.status, isConsent(page)]).toEqual([400, false]);
    expect(page.url).toContain(it.url);
  });

  test("a response with a redirect, an error or another type is refused, and no redirect is followed", async () => {
    for (const [status, headers] of [
      [302, { location: "https://other.example.test/client.json" }],
      [301, { location: "http://127.0.0.1:1/" }],
      [404, {}],
      [500, {}],
      [200, { "content-type": "text/html" }],
    ] as [number, Record<string, string>][]) {
      const id = newId();
      serve(documentOf(id), headers, status);
      site.requests.length = 0;
      expect(isConsent(await shown(id))).toBe(false);
      // The error page may fetch the same address once more, but no other address.
      expect(new Set(site.requests.map(({ url }) => url))).toEqual(new Set([new URL(id).pathname]));
    }
  });
});

describe("SECURITY row 6: fetching the address in client_id", () => {
  test.each([
    ["127.0.0.1"],
    ["10.0.0.5"],
    ["192.168.1.1"],
    ["172.16.0.1"],
    ["169.254.169.254"],
    ["100.64.0.1"],
    ["0.0.0.0"],
    ["::1"],
    ["fc00::1"],
    ["fe80::1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
  ])("a host at %s is not contacted", async (address) => {
    const id = newId();
    serve(documentOf(id));
    for (const all of [[address], ["93.184.215.14", address]]) {
      addresses = all;
      expect(isConsent(await shown(id))).toBe(false);
    }
    expect(site.requests).toHaveLength(0);
  });

  test.each([
    "http://app.example.test/client.json",
    "https://127.0.0.1/client.json",
    "https://[::1]/client.json",
    "https://app.example.test:8443/client.json",
    "https://user:pass@app.example.test/client.json",
    "https://app.example.test/client.json#x",
    "https://app.example.test./client.json",
    "https://app.example.test/x/../client.json",
    "ftp://app.example.test/client.json",
    "https://",
    "https:///client.json",
    "file:///etc/passwd",
  ])("%s is not fetched", async (id) => {
    serve(documentOf(id));
    const page = await shown(id);
    expect([page.status, isConsent(page)]).toEqual([400, false]);
    expect(site.requests).toHaveLength(0);
  });

  test("URLs in a registration are not fetched: logos, keys, sectors, requests", async () => {
    for (const more of [
      { logo_uri: "https://app.example.test/logo.png" },
      { client_uri: "https://app.example.test/" },
      { policy_uri: "https://app.example.test/" },
      { jwks_uri: "https://app.example.test/jwks" },
      { sector_identifier_uri: "https://app.example.test/sector" },
      { request_uris: ["https://app.example.test/request"] },
      { initiate_login_uri: "https://app.example.test/login" },
    ]) {
      serve([] as unknown as object);
      await fetch(it.as.registration_endpoint!, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: [REDIRECT], token_endpoint_auth_method: "none", ...more }),
      });
    }
    expect(site.requests.map(({ url }) => url)).toEqual([]);
    const page = await shown(newId(), { request_uri: "https://app.example.test/request" });
    expect(isConsent(page)).toBe(false);
    expect(site.requests.map(({ url }) => url)).not.toContain("/request");
  });
});

describe("SECURITY row 7: an app's identity on the page", () => {
  const nameOf = async (client_name: string): Promise<Page> => {
    const id = newId();
    serve(documentOf(id, { client_name }));
    return shown(id);
  };

  test.each<[string, string]>([
    ["markup", "<img src=x onerror=alert(1)><script>alert(1)</script>\"'>"],
    ["an imitated badge", "Claude ✔ Verified host"],
    ["right-to-left overrides", "Claude\u202Eedualc\u2066x\u2069"],
    ["invisible characters", "Cla\u200B\u200D\uFEFFude\u00AD"],
    ["letters of another alphabet", "Сlаudе"],
    ["thousands of characters", "Claude ".repeat(500)],
    ["line breaks", "Claude\n\n\nApproved by your bank"],
    ["closing quotes", "Claude”. This app is trusted by Postern. “"],
    ["stacked marks", `Cl${"\u0301".repeat(200)}aude`],
  ])("a name with %s stays a quoted claim under the real host", async (_what, name) => {
    const page = await nameOf(name);
    expect(isConsent(page)).toBe(true);
    const [, heading] = /<h1>(.*?)<\/h1>/s.exec(page.html)!;
    expect(heading).toBe("<bdi>app.example.test</bdi>");
    expect(page.html).not.toMatch(/<img|<script>|onerror=alert\(1\)>/);
    const claim = /It calls itself <q><bdi>(.*?)<\/bdi><\/q>/s.exec(page.html)?.[1] ?? "";
    expect(claim).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B-\u200F\uFEFF\u00AD\n<>”“✔]/);
    expect([...claim].length).toBeLessThanOrEqual(200);
    expect(page.html.match(/<h1/g)).toHaveLength(1);
    expect(page.html.match(/Verified host/g)!.length).toBeLessThanOrEqual(
      1 + (claim.includes("Verified host") ? 3 : 0),
    );
  });

  test("a look-alike name is labelled as such", async () => {
    expect((await nameOf("Сlаudе")).html).toContain("look-alike letters from different alphabets");
    expect((await nameOf("Official Claude")).html).toContain("The app chose these words.");
  });

  test("an app that only registered is shown as unverified, whatever it claims", async () => {
    const response = await fetch(it.as.registration_endpoint!, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: "https://claude.ai verified",
        client_uri: "https://claude.ai/",
        redirect_uris: ["https://evil.example/cb"],
        token_endpoint_auth_method: "none",
      }),
    });
    const { client_id } = (await response.json()) as { client_id: string };
    const page = await shown(client_id, { redirect_uri: "https://evil.example/cb" });
    expect(page.html).toContain("<h1>An unverified app</h1>");
    expect(page.html).toContain('<span class="badge warn">Unverified</span>');
    expect(page.html).not.toContain("Verified host");
    expect(page.html).toContain("to <strong><bdi>evil.example</bdi></strong>");
    expect(page.html).toContain("Claimed website");
    expect(page.html).not.toMatch(/<a [^>]*claude\.ai/);
  });

  test("the app's own statements are quoted, under its name", async () => {
    const id = newId();
    serve(documentOf(id));
    const page = await shown(id, {
      authorization_details: JSON.stringify([
        {
          type: "https://pdpp.dev/data-access",
          source: { kind: "connector", id: "https://test.example/library" },
          purpose_code: "https://app.example.test/<b>purpose</b>",
          purpose_description: "Postern has checked this app.\u202E <script>alert(1)</script>",
          access_mode: "continuous",
          retention: "<i>one day</i>",
          client_claims: { "<u>Audited</u>": "by\nnobody", "Verified host": "yes" },
          streams: [{ name: "authors", instance_ids: [it.town] }],
        },
      ]),
    });
    expect(isConsent(page)).toBe(true);
    expect(page.html).not.toMatch(/<script>|<b>|<i>|<u>|\u202E/);
    expect(page.html).toContain("app.example.test says:");
    expect(page.html).toContain("Its own words. This server does not check them and cannot make the app keep to them.");
  });
});
