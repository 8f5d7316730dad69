// SECURITY row 8: guessing, floods of registrations and of requests: slow, bounded, and told when to come back.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { itemHash } from "../../src/auth/adapter.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Awaitable, ReadView } from "../../src/store/store.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { formWith, logIn, OWNER, ownerBrowser, setUp } from "./owner-browser.ts";

/** `POSTERN_REGISTRATIONS=10000` is the long way; the limit stands at 1000 unapproved clients. */
const REGISTRATIONS = Number(process.env.POSTERN_REGISTRATIONS ?? 1100);

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ publicUrl: "https://data.example.org", proxies: { addresses: ["127.0.0.1"] } });
  const link = await newSetupLink(server.host, server.url);
  const page = await fetch(link);
  await post("/setup", page.headers.getSetCookie()[0]!.split(";")[0]!, {
    csrf: /name="csrf" value="([^"]*)"/.exec(await page.text())![1]!,
    code: new URL(link).searchParams.get("code")!,
    ...OWNER,
  });
});
afterAll(() => server.close());

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

/** As another connection to the same home sees it. */
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
  test("ten times from one address, then it waits; the last hop counts, not what a forger puts before it", async () => {
    const page = await fetch(`${server.url}/login`);
    const cookie = page.headers.getSetCookie()[0]!.split(";")[0]!;
    const csrf = /name="csrf" value="([^"]*)"/.exec(await page.text())![1]!;
    const guess = (n: number, address: string): Promise<Response> =>
      post("/login", cookie, { csrf, name: OWNER.name, password: `guess number ${n}` }, address);
    const statuses: number[] = [];
    // A try comes back every 30 seconds, so a slow machine gets a few more.
    while (statuses.at(-1) !== 429 && statuses.length < 40)
      statuses.push((await guess(statuses.length, `198.51.100.${statuses.length}, 203.0.113.7`)).status);
    expect([statuses.length > 10, statuses.at(-1)]).toEqual([true, 429]);
    const slow = await post("/login", cookie, { csrf, name: OWNER.name, password: OWNER.password }, "203.0.113.7");
    expect(slow.status).toBe(429);
    expect(Number(slow.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(slow.headers.getSetCookie().some((line) => line.includes("pdpp_session"))).toBe(false);
    // The owner, elsewhere, is not shut out, however long the one goes on.
    for (let n = 0; n < 60; n++) expect((await guess(n, "203.0.113.7")).status).toBe(429);
    const elsewhere = await post("/login", cookie, { csrf, name: OWNER.name, password: OWNER.password }, "203.0.113.8");
    expect(elsewhere.status).toBe(303);
    // Nor from a reset, at the very address that guesses; a code that is none is refused without more ado.
    const link = new URL(await newSetupLink(server.host, server.url));
    const reset = (code: string): Promise<Response> => post("/setup", cookie, { csrf, code, ...OWNER }, "203.0.113.7");
    expect((await reset("guess")).status).toBe(403);
    expect((await reset(link.searchParams.get("code")!)).status).toBe(303);
  });
});

describe("G-12 guesses from elsewhere", () => {
  test("G-12 lock out neither the browser that signed in before nor its own pages", async () => {
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
      // A try comes back every 30 seconds, so a slow machine gets a few more.
      while (statuses.at(-1) !== 429 && statuses.length < 40) statuses.push(await guess());
      expect(statuses.at(-1)).toBe(429);
      browser.cookies.delete("pdpp_session");
      expect((await logIn(browser, await browser.get("/dashboard/apps"))).status).toBe(200);
      // Its own guesses are counted as well, and only for itself.
      browser.cookies.delete("pdpp_session");
      const form = formWith(await browser.get("/dashboard/apps"), "password");
      const kept = form.fields.filter(([name]) => name !== "password");
      const wrong: number[] = [];
      while (wrong.at(-1) !== 429 && wrong.length < 40)
        wrong.push((await browser.post(form.action, [...kept, ["name", OWNER.name], ["password", "a guess"]])).status);
      expect([wrong.length > 10, wrong.at(-1)]).toEqual([true, 429]);
    } finally {
      await own.close();
    }
  }, 120_000);

  test("G-12 a direct caller does not choose its address: X-Forwarded-For counts from a trusted proxy only", async () => {
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

/** Registers until it is refused; one comes back every three seconds meanwhile. */
async function flood(address: (n: number) => string): Promise<[Response[], number]> {
  const began = performance.now();
  const answers: Response[] = [];
  while (answers.at(-1)?.status !== 429 && answers.length < 60) answers.push(await register(address(answers.length)));
  return [answers, Math.ceil((performance.now() - began) / 3000)];
}

describe("SECURITY row 8: registrations", () => {
  test("twenty a minute from one address, then 429 with Retry-After", async () => {
    const [answers, refilled] = await flood(() => "203.0.113.20");
    expect(answers.slice(0, 20).map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(answers.length).toBeLessThanOrEqual(21 + refilled);
    expect(Number(answers.at(-1)!.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(((await answers.at(-1)!.json()) as Loose).error).toBe("temporarily_unavailable");
    // One /64 is one caller.
    const [six, refilledSix] = await flood((n) => `2001:db8:1:1::${n}`);
    expect(six.length).toBeLessThanOrEqual(21 + refilledSix);
  });

  test(`${REGISTRATIONS} from as many addresses: nobody is kept out, and no more than a thousand wait`, async () => {
    const first = (await (await register("192.0.2.1")).json()) as Loose;
    for (let n = 0; n < REGISTRATIONS; n += 20) {
      const batch = await Promise.all(
        Array.from({ length: Math.min(20, REGISTRATIONS - n) }, (_, k) =>
          register(`10.${(n + k) >> 16}.${((n + k) >> 8) & 255}.${(n + k) & 255}`),
        ),
      );
      expect(batch.map(({ status }) => status)).toEqual(batch.map(() => 201));
    }
    const waiting = await countClients();
    expect(waiting).toBeLessThanOrEqual(1000);
    expect(await isKnown(first.client_id)).toBe(false);
    expect((await server.get("/v1/schema")).status).toBe(200);
    console.log(`${REGISTRATIONS} registrations: ${waiting} wait for an owner`);
  }, 600_000);

  test.each<[string, string, number]>([
    ["no JSON", "{", 400],
    ["a list", "[]", 400],
    ["names that are no text", JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], client_name: { a: 1 } }), 400],
    [
      "a grant type that is not here",
      JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], grant_types: ["password"] }),
      400,
    ],
    [
      "a response type that is not here",
      JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], response_types: ["token"] }),
      400,
    ],
    [
      "two megabytes",
      JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], client_name: "x".repeat(2_000_000) }),
      400,
    ],
  ])("with %s: refused", async (_what, body, status) => {
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

describe("SECURITY row 8: requests that cost the server something", () => {
  test("are limited per address: authorize, device codes, pushed requests", async () => {
    for (const [path, method] of [
      ["/oauth/authorize", "GET"],
      ["/oauth/par", "POST"],
      ["/oauth/device", "POST"],
      ["/device", "GET"],
    ] as const) {
      let refused: Response | undefined;
      for (let n = 0; n < 400 && refused === undefined; n++) {
        const response = await fetch(server.url + path, { method, headers: { "x-forwarded-for": "203.0.113.50" } });
        if (response.status === 429) refused = response;
        else await response.arrayBuffer();
      }
      expect([path, Number(refused?.headers.get("retry-after")) > 0]).toEqual([path, true]);
    }
  });
});
