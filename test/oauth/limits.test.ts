// SECURITY row 8: password guessing and floods of registrations and requests are rate limited, and the response gives a
// retry time.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { itemHash } from "../../src/auth/adapter.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Awaitable, ReadView } from "../../src/store/store.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { formWith, logIn, OWNER, ownerBrowser, setUp } from "./owner-browser.ts";

/** The limiters' clock advances only when a test advances it, so that the limits do not refill on a slow machine. */
const wait = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);

let server: TestServer;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  server = await testServer({ publicUrl: "https://data.example.org", proxies: { addresses: ["127.0.0.1"] } });
  const link = await newSetupLink(server.host, server.url);
  const page = await fetch(link);
  await post("/setup", page.headers.getSetCookie()[0]!.split(";")[0]!, {
    csrf: /name="csrf" value="([^"]*)"/.exec(await page.text())![1]!,
    code: new URL(link).searchParams.get("code")!,
    ...OWNER,
  });
});
afterAll(async () => {
  await server.close();
  vi.useRealTimers();
});

function post(
  path: string,
  cookie: string,
  fields: Record<string, string>,
  address = "203.0.113.1",
): Promise<Response> {
  return fetch(server.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: "https://data.example.org", "x-forwarded-for": address },
    body: new URLSearchParams(fields),
  });
}

const register = (address: string): Promise<Response> =>
  fetch(`${server.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], token_endpoint_auth_method: "none" }),
  });

/** Reads through another connection to the same home. */
async function inStore<T>(look: (view: ReadView) => Awaitable<T>): Promise<T> {
  const store = openSqliteStore(server.home);
  try {
    return await store.read(look);
  } finally {
    await store.close();
  }
}
const countClients = (): Promise<number> => inStore((view) => view.countAuthItems("Client", Date.now()));
const isKnown = async (id: string): Promise<boolean> =>
  (await inStore((view) => view.authItem("Client", itemHash("Client", id)))) !== undefined;

describe("SECURITY row 8: guessing the owner's password", () => {
  test("after ten guesses an address must wait; only the address from the last proxy hop is used, so a forged header does not help", async () => {
    const page = await fetch(`${server.url}/login`);
    const cookie = page.headers.getSetCookie()[0]!.split(";")[0]!;
    const csrf = /name="csrf" value="([^"]*)"/.exec(await page.text())![1]!;
    const guess = (n: number, address: string): Promise<Response> =>
      post("/login", cookie, { csrf, name: OWNER.name, password: `guess number ${n}` }, address);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await guess(n, `198.51.100.${n}, 203.0.113.7`)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const slow = await post("/login", cookie, { csrf, name: OWNER.name, password: OWNER.password }, "203.0.113.7");
    expect(slow.status).toBe(429);
    expect(slow.headers.get("retry-after")).toBe("30");
    expect(slow.headers.getSetCookie().some((line) => line.includes("pdpp_session"))).toBe(false);
    // The owner at another address is not locked out, however long the guessing continues.
    for (let n = 0; n < 60; n++) expect((await guess(n, "203.0.113.7")).status).toBe(429);
    const elsewhere = await post("/login", cookie, { csrf, name: OWNER.name, password: OWNER.password }, "203.0.113.8");
    expect(elsewhere.status).toBe(303);
    wait(30);
    expect([(await guess(0, "203.0.113.7")).status, (await guess(0, "203.0.113.7")).status]).toEqual([401, 429]);
    // A password reset works even from the address that the guesses came from, and an invalid reset code is refused
    // immediately.
    const link = new URL(await newSetupLink(server.host, server.url));
    const reset = (code: string): Promise<Response> => post("/setup", cookie, { csrf, code, ...OWNER }, "203.0.113.7");
    expect((await reset("guess")).status).toBe(403);
    expect((await reset(link.searchParams.get("code")!)).status).toBe(303);
  });
});

describe("G-12 password guesses from elsewhere", () => {
  test("G-12 do not lock out a browser that signed in before, or its pages", async () => {
    const own = await testServer();
    try {
      const browser = ownerBrowser(own.url);
      await setUp(browser, await newSetupLink(own.host, own.url));
      const guess = async (): Promise<number> => {
        const stranger = ownerBrowser(own.url);
        const form = formWith(await stranger.get("/login"), "password");
        const kept = form.fields.filter(([name]) => name !== "password");
        return (await stranger.post(form.action, [...kept, ["name", OWNER.name], ["password", "a guess"]])).status;
      };
      const statuses: number[] = [];
      for (let n = 0; n < 11; n++) statuses.push(await guess());
      expect(statuses).toEqual([...Array(10).fill(401), 429]);
      browser.cookies.delete("pdpp_session");
      expect((await logIn(browser, await browser.get("/dashboard/apps"))).status).toBe(200);
      // Wrong guesses in that browser are counted too, but only for that browser.
      browser.cookies.delete("pdpp_session");
      const form = formWith(await browser.get("/dashboard/apps"), "password");
      const kept = form.fields.filter(([name]) => name !== "password");
      const wrong: number[] = [];
      for (let n = 0; n < 11; n++)
        wrong.push((await browser.post(form.action, [...kept, ["name", OWNER.name], ["password", "a guess"]])).status);
      expect(wrong).toEqual([...Array(10).fill(401), 429]);
    } finally {
      await own.close();
    }
  });

  test("G-12 a direct caller cannot choose its address: X-Forwarded-For is used only if it comes from a trusted proxy", async () => {
    const token = "a token of the proxy";
    const published = await testServer({ publicUrl: "https://data.example.org", proxies: { token } });
    const registered = async (n: number, headers: Record<string, string>): Promise<number> => {
      const response = await fetch(`${published.url}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": `198.51.100.${n}`, ...headers },
        body: JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], token_endpoint_auth_method: "none" }),
      });
      await response.arrayBuffer();
      return response.status;
    };
    try {
      const direct: number[] = [];
      while (direct.at(-1) !== 429 && direct.length < 60) direct.push(await registered(direct.length, {}));
      expect(direct.at(-1)).toBe(429);
      expect(await registered(1, { "postern-proxy": "another token" })).toBe(429);
      expect(await registered(1, { "postern-proxy": token })).toBe(201);
    } finally {
      await published.close();
    }
  });
});

