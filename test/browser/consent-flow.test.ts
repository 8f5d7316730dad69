// A person in a real browser connects an app: from the app's page, through sign-in and consent, and back.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { conversationsStream, messagesStream } from "../../src/collect/importers/chat-streams.ts";
import { declareSource } from "../../src/core/declare.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type TestServer, testServer } from "../harness.ts";
import { AUTHORS, BOOKS, library, sourceLike } from "../library.ts";
import { OWNER, ownerBrowser, setUp } from "../oauth/owner-browser.ts";
import { discover, register } from "../oauth/world.ts";
import { axeViolations, inEachView, startBrowser, type TestBrowser, tabTo, unfold, type View } from "./browser.ts";

const chats = declareSource("chat", "Chat", [messagesStream("Chat", { parts: [] }), conversationsStream("Chat", [])]);
const VERIFIER = "a-verifier-that-is-long-enough-to-be-one-0123456789";
const CHALLENGE = "IdFsue1MJJJtybEPX0invmHHuW1I7Ai5LXVlXpENjsk";

let server: TestServer;
let browser: TestBrowser;
let app: { url: string; close(): Promise<void>; visited: string[] };
let clientId: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([testServer(), startBrowser()]);
  for (const name of ["library", "archive"]) {
    await server.register(name, name === "library" ? library : sourceLike("archive"));
    const connection = await server.connect(name, `Town ${name}`);
    await server.ingest("books", connection, BOOKS);
    await server.ingest("authors", connection, AUTHORS);
  }
  await setUp(ownerBrowser(server.url), await newSetupLink(server.host, server.url));
  app = await foreignApp();
  const client = await register(
    { as: await discover(server.url) },
    { client_name: "Claude", redirect_uris: [`${app.url}/callback`] },
  );
  clientId = client.client_id;
});
afterAll(async () => {
  await app?.close();
  await browser?.close();
  await server?.close();
});

/** The app runs on localhost and our server on 127.0.0.1, so that browsers treat them as different sites. */
async function foreignApp() {
  const visited: string[] = [];
  const site: Server = createServer((request, response) => {
    visited.push(request.url ?? "");
    const link = authorizeUrl();
    response.setHeader("content-type", "text/html");
    response.end(
      request.url?.startsWith("/callback")
        ? "<title>Connected</title>"
        : `<title>App</title><a href="${link.replaceAll("&", "&amp;")}">Connect</a>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    visited,
    close: () =>
      new Promise<void>((resolve) => {
        site.closeAllConnections();
        site.close(() => resolve());
      }),
  };
}

function authorizeUrl(): string {
  const url = new URL(`${server.url}/oauth/authorize`);
  const parameters = {
    client_id: clientId,
    redirect_uri: `${app.url}/callback`,
    response_type: "code",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    state: "s7ate",
    resource: `${server.url}/mcp`,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const context of opened.splice(0)) await context.close();
});

async function visit(view: View): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.context(view);
  opened.push(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The sign-in page is sent with status 401, which Chromium reports on the console.
    if (/status of 401/.test(message.text())) return;
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(app.url);
  await page.click("text=Connect");
  return { page, complaints };
}

async function signIn(page: Page): Promise<void> {
  await page.fill("input[name=name]", OWNER.name);
  await page.fill("input[name=password]", OWNER.password);
  await page.click("button.primary");
  await page.waitForURL(/\/oauth\/interaction\//);
}

async function tokenFor(callback: string): Promise<{ status: number; body: { access_token: string } }> {
  const response = await fetch(`${server.url}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: new URL(callback).searchParams.get("code") ?? "",
      redirect_uri: `${app.url}/callback`,
      client_id: clientId,
      code_verifier: VERIFIER,
    }),
  });
  return { status: response.status, body: (await response.json()) as { access_token: string } };
}

