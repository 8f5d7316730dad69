// Passkeys in a real browser, with Chromium's virtual authenticator, and the second-factor pages as people see them.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type TestServer, testServer } from "../harness.ts";
import { freePort } from "../oauth/free-port.ts";
import { axeViolations, follow, inEachView, sidewaysScroll, startBrowser, type TestBrowser, watch } from "./browser.ts";
import { OWNER } from "./dashboard-world.ts";

const PAGE = "/dashboard/settings/sign-in";
let server: TestServer;
let browser: TestBrowser;
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  [server, browser] = await Promise.all([testServer({ port, publicUrl: origin }), startBrowser()]);
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** A phone with a fingerprint sensor that always succeeds. */
async function withAuthenticator(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  await debug.send("WebAuthn.enable");
  await debug.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const isClean = async (page: Page): Promise<void> =>
  inEachView(page, async (view) => {
    expect([await axeViolations(page, view), await sidewaysScroll(page)]).toEqual([[], 0]);
  });

test("V-13 a passkey can be created in Settings, used to sign in without a password, and used as the second factor after a password", async () => {
  const { page, complaints } = await watch(await browser.context(), origin);
  await withAuthenticator(page);
  await page.goto(await newSetupLink(server.host, origin));
  await page.locator('input[name="name"]').fill(OWNER.name);
  const password = page.locator('input[name="password"]');
  await password.fill(OWNER.password);
  await page.getByRole("button", { name: "Show what you typed" }).click();
  expect(await password.getAttribute("type")).toBe("text");
  await page.getByRole("button", { name: "Hide what you typed" }).click();
  expect(await password.getAttribute("type")).toBe("password");
  await follow(page.getByRole("button", { name: "Set up" }));
  await page.waitForURL(/\/dashboard$/);
  const root = /^.*\/~[\w-]{22}/.exec(page.url())![0];

  await page.goto(root + PAGE);
  await isClean(page);
  await page.getByLabel("Name of the device").fill("Phone");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("heading", { name: "Write these recovery codes down" }).waitFor();
  expect(await page.locator("#passkeys li").innerText()).toContain("Phone");
  await isClean(page);

  await follow(page.getByRole("button", { name: "Sign out" }));
  await page.goto(`${origin}/login`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(/\/dashboard$/);

  await server.host.call("endSessions", { id: "all" }, { home: true });
  await page.goto(`${origin}/login?return_to=${PAGE}`);
  await page.locator('input[name="name"]').fill(OWNER.name);
  await page.locator('input[name="password"]').fill(OWNER.password);
  await follow(page.getByRole("button", { name: "Sign in", exact: true }));
  await page.getByRole("heading", { name: "One more step" }).waitFor();
  await isClean(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(new RegExp(`${PAGE}$`));
  await follow(page.getByRole("button", { name: "Set up" }));
  await page.locator(".qr svg").waitFor();
  await isClean(page);
  // Chromium reports pages with status 401 on the console.
  expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
});
