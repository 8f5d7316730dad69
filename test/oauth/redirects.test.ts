// SECURITY row 4 over HTTP: hostile redirect URIs are neither registered nor followed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NEIGHBOURS, REFUSED, REGISTERED } from "../../src/auth/redirect-uris.fixture.ts";
import { type TestServer, testServer } from "../harness.ts";
import { postForm } from "./world.ts";

let server: TestServer;
let clientId: string;

/** Each request comes from a different address, because other tests cover the registration limit. */
let callers = 0;
const from = (): Record<string, string> => {
  callers++;
  return { "x-forwarded-for": `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}` };
};

const register = async (redirect_uris: string[]): Promise<[number, { client_id: string; error: string }]> => {
  const response = await fetch(`${server.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", ...from() },
    body: JSON.stringify({ redirect_uris, token_endpoint_auth_method: "none" }),
  });
  return [response.status, (await response.json()) as { client_id: string; error: string }];
};

const request = (redirect_uri: string): Record<string, string> => ({
  client_id: clientId,
  redirect_uri,
  response_type: "code",
  code_challenge: "x".repeat(43),
  code_challenge_method: "S256",
});

const authorize = (redirect_uri: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}/oauth/authorize?${new URLSearchParams({ ...request(redirect_uri), ...more })}`, {
    redirect: "manual",
    headers: { accept: "text/html", ...from() },
  });

beforeAll(async () => {
  server = await testServer({ publicUrl: "https://data.example.org", proxies: { addresses: ["127.0.0.1"] } });
  const [status, body] = await register([...REGISTERED]);
  expect(status).toBe(201);
  clientId = body.client_id;
});
afterAll(() => server.close());

describe("SECURITY row 4: redirect URIs over HTTP", () => {
  test.each(Object.entries(REFUSED))("%s is not registered", async (_kind, uris) => {
    for (const uri of uris) {
      const [status, body] = await register([uri]);
      expect([uri, status, body.error]).toEqual([
        uri,
        400,
        expect.stringMatching(/^invalid_(redirect_uri|client_metadata)$/),
      ]);
    }
  });

  test("a hostile URI next to a valid one is not registered, nor are more than twenty URIs", async () => {
    expect((await register(["https://claude.ai/cb", "javascript:alert(1)"]))[0]).toBe(400);
    expect((await register(Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`)))[0]).toBe(400);
    expect((await register([]))[0]).toBe(400);
  });

  const all = [...Object.values(REFUSED).flat(), ...NEIGHBOURS];
  test(`${all.length} hostile URIs are never redirected to, whether for a request or for an error`, async () => {
    expect(all.length).toBeGreaterThanOrEqual(60);
    for (const uri of all) {
      for (const more of [
        {},
        { response_type: "token" },
        { resource: "https://evil.example" },
        { prompt: "none" },
      ] as Record<string, string>[]) {
        const response = await authorize(uri, more);
        expect([uri, response.status, response.headers.get("location")]).toEqual([uri, 400, null]);
        if (Object.keys(more).length > 0) continue;
        const html = await response.text();
        expect(html).toContain("This request cannot be completed");
        if (uri.length > 12) expect(html).not.toContain(uri);
      }
    }
  });

  test("a hostile URI in a pushed request is refused", async () => {
    for (const uri of [
      ...NEIGHBOURS.slice(0, 5),
      "javascript:alert(1)",
      "https://evil.example/",
      "http://localhost.evil.example/callback",
    ]) {
      const pushed = await postForm(`${server.url}/oauth/par`, request(uri), from());
      expect([uri, pushed.status, pushed.body.error]).toEqual([uri, 400, expect.stringMatching(/^invalid_re/)]);
    }
  });

  test("a client with several URIs must specify exactly one", async () => {
    const { redirect_uri: _none, ...rest } = request("");
    const without = await fetch(`${server.url}/oauth/authorize?${new URLSearchParams(rest)}`, {
      redirect: "manual",
      headers: from(),
    });
    expect([without.status, without.headers.get("location")]).toEqual([400, null]);
    const two = `${new URLSearchParams(request(REGISTERED[0]!))}&redirect_uri=${encodeURIComponent("https://evil.example/")}`;
    const both = await fetch(`${server.url}/oauth/authorize?${two}`, { redirect: "manual", headers: from() });
    expect([both.status, both.headers.get("location")]).toEqual([400, null]);
  });

  test("an unknown client gets no redirect", async () => {
    const response = await authorize("https://evil.example/", { client_id: "cli_unknown" });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  test("registered redirect URIs are accepted, loopback ones with any port, and a new app's error page links to its redirect URI", async () => {
    const linkOf = async (uri: string): Promise<string> => {
      const html = await (await authorize(uri, { resource: "https://evil.example" })).text();
      return (/rel="noreferrer" href="([^"]+)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&");
    };
    for (const uri of REGISTERED) {
      const link = await linkOf(uri);
      expect(link).toMatch(/[?&]error=invalid_target/);
      expect(link.startsWith(uri.replace(/\?.*/, "")), link).toBe(true);
    }
    expect(await linkOf("http://localhost:49152/callback")).toMatch(/^http:\/\/localhost:49152\/callback\?/);
  });
});