describe("X-07 connecting an app from another site", () => {
  for (const javaScript of [true, false]) {
    test(`X-07 row 3 ${javaScript ? "with" : "without"} JavaScript: the owner signs in, narrows the request, allows it and returns to the app; the token reads exactly what was allowed`, async () => {
      const { page, complaints } = await visit({ javaScript });
      await signIn(page);
      expect(await page.locator("input[name=stream]:checked").count()).toBe(0);
      const books = page.locator("input[name=stream]").first();
      await books.check();
      await page.locator("input[name=duration][value='1h']").check();
      await page.click("button:has-text('Allow')");
      await page.waitForSelector("text=may now see this");
      // With JavaScript the page redirects to the app; without it the owner clicks a link.
      if (!javaScript) await page.click("a[data-going-back]");
      await page.waitForURL(/\/callback\?/);
      const { status, body } = await tokenFor(page.url());
      expect(status).toBe(200);
      const schema = await server.get("/v1/schema", { token: body.access_token });
      expect(schema.body.stream_count).toBe(1);
      expect(complaints).toEqual([]);
    });
  }

  test("V-08 granting one connection takes two clicks, and the grant's sentence is on the page before the second click", async () => {
    const { page, complaints } = await visit({});
    await signIn(page);
    await page.locator("input[name=connection]").first().check();
    await page.getByText(/It may see: Everything from Town \w+\./).waitFor();
    await page.click("button[value=allow]");
    await page.waitForURL(/\/callback\?/);
    const { body } = await tokenFor(page.url());
    const seen = await server.get("/v1/connections", { token: body.access_token });
    expect(seen.body.data).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test("V-08 one chat can be ticked and allowed, and the grant's sentence is shown first; the grant's edit page shows the chat and refuses a grant without one", async () => {
    await server.register("chat", chats);
    const phone = await server.connect("chat", "Phone");
    const written = (id: number, conversation_name: string) => ({
      key: `m${id}`,
      data: { id: `m${id}`, conversation_name, text: `message ${id}`, sent_at: `2026-01-0${id}T00:00:00Z` },
    });
    await server.ingest("messages", phone, [written(1, "Family"), written(2, "Work"), written(3, "Family")]);
    const { page, complaints } = await visit({});
    await signIn(page);
    await page.getByText("Only some chats").click();
    await page.getByLabel(/^Family 2$/).check();
    await page.getByText(/It may see: Messages in the chat “Family” from Phone\. 2 messages\. Nothing else/).waitFor();
    expect(await page.locator("input[name=stream]:checked").count()).toBe(1);
    // Unticking the last chat also unticks its stream. Otherwise all chats would be chosen.
    await page.getByLabel(/^Family 2$/).uncheck();
    await page.getByText("Nothing is chosen yet.").waitFor();
    await page.getByLabel(/^Family 2$/).check();
    await page.getByText(/It may see: Messages in the chat “Family”/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.click("button[value=allow]");
    await page.waitForURL(/\/callback\?/);
    const { body } = await tokenFor(page.url());
    const read = await server.get("/v1/streams/messages/records", { token: body.access_token });
    expect(read.body.data.map(({ id }: { id: string }) => id)).toEqual(["m3", "m1"]);
    const { data } = (await server.get("/v1/grants")).body;
    const held = data.find(
      (one: { words: { reads: { filed?: object }[] } }) => one.words.reads[0]!.filed !== undefined,
    );
    await page.goto(`${server.url}/dashboard/grants/${held.grant.grant_id}/edit`);
    await page.getByText("Messages in the chat “Family” from Phone").first().waitFor();
    expect(complaints).toEqual([]);
    // A form without a chat is refused. It does not mean all chats.
    await page.getByLabel(/^Family/).uncheck();
    await page.click("button:has-text('Save')");
    await page.getByText(/nothing is ticked/).waitFor();
  });

  test("X-07 a signed-in owner stays signed in when another site opens the consent page", async () => {
    const { page } = await visit({});
    await signIn(page);
    await page.goto(app.url);
    await page.click("text=Connect");
    await page.waitForURL(/\/oauth\/interaction\//);
    await page.waitForSelector("button:has-text('Deny')");
  });

  test("X-07 a denied app learns only that it was denied", async () => {
    const { page } = await visit({ javaScript: false });
    await signIn(page);
    await page.click("button:has-text('Deny')");
    await page.waitForSelector("text=gets nothing");
    await page.click("a[data-going-back]");
    await page.waitForURL(/\/callback\?/);
    const answer = new URL(page.url()).searchParams;
    expect([answer.get("error"), answer.get("code"), answer.get("iss")]).toEqual(["access_denied", null, server.url]);
  });

  test("X-07 consent works with the keyboard only", async () => {
    const { page } = await visit({});
    await page.waitForSelector("input[name=password]");
    await tabTo(page, "input[name=name]");
    await page.keyboard.type(OWNER.name);
    await page.keyboard.press("Tab");
    await page.keyboard.type(OWNER.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/oauth\/interaction\//);
    await tabTo(page, "input[name=stream]");
    await page.keyboard.press("Space");
    await tabTo(page, "button[value=allow]");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/callback\?/);
    expect((await tokenFor(page.url())).status).toBe(200);
  });

  test("X-07 row 3 the page with live data has no axe violations and no CSP violations in any view", async () => {
    const { page, complaints } = await visit({});
    const isClean = () =>
      inEachView(page, async (view) => expect([view, await axeViolations(page, view)]).toEqual([view, []]));
    await signIn(page);
    await unfold(page);
    await isClean();
    expect(await page.locator("text=12 records").count()).toBeGreaterThan(0);
    await page.goto(`${server.url}/dashboard/apps`);
    await page.waitForSelector(".owner-name");
    await isClean();
    expect(complaints).toEqual([]);
  });

  test("X-07 after revoking on the Apps page, the next request is refused", async () => {
    const { page } = await visit({});
    await signIn(page);
    await page.locator("input[name=stream]").first().check();
    await page.click("button:has-text('Allow')");
    await page.waitForURL(/\/callback\?/);
    const { body } = await tokenFor(page.url());
    expect((await server.get("/v1/schema", { token: body.access_token })).status).toBe(200);
    await page.goto(`${server.url}/dashboard/apps`);
    await page.locator("button:has-text('Revoke all'), button.danger").first().click();
    await page.waitForSelector("text=Revoked.");
    expect((await server.get("/v1/schema", { token: body.access_token })).body.error.code).toBe("grant_revoked");
  });
});
