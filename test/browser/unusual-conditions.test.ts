// Unusual conditions: an unknown page, an unreachable server, a double click, a phone, a keyboard.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { timesIn } from "../../src/surfaces/web/times.ts";
import { axeViolations, sidewaysScroll } from "./browser.ts";
import { type DashboardWorld, dashboardWorld, OWNER } from "./dashboard-world.ts";
import { bookmarks, sendImport } from "./sent-files.ts";

let it: DashboardWorld;
let empty: DashboardWorld;

beforeAll(async () => {
  it = await dashboardWorld();
  empty = await dashboardWorld({ empty: true });
});
afterEach(async () => {
  await it.browser.closePages();
  await empty.browser.closePages();
});
afterAll(async () => {
  await it?.close();
  await empty?.close();
});

const mailOf = async (): Promise<string> => {
  const connections = await it.server.all("/v1/connections");
  return connections.find(({ display_name }) => display_name === "Personal mail").connection_id;
};

describe("an unknown address", () => {
  test("P-06 shows browsers a page with a link back, and returns JSON to programs", async () => {
    for (const path of ["/dashboard/nonsense", "/dashboard/explore/cin_short", "/dashboard/records/%ff/a/b"]) {
      const { page } = await it.open(path);
      expect([path, await page.locator("h1").innerText()]).toEqual([path, "Not found"]);
      expect(await page.locator("nav.nav a").count()).toBeGreaterThan(5);
      expect(await page.locator("main a.button").getAttribute("href")).toBe(it.keyed("/dashboard"));
      expect(await axeViolations(page)).toEqual([]);
    }
    const asked = await it.server.get("/dashboard/nonsense", { headers: { Accept: "application/json" } });
    expect([asked.status, asked.body.error.code]).toEqual([404, "not_found"]);
  });

  test("P-06 a deleted item is reported without jargon, with a link back to its list", async () => {
    const mail = await mailOf();
    const gone = {
      [`/dashboard/records/${mail}/messages/none`]: "/dashboard/explore",
      "/dashboard/connections/cin_none": "/dashboard/connections",
      "/dashboard/grants/grt_none": "/dashboard/apps",
      "/dashboard/why/req_none": "/dashboard/activity",
      "/dashboard/import/imp_none": "/dashboard/import",
    };
    for (const [path, back] of Object.entries(gone)) {
      const { page } = await it.open(path);
      expect([path, await page.locator("main a.button").getAttribute("href")]).toEqual([path, it.keyed(back)]);
      expect(await page.locator("main .lead").innerText()).not.toMatch(/GET|\/v1\//);
    }
  });
});

describe("an unreachable server", () => {
  test("P-06 a page that polls says that the server is unreachable until it is back", async () => {
    const { page } = await it.open("/dashboard/activity");
    await page.route("**/dashboard/activity", (route) => route.abort());
    await page.getByText("The server is not responding").waitFor();
    expect(await page.locator("main [role=status]").filter({ hasText: "is not responding" }).count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    await page.unroute("**/dashboard/activity");
    await page.getByText("The server is not responding").waitFor({ state: "detached" });
  });

  test("P-06 a button that is clicked twice submits once", async () => {
    const { page } = await it.open(`/dashboard/connections/${await mailOf()}`);
    let sent = 0;
    const clicked = Promise.withResolvers<void>();
    await page.route("**/dashboard/connections/*", async (route) => {
      if (route.request().method() === "POST") sent++;
      await clicked.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Rename" }).dblclick({ noWaitAfter: true });
    clicked.resolve();
    await page.locator(".alert.good").waitFor();
    expect(sent).toBe(1);
  });

  test("P-06 an import started from two pages runs once, and both pages lead to it", async () => {
    const id = await sendImport(empty.server, { "bookmarks.html": bookmarks(5) });
    const context = await empty.context();
    const tabs = [1, 2].map(() => empty.open(`/dashboard/import/${id}`, undefined, context));
    for (const { page } of await Promise.all(tabs)) {
      await page.getByRole("button", { name: "Start the import" }).click();
      await page.locator("#import:not([data-live]) .tiles").waitFor();
      expect(await page.locator('[role="alert"]').count()).toBe(0);
      // V-09: the page links to the imported records.
      expect(await page.getByRole("link", { name: "Explore it" }).getAttribute("href")).toMatch(
        /\/dashboard\/explore\/cin_[^/]+\/bookmarks$/,
      );
    }
    expect((await empty.server.all("/v1/imports")).length).toBe(1);
    for (const { connection_id } of await empty.server.all("/v1/connections"))
      await empty.server.call("DELETE", `/v1/connections/${connection_id}`);
  });

  test("P-06 a form submitted after signing out in another tab does nothing and leads to sign-in", async () => {
    // Uses a separate session, so that the other tests stay signed in.
    const context = await it.browser.context();
    const page = await context.newPage();
    await page.goto(`${it.server.url}/login?return_to=/dashboard/apps`);
    await page.locator('input[name="name"]').fill(OWNER.name);
    await page.locator('input[name="password"]').fill(OWNER.password);
    await page.locator("main button.primary").click();
    await page.waitForURL("**/dashboard/apps");
    const other = await context.newPage();
    await other.goto(`${it.server.url}/dashboard`);
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.getByText("You are signed out").waitFor();
    const active = async (): Promise<number> =>
      (await it.server.get("/v1/grants", { query: { status: "active" } })).body.data.length;
    const before = await active();
    await page
      .getByRole("button", { name: /^Revoke/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await active()).toBe(before);
  });
});

describe("the keyboard focus", () => {
  test("P-06 stays on its line in a list that refreshes", async () => {
    const { page } = await it.open("/dashboard/activity?who=app");
    const link = page.locator("#log a[href*='/activity/']").first();
    await link.focus();
    const stood = await link.getAttribute("href");
    const { access_token: token } = await it.server.grant({ all: true, client_name: "Newcomer" });
    await it.server.get("/v1/schema", { token });
    await page.locator("#log", { hasText: "Newcomer" }).waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('href')")).toBe(stood);
  });
});

describe("a phone", () => {
  test("P-06 every navigation item is visible, and the current one is highlighted", async () => {
    for (const path of ["/dashboard", "/dashboard/settings", "/dashboard/connect"]) {
      const { page } = await it.open(path, { width: 360 });
      for (const link of await page.locator("nav.nav a").all()) {
        const box = (await link.boundingBox())!;
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(360);
        expect(box.height).toBeGreaterThanOrEqual(40);
        expect(box.width).toBeGreaterThanOrEqual(24);
      }
      expect(await page.locator("nav.nav [aria-current]").count()).toBe(1);
    }
  });

  test("P-06 an empty home's pages fit the screen, and cards contain their content", async () => {
    for (const path of ["/dashboard", "/dashboard/explore?q=anything", "/dashboard/apps", "/dashboard/settings"]) {
      const { page } = await empty.open(path, { width: 360 });
      expect([path, await sidewaysScroll(page)]).toEqual([path, 0]);
      expect([path, await axeViolations(page)]).toEqual([path, []]);
    }
    const { page } = await it.open(`/dashboard/connections/${await mailOf()}/delete`, { width: 360 });
    const over = await page.evaluate(`[...document.querySelectorAll(".card > *")].filter((inner) =>
      inner.getBoundingClientRect().right > inner.parentElement.getBoundingClientRect().right).length`);
    expect(over).toBe(0);
  });
});

test("P-06 a search in an empty home suggests importing", async () => {
  const { page } = await empty.open("/dashboard/explore?q=lisbon");
  expect(await page.locator("main a.button.primary").getAttribute("href")).toBe(empty.keyed("/dashboard/import"));
});

test("P-06 times that round up use the next unit", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const ago = (seconds: number): string =>
    String(timesIn("UTC", now).ago(new Date(now - seconds * 1000).toISOString())).replace(/<[^>]+>/g, "");
  expect([5, 59.7, 60, 3599, 86_399, 29.8 * 86_400, 364 * 86_400].map(ago)).toEqual([
    "just now",
    "1 minute ago",
    "1 minute ago",
    "1 hour ago",
    "yesterday",
    "last month",
    "last year",
  ]);
});
