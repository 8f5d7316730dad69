// An owner's four main tasks in order, starting from an empty home: import, connect, look up, revoke.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, discover, exchange, REDIRECT, reads, register } from "../oauth/world.ts";
import { follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { bookmarks } from "./sent-files.ts";

let it: DashboardWorld;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "postern-journey-"));
  it = await dashboardWorld({ empty: true });
});
afterAll(async () => {
  await it?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("P-06 E-23 an owner with an empty home imports data, connects an app, looks something up and revokes the grant", async () => {
  const { page, complaints } = await it.open("/dashboard");
  const { url } = it.server;
  expect(await page.locator("h1").innerText()).toBe("Your data, behind one small gate");

  await follow(page.getByRole("link", { name: "Import files" }));
  const file = join(folder, "bookmarks.html");
  writeFileSync(file, bookmarks(40));
  await page.locator("#files").setInputFiles(file);
  await page.locator(".plan").waitFor();
  await page.getByRole("button", { name: "Start the import" }).click();
  await page.locator("#import:not([data-live]) .tiles").first().waitFor();
  expect(await page.locator("main").innerText()).toContain("bookmarks 40");

  // The app requests access. The signed-in owner sees what the app would get, and allows it.
  await follow(page.locator("#import").getByRole("link", { name: "Connect an AI app" }));
  expect(await page.locator("#mcp-address").innerText()).toBe(`${url}/mcp`);
  const as = await discover(url);
  const client = await register({ as }, { client_name: "Nora's helper" });
  const asked = await ask({ as }, client, { resource: `${url}/mcp` });
  const consent = await page.context().newPage();
  await consent.goto(asked.href);
  for (const box of await consent.locator('input[name="stream"]').all()) await box.check();
  const back = consent.waitForRequest((request) => request.url().startsWith(REDIRECT));
  await consent.getByRole("button", { name: /^Allow/ }).click();
  const params = oauth.validateAuthResponse(as, client, new URL((await back).url()), asked.state);
  await consent.close();
  const { access_token } = await exchange({ as }, { ...asked, params });
  expect(await reads(it.server, access_token)).toEqual([200]);
  await page.locator("#connected .badge.good").waitFor();
  expect(await page.locator("#connected").innerText()).toContain("Nora's helper");

  await page.keyboard.press("/");
  await page.waitForURL(/\/dashboard\/explore/);
  await page.locator('input[type="search"]').fill("Page 7");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=Page/);
  await page.locator("main a[href*='/dashboard/records/']").first().click();
  await page.waitForURL(/\/dashboard\/records\//);
  await page.locator("summary", { hasText: "All fields" }).click();
  expect(await page.locator("main").innerText()).toContain("bookmarks.html");

  await follow(page.getByRole("link", { name: "Apps", exact: true }));
  await page
    .getByRole("button", { name: /^Revoke/ })
    .first()
    .click();
  await page.locator(".alert.good").waitFor();
  expect((await reads(it.server, access_token))[0]).toBe(403);
  expect(complaints).toEqual([]);
});