describe("SECURITY row 8: registrations", () => {
  test("more than twenty per minute from one address get 429 with Retry-After", async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++) statuses.push((await register("203.0.113.20")).status);
    expect(statuses).toEqual([...Array(20).fill(201), 429]);
    const refused = await register("203.0.113.20");
    expect(refused.headers.get("retry-after")).toBe("3");
    expect(((await refused.json()) as Loose).error).toBe("temporarily_unavailable");
    wait(3);
    expect([(await register("203.0.113.20")).status, (await register("203.0.113.20")).status]).toEqual([201, 429]);
    // All addresses in one /64 network count as one caller.
    statuses.length = 0;
    for (let n = 0; n < 21; n++) statuses.push((await register(`2001:db8:1:1::${n}`)).status);
    expect(statuses).toEqual([...Array(20).fill(201), 429]);
  });

  test("beyond a thousand clients, the oldest unused one is removed and the new one is registered", async () => {
    // src/engine/authority/clients.test.ts tests the flood itself.
    const store = openSqliteStore(server.home);
    await store.write(async (view) => {
      for (let n = await view.countAuthItems("Client", Date.now()); n < 1000; n++)
        await view.putAuthItem({
          kind: "Client",
          hash: `waiting-${n}`,
          body: "{}",
          grantId: null,
          uid: null,
          userCode: null,
          consumedAt: null,
          expiresAt: Date.now() + 86_400_000,
        });
    });
    await store.close();
    const waiting = await countClients();
    const last = await register("192.0.2.2");
    expect([last.status, await countClients(), waiting]).toEqual([201, 1000, 1000]);
    expect(await isKnown(((await last.json()) as Loose).client_id)).toBe(true);
  });

  test.each<[string, string, number]>([
    ["invalid JSON", "{", 400],
    ["a list", "[]", 400],
    [
      "a name that is not a string",
      JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], client_name: { a: 1 } }),
      400,
    ],
    [
      "an unsupported grant type",
      JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], grant_types: ["password"] }),
      400,
    ],
    [
      "an unsupported response type",
      JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], response_types: ["token"] }),
      400,
    ],
    [
      "two megabytes",
      JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], client_name: "x".repeat(2_000_000) }),
      400,
    ],
  ])("a registration with %s is refused", async (_what, body, status) => {
    const response = await fetch(`${server.url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.99" },
      body,
    });
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
      status,
      expect.arrayContaining(["error"]),
    ]);
  });
});

describe("SECURITY row 8: expensive requests", () => {
  test.each([
    ["authorization requests", "GET", "/oauth/authorize", 120],
    ["pushed requests", "POST", "/oauth/par", 60],
    ["device codes", "POST", "/oauth/device", 20],
    ["device pages", "GET", "/device", 60],
    ["tokens", "POST", "/oauth/token", 300],
  ] as const)("%s: %s %s is accepted %i times a minute from one address", async (_what, method, path, points) => {
    const ask = async (address: string): Promise<Response> => {
      const response = await fetch(server.url + path, { method, headers: { "x-forwarded-for": address } });
      await response.arrayBuffer();
      return response;
    };
    for (let n = 0; n < points; n++) expect((await ask("203.0.113.50")).status).not.toBe(429);
    const refused = await ask("203.0.113.50");
    const seconds = Math.ceil(60 / points);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String(seconds)]);
    expect((await ask("203.0.113.51")).status).not.toBe(429);
    wait(seconds);
    expect((await ask("203.0.113.50")).status).not.toBe(429);
  });
});
