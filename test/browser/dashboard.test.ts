// Every page of the dashboard in a real browser: accessible, quiet, of one origin, narrow and wide, light and dark, and as JSON.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { OWNER_PAGES } from "../../src/surfaces/web/dashboard/pages.ts";
import { axeViolations, inEachView, SCHEMES, sidewaysScroll, unfold, WIDTHS } from "./browser.ts";
import { dashboardPages } from "./dashboard-pages.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";

let it: DashboardWorld;
let pages: Record<string, string>;

beforeAll(async () => {
  it = await dashboardWorld({ disk: true });
  pages = await dashboardPages(it.server);
}, 120_000);
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

/** By view and by page. */
let faults: Promise<Map<string, Record<string, string[]>>> | undefined;

/** Each page is loaded once, in one tab, and then shown in every view: loading takes as long as looking. */
async function lookAtAll(): Promise<Map<string, Record<string, string[]>>> {
  const found = new Map<string, Record<string, string[]>>();
  const { page, complaints, foreignRequests } = await it.open("/dashboard");
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(new URL(path, it.server.url).href);
    await unfold(page);
    await inEachView(page, async ({ scheme, width }) => {
      // The dark scheme is other colours and nothing else (styles/tokens.css): all other rules were asked in the light.
      // Colours are the same at every width.
      const isSeen = scheme === "dark" && width !== WIDTHS[0];
      const own = isSeen ? [] : await axeViolations(page, scheme === "dark" ? "colours" : undefined);
      const sideways = await sidewaysScroll(page);
      if (sideways > 0) own.push(`scrolls ${sideways} px sideways`);
      own.push(...complaints.splice(0), ...foreignRequests.splice(0));
      const view = `${scheme} ${width}`;
      found.set(view, { ...found.get(view), ...(own.length > 0 ? { [name]: own } : {}) });
    });
  }
  return found;
}

describe("P-06 every page", () => {
  test("P-06 stands in the list that is looked at", () => {
    const addresses = Object.values(pages).map((address) => address.split("?")[0]!);
    const unseen = OWNER_PAGES.filter(({ path }) => {
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
      return !addresses.some((address) => pattern.test(address));
    });
    expect(unseen.map(({ path }) => path)).toEqual([]);
  });

  for (const scheme of SCHEMES) {
    for (const width of WIDTHS) {
      test(`P-06 ${scheme}, ${width} px: axe finds nothing, no complaint, one origin, no sideways scroll`, async () => {
        faults ??= lookAtAll();
        expect((await faults).get(`${scheme} ${width}`)).toEqual({});
      }, 240_000);
    }
  }

  test("P-06 is its JSON twin, by .json and by Accept, for the session and for an owner token, and for nobody else", async () => {
    for (const [name, path] of Object.entries(pages)) {
      const [address, query = ""] = path.split("?");
      const twin = await it.server.get(`${address}.json${query === "" ? "" : `?${query}`}`);
      expect([name, twin.status]).toEqual([name, 200]);
      expect(twin.body, name).toBeTypeOf("object");
      const asked = await it.server.get(path, { headers: { Accept: "application/json" } });
      expect(Object.keys(asked.body), name).toEqual(Object.keys(twin.body));
      expect(twin.text, name).not.toContain("csrf");
    }
    const anonymous = await it.server.get("/dashboard.json", { token: null });
    expect([anonymous.status, anonymous.body.error.code]).toEqual([401, "authentication_error"]);
    const { access_token } = await it.server.grant({ all: true });
    expect((await it.server.get("/dashboard.json", { token: access_token })).status).toBe(403);
  });
});

