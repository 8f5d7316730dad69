// The owner's sign-in: setup once, signing in and out, and cookies. The file also covers forms from other sites
// (SECURITY row 2) and page headers (row 3).
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type TestServer, testServer } from "../harness.ts";
import {
  type Form,
  formWith,
  logIn,
  OWNER,
  type OwnerBrowser,
  ownerBrowser,
  type Page,
  setUp,
} from "./owner-browser.ts";
import { answer, ask, connected, reads, register, type World, world } from "./world.ts";

let it: World;
beforeAll(async () => {
  it = await world();
});
afterAll(() => it.close());

const signedOut = (): OwnerBrowser => ownerBrowser(it.url);
const isSignedIn = async (browser: OwnerBrowser): Promise<boolean> =>
  (await browser.get("/dashboard/apps")).status === 200;
const withFields = (form: Form, change: Record<string, string>): [string, string][] => [
  ...form.fields.filter(([name]) => !(name in change)),
  ...Object.entries(change),
];

describe("setup", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer();
  });
  afterAll(() => server.close());

  test("signing in is impossible before setup", async () => {
    const page = await ownerBrowser(server.url).get("/login");
    expect([page.status, page.html.includes("This server has no owner yet")]).toEqual([403, true]);
  });

  test("a link works once, and only the last printed one works", async () => {
    const first = await newSetupLink(server.host, server.url);
    const second = await newSetupLink(server.host, server.url);
    expect((await ownerBrowser(server.url).get(first)).status).toBe(403);
    const [mine, theirs] = [ownerBrowser(server.url), ownerBrowser(server.url)];
    const opened = formWith(await theirs.get(second), "password");
    expect((await setUp(mine, second)).url).toBe(`${server.url}/dashboard`);
    const late = await theirs.post(opened.action, withFields(opened, { name: "Eve", password: "eve has a password" }));
    expect(late.status).toBe(403);
    expect(theirs.cookies.has("pdpp_session")).toBe(false);
    expect((await ownerBrowser(server.url).get(second)).status).toBe(403);
  });

  test("a link is valid for a day", async () => {
    const before = Date.now();
    const link = await newSetupLink(server.host, server.url);
    const { code } = Object.fromEntries(new URL(link).searchParams);
    const { oneTimeCodeHash } = await import("../../src/auth/one-time-code.ts");
    const { checkSetupCode } = await import("../../src/engine/authority/owner.ts");
    const item = await server.host.call("authItem", { kind: "Setup", hash: oneTimeCodeHash(code!) }, { home: true });
    const expiresAt = item!.expiresAt!;
    const madeAt = expiresAt - 24 * 3_600_000;
    expect([madeAt >= before, madeAt <= Date.now()]).toEqual([true, true]);
    const view = { authItem: async () => item } as unknown as Parameters<typeof checkSetupCode>[0];
    expect(await checkSetupCode(view, "", expiresAt - 1)).toEqual({ valid: true });
    expect(await checkSetupCode(view, "", expiresAt)).toEqual({ valid: false });
  });

  test("a guessed code gives no access; a weak password is refused with an explanation, and the link stays valid", async () => {
    expect((await ownerBrowser(server.url).get("/setup?code=guess")).status).toBe(403);
    expect((await ownerBrowser(server.url).get("/setup")).status).toBe(403);
    const browser = ownerBrowser(server.url);
    const form = formWith(await browser.get(await newSetupLink(server.host, server.url)), "password");
    const weak = await browser.post(form.action, withFields(form, { name: "Nora", password: "short" }));
    expect([weak.status, weak.html.includes("fewer than 10 characters")]).toEqual([400, true]);
    const again = formWith(weak, "password");
    const done = await browser.post(again.action, withFields(again, { name: "Nora", password: "long enough, yes" }));
    expect(done.url).toBe(`${server.url}/dashboard`);
  });

  test("a reset ends every session", async () => {
    const before = ownerBrowser(server.url);
    await setUp(before, await newSetupLink(server.host, server.url));
    const session = before.cookies.get("pdpp_session")!;
    expect(await isSignedIn(before)).toBe(true);
    await setUp(ownerBrowser(server.url), await newSetupLink(server.host, server.url));
    expect(await isSignedIn(before)).toBe(false);
    before.cookies.set("pdpp_session", session);
    expect(await isSignedIn(before)).toBe(false);
  });
});

describe("signing in", () => {
  test("a wrong name or password gives no access, and the page does not say which was wrong", async () => {
    const pages = new Set<string>();
    for (const [name, password] of [
      [OWNER.name, "wrong password"],
      ["Somebody", OWNER.password],
      [OWNER.name, ""],
      ["", ""],
    ]) {
      const browser = signedOut();
      const form = formWith(await browser.get("/login"), "password");
      const page = await browser.post(form.action, withFields(form, { name: name!, password: password! }));
      expect(page.status).toBe(401);
      expect(browser.cookies.has("pdpp_session")).toBe(false);
      pages.add(page.html.replace(/value="[^"]*"/g, ""));
    }
    expect(pages.size).toBe(1);
  });

  test("leads to the page that required it, never to another site", async () => {
    const places: [string, string][] = [
      ["/dashboard/apps?x=1", "/dashboard/apps?x=1"],
      ["https://evil.example/", "/dashboard"],
      ["//evil.example/", "/dashboard"],
      ["/\\evil.example/", "/dashboard"],
      ["\\\\evil.example", "/dashboard"],
      ["/\t/evil.example", "/dashboard"],
      ["/\n/evil.example", "/dashboard"],
      ["/%0d%0aLocation:%20https://evil.example", "/%0d%0aLocation:%20https://evil.example"],
      ["javascript:alert(1)", "/dashboard"],
      ["data:text/html,x", "/dashboard"],
      [" /dashboard/apps", "/dashboard"],
      ["/a\\..\\..\\evil", "/dashboard"],
      ["/é", "/dashboard"],
      ["", "/dashboard"],
      ["evil.example", "/dashboard"],
      ["/@evil.example", "/@evil.example"],
      ["///evil.example", "/dashboard"],
      ["/.//evil.example", "/.//evil.example"],
    ];
    for (const [asked, expected] of places) {
      const browser = signedOut();
      const form = formWith(await browser.get(`/login?return_to=${encodeURIComponent(asked)}`), "password");
      const shown = form.fields.find(([name]) => name === "return_to")?.[1];
      expect([asked, shown]).toEqual([asked, expected]);
      expect(new URL(shown!, it.url).origin).toBe(it.url);
    }
    // Completes one sign-in with a tampered form. The server does not trust the address in the form.
    const browser = signedOut();
    const form = formWith(await browser.get("/login"), "password");
    const page = await browser.post(
      form.action,
      withFields(form, { name: OWNER.name, password: OWNER.password, return_to: "//evil.example/" }),
    );
    expect(page.url).toBe(`${it.url}/dashboard`);
  });

  test("an app's request is shown only after signing in", async () => {
    const browser = signedOut();
    const { href } = await ask(it, await register(it));
    const login = await browser.get(href);
    expect([login.status, login.html.includes("An app is asking to read your data")]).toEqual([401, true]);
    expect(login.html).not.toContain("Town library");
    const page = await logIn(browser, login);
    expect(page.html).toContain('name="digest"');
  });

  test("opening an address without the browser's key requires the password first", async () => {
    for (const path of ["/dashboard/apps?x=1", "/dashboard/records/cin_1/books/a%3Bb", "/dashboard/why/req_1"]) {
      const page = await signedOut().get(path);
      expect(page.status).toBe(401);
      expect(formWith(page, "password").fields).toContainEqual(["return_to", path]);
    }
  });

  test("G-03 an ended session, or a key without its cookie, shows the sign-in page once, at the same address", async () => {
    const browser = signedOut();
    await logIn(browser, await browser.get("/login"));
    const { key } = browser;
    browser.cookies.delete("pdpp_session");
    const again = await browser.get("/dashboard/apps");
    expect(again.status).toBe(401);
    // The browser keeps its key, so other tabs keep working.
    expect((await logIn(browser, again)).status).toBe(200);
    expect(browser.key).toBe(key);
    browser.cookies.delete("pdpp_browser");
    const unknown = await browser.get("/dashboard/apps");
    expect(unknown.status).toBe(401);
    expect((await logIn(browser, unknown)).status).toBe(200);
    expect(browser.key).not.toBe(key);
  });

  test("G-03 a session is valid only with the key of its own browser", async () => {
    const [one, other] = [signedOut(), signedOut()];
    await logIn(one, await one.get("/login"));
    await logIn(other, await other.get("/login"));
    const at = async (key: string | undefined, cookies: Record<string, string>): Promise<number> => {
      const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
      const path = `${key === undefined ? "" : `/~${key}`}/dashboard/apps`;
      return (await fetch(it.url + path, { headers: { cookie: cookie.join("; "), accept: "text/html" } })).status;
    };
    const { pdpp_session = "", pdpp_browser = "" } = Object.fromEntries(one.cookies);
    expect(await at(one.key, { pdpp_session, pdpp_browser })).toBe(200);
    expect(await at(one.key, { pdpp_session })).toBe(401);
    expect(await at(one.key, { pdpp_browser })).toBe(401);
    expect(await at(undefined, { pdpp_session, pdpp_browser })).toBe(401);
    expect(await at(other.key, { pdpp_session, pdpp_browser })).toBe(401);
    expect(await at("A".repeat(22), { pdpp_session, pdpp_browser: "A" })).toBe(401);
  });

  test("a signed-in owner is not asked again", async () => {
    const page = await it.browser.get("/login?return_to=%2Fdashboard%2Fapps%3Fx%3D1");
    expect(page.url).toBe(`${it.url}/dashboard/apps?x=1`);
    expect((await it.browser.get("/dashboard")).url).toBe(`${it.url}/dashboard`);
  });

  test("signing out ends the session, so that its cookie no longer works", async () => {
    const browser = signedOut();
    await logIn(browser, await browser.get("/login"));
    expect(await isSignedIn(browser)).toBe(true);
    const session = browser.cookies.get("pdpp_session")!;
    const page = await browser.get("/dashboard/apps");
    const form = page.html.match(/<form method="post" action="\/~[\w-]{22}\/logout">(.*?)<\/form>/s)![1]!;
    const csrf = /name="csrf" value="([^"]*)"/.exec(form)![1]!;
    expect((await browser.post("/logout", [["csrf", csrf]])).status).toBe(200);
    expect(browser.cookies.has("pdpp_session")).toBe(false);
    browser.cookies.set("pdpp_session", session);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe("the session cookie", () => {
  test("is not accessible to scripts or other sites", async () => {
    const browser = signedOut();
    const form = formWith(await browser.get("/login"), "password");
    const response = await fetch(form.action, {
      method: "POST",
      redirect: "manual",
      headers: { origin: it.url, cookie: `pdpp_form=${browser.cookies.get("pdpp_form")}` },
      body: new URLSearchParams(withFields(form, { name: OWNER.name, password: OWNER.password })),
    });
    expect(response.status).toBe(303);
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^pdpp_session=pdpp_session_[\w-]{43}; Path=\/~[\w-]{22}\/; HttpOnly; SameSite=Strict; Max-Age=1209600$/,
    );
  });

  test("is Secure and bound to the host under https", async () => {
    const published = await testServer({ publicUrl: "https://data.example.org" });
    try {
      const link = await newSetupLink(published.host, published.url);
      const response = await fetch(link);
      const cookies = response.headers.getSetCookie();
      expect(cookies).toHaveLength(1);
      expect(cookies[0]).toMatch(/^__Host-pdpp_form=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
      const csrf = /name="csrf" value="([^"]*)"/.exec(await response.text())![1]!;
      const posted = await fetch(`${published.url}/setup`, {
        method: "POST",
        redirect: "manual",
        headers: { origin: "https://data.example.org", cookie: cookies[0]!.split(";")[0]! },
        body: new URLSearchParams({ csrf, code: new URL(link).searchParams.get("code")!, ...OWNER }),
      });
      expect(posted.headers.getSetCookie()[0]).toMatch(
        /^__Secure-pdpp_session=pdpp_session_[\w-]{43}; Path=\/~[\w-]{22}\/; HttpOnly; SameSite=Strict; Secure; Max-Age=\d+$/,
      );
    } finally {
      await published.close();
    }
  });

  test("E-07 is not accepted as a bearer token, and a bearer token is not accepted as a session", async () => {
    const session = it.browser.cookies.get("pdpp_session")!;
    for (const path of ["/v1/schema", "/v1/grants", "/v1/streams/books/records", "/mcp"]) {
      expect(await reads(it.server, session, path)).toEqual([401, "authentication_error"]);
    }
    const { tokens } = await connected(it);
    for (const token of [it.server.owner, tokens.access_token, tokens.refresh_token]) {
      const browser = signedOut();
      await logIn(browser, await browser.get("/login"));
      browser.cookies.set("pdpp_session", token);
      expect(await isSignedIn(browser)).toBe(false);
    }
  });

  test("E-07 owner tokens are refused where a grant is expected", async () => {
    expect(await reads(it.server, it.server.owner, "/mcp")).toEqual([403, "owner_token_rejected"]);
  });
});

describe("SECURITY row 2: forms from other sites", () => {
  type Place = [string, string, () => Promise<[string, [string, string][]]>];
  const consent = async (): Promise<[string, [string, string][]]> => {
    const page = await it.browser.get((await ask(it, await client())).href);
    const form = formWith(page, "digest");
    return [form.action, [...form.fields, ["stream", `${it.town}/authors`], ["decision", "allow"]]];
  };
  let shared: Awaited<ReturnType<typeof register>> | undefined;
  const client = async () => {
    shared ??= await register(it);
    return shared;
  };
  const places: Place[] = [
    [
      "/login",
      "signs in",
      async () => [
        "/login",
        [
          ["name", OWNER.name],
          ["password", OWNER.password],
        ],
      ],
    ],
    [
      "/setup",
      "sets up",
      async () => [
        "/setup",
        [
          ["code", "x"],
          ["name", "Eve"],
          ["password", "eve has a password"],
        ],
      ],
    ],
    ["/logout", "signs out", async () => ["/logout", []]],
    ["/dashboard/apps", "revokes", async () => ["/dashboard/apps", [["id", "grt_x"]]]],
    ["the consent form", "approves", consent],
  ];
  const csrfOf = (page: Page): string => /name="csrf" value="([^"]+)"/.exec(page.html)![1]!;

  test.each(places)("%s: a form from another site never %s", async (_place, _what, filled) => {
    const [action, fields] = await filled();
    const bare = fields.filter(([name]) => name !== "csrf");
    const own = csrfOf(await it.browser.get("/login"));
    const foreign = csrfOf(await signedOut().get("/login"));
    const before = (await it.server.all("/v1/grants")).length;
    const attempts: [string, [string, string][], Record<string, string>][] = [
      ["another site's page", [...bare, ["csrf", own]], { origin: "https://evil.example" }],
      ["a page without an origin", [...bare, ["csrf", own]], { origin: "null" }],
      ["another port of this host", [...bare, ["csrf", own]], { origin: "http://127.0.0.1:1" }],
      ["no token", bare, {}],
      ["an empty token", [...bare, ["csrf", ""]], {}],
      ["a made-up token", [...bare, ["csrf", "x".repeat(own.length)]], {}],
      ["the token of another visitor", [...bare, ["csrf", foreign]], {}],
    ];
    for (const [what, sent, headers] of attempts) {
      const page = await it.browser.post(action, sent, headers);
      expect([what, page.status, page.html.includes("forbidden_origin")]).toEqual([what, 403, true]);
      // A person whose form has expired sees a page.
      if (headers.origin === undefined) expect(page.html).toContain("Open the page again");
    }
    // Sends the form without an Origin header, as old browsers do, and without a token.
    const at = new URL(action.startsWith("/") ? `/~${it.browser.key}${action}` : action, it.url);
    const cookie = it.browser.jar(at.pathname);
    const plain = await fetch(at, {
      method: "POST",
      headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(bare).toString(),
    });
    expect(plain.status).toBe(403);
    expect(await isSignedIn(it.browser)).toBe(true);
    expect((await it.server.all("/v1/grants")).length).toBe(before);
  });

  test("the device code form has a token too", async () => {
    for (const xsrf of [undefined, "", "made-up"]) {
      const fields: [string, string][] = [
        ["user_code", "ABCD-EFGH"],
        ...(xsrf === undefined ? [] : [["xsrf", xsrf] as [string, string]]),
      ];
      const page = await it.browser.post("/device", fields);
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(page.html).not.toContain('name="confirm"');
    }
    const evil = await it.browser.post("/device", [["user_code", "x"]], { origin: "https://evil.example" });
    expect(evil.status).toBe(403);
  });

  test("requests from other sites get nothing: the cookie is strict, and a foreign origin is refused", async () => {
    const page = await it.browser.get("/dashboard/apps", { origin: "https://evil.example" });
    expect([page.status, page.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });
});

describe("SECURITY row 3: every page", () => {
  test("allows no frames, no inline code and nothing from other hosts", async () => {
    const app = await register(it);
    const { href } = await ask(it, app);
    const consent = await it.browser.get(href);
    const pages: [string, Page][] = [
      ["consent", consent],
      ["consent again", await answer(it.browser, consent, { streams: [] })],
      ["receipt", await answer(it.browser, consent, { streams: [`${it.town}/authors`] })],
      ["denied", await answer(it.browser, await it.browser.get((await ask(it, app)).href), { decision: "deny" })],
      ["over", await it.browser.get("/oauth/interaction/none")],
      ["login", await signedOut().get("/login")],
      ["setup", await signedOut().get(await newSetupLink(it.server.host, it.url))],
      ["dead link", await signedOut().get("/setup?code=x")],
      ["device", await it.browser.get("/device")],
      ["device with a code", await it.browser.get("/device?user_code=ABCD-EFGH")],
      ["apps", await it.browser.get("/dashboard/apps")],
      ["an unknown client", await it.browser.get(`${it.as.authorization_endpoint}?client_id=nobody`)],
      ["landing", await it.browser.get("/")],
      ["errors", await it.browser.get("/docs/errors")],
    ];
    for (const [name, { headers, html }] of pages) {
      const policy = headers.get("content-security-policy") ?? "";
      expect([name, policy]).toEqual([name, expect.stringContaining("default-src 'none'")]);
      expect([name, policy]).toEqual([name, expect.stringContaining("frame-ancestors 'none'")]);
      expect([name, /unsafe|sha256|\*|https?:/.test(policy)]).toEqual([name, false]);
      expect([name, headers.get("x-content-type-options")]).toEqual([name, "nosniff"]);
      expect([name, headers.get("cache-control")]).toEqual([name, expect.stringContaining("no-store")]);
      expect([name, headers.get("content-type")]).toEqual([name, expect.stringContaining("text/html")]);
      expect([name, /<script(?![^>]*\ssrc="\/assets\/)|\son[a-z]+=|style="|javascript:/i.test(html)]).toEqual([
        name,
        false,
      ]);
    }
  });
});

vi.setConfig({ testTimeout: 30_000 });