describe("P-06 weight", () => {
  test("P-06 scripts of a page ≤ 30 KB, the stylesheet ≤ 14 KB, both compressed; nothing moves after load", async () => {
    const { page } = await it.open("/dashboard");
    // Every page as if it were the first one that this browser sees.
    const debug = await page.context().newCDPSession(page);
    await debug.send("Network.setCacheDisabled", { cacheDisabled: true });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(new URL(path, it.server.url).href);
      const sizes = (await page.evaluate(
        "performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))",
      )) as { name: string; bytes: number }[];
      const of = (ending: string): number =>
        sizes.filter((one) => one.name.endsWith(ending)).reduce((sum, { bytes }) => sum + bytes, 0);
      expect(of(".css"), name).toBeGreaterThan(1000);
      expect(of(".css"), name).toBeLessThanOrEqual(14_000);
      expect(of(".js"), name).toBeGreaterThan(100);
      expect(of(".js"), name).toBeLessThanOrEqual(30_000);
      const shift = await page.evaluate(`new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) sum += value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 100);
      })`);
      // A live part that says another second moves a word by less than anybody could see.
      expect(shift, name).toBeLessThan(0.001);
    }
  }, 120_000);
});

describe("what the owner looks at", () => {
  test("P-08 leaves no line in the audit: it would bury what apps read", async () => {
    const before = (await it.server.get("/v1/activity", { query: { limit: 1 } })).body.data[0].n;
    const { page } = await it.open("/dashboard");
    for (const path of Object.values(pages)) await page.goto(new URL(path, it.server.url).href);
    const after = (await it.server.get("/v1/activity", { query: { limit: 1 } })).body.data[0].n;
    // The one line is of the look before.
    expect(after - before).toBeLessThanOrEqual(1);
  });
});

describe("G-03 the browser's key", () => {
  test("G-03 is in every link, form and picture of every page, with and without JavaScript", async () => {
    const { page } = await it.open("/dashboard", { javaScript: false });
    const outside: string[] = [];
    for (const path of Object.values(pages)) {
      await page.goto(new URL(path, it.server.url).href);
      const html = await page.content();
      for (const [, link] of html.matchAll(/\s(?:href|action|src)="([^"]*)"/g))
        if (/^(?:\/|http:\/\/127)/.test(link!) && !link!.startsWith("/assets/") && !link!.startsWith(it.keyed("/")))
          outside.push(`${path}: ${link}`);
    }
    expect(outside).toEqual([]);
  }, 120_000);
});

describe("E-23 connect an AI app", () => {
  test("E-23 E-25 the address is large and copied as shown; commands are those of the docs; nothing about owner tokens", async () => {
    const { page } = await it.open("/dashboard/connect");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    expect(await page.locator("#mcp-address").innerText()).toBe(`${it.server.url}/mcp`);
    for (const button of await page.locator("button[data-copy]:visible").all()) {
      const shown = await page.locator(`#${await button.getAttribute("data-copy")}`).textContent();
      await button.click();
      await page.getByRole("button", { name: "Copied" }).last().waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(shown);
    }
    const text = await page.locator("main").innerText();
    expect(text).not.toMatch(/owner token|bearer|profile/i);
    expect(await page.locator('nav a[href$="/dashboard/connect"]').count()).toBe(1);
  });

  test("E-23 it waits, and tells without a reload when an app was let in", async () => {
    const empty = await dashboardWorld({ empty: true });
    try {
      const { page } = await empty.open("/dashboard/connect");
      expect(await page.locator("#connected").innerText()).toContain("Waiting for your app");
      await empty.server.register("notes", { ...(await import("../library.ts")).library });
      await empty.server.connect("notes", "Shelf");
      await empty.server.grant({ all: true, client_name: "Claude Code" });
      await page.locator("#connected .badge.good").waitFor();
      expect(await page.locator("#connected").innerText()).toContain("Claude Code");
    } finally {
      await empty.close();
    }
  });

  test("E-23 says plainly that a host elsewhere cannot reach an address of this computer", async () => {
    const { page } = await it.open("/dashboard/connect");
    expect(await page.locator(".alert").innerText()).toContain("cannot reach this address");
    expect(await page.locator("main").innerText()).toContain("pdpp serve --public-url");
  });
});
