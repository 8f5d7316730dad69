// Opens every dashboard page in a real browser, narrow and wide, light and dark. Each page must be accessible, cause no
// errors, load from one origin only, and have a JSON form.
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS, type ClientId, clientSetup, gateOf, shellSetup } from "../../src/contract/client-setups.ts";
import { KINDS } from "../../src/contract/kinds.ts";
import { OWNER_PAGES } from "../../src/surfaces/web/dashboard/pages.ts";
import { axeViolations, inEachView, SCHEMES, sidewaysScroll, unfold, WIDTHS } from "./browser.ts";
import { dashboardPages } from "./dashboard-pages.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";

let it: DashboardWorld;
let pages: Record<string, string>;

beforeAll(async () => {
  it = await dashboardWorld({ disk: true });
  pages = await dashboardPages(it.server);
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

/** Files have a separate map view. */
const OWN_VIEWS = Object.keys(KINDS).filter((kind) => kind !== "file");
/** Records of these kinds have no time, and neither do the demo's bookmarks. */
const TIMELESS = ["account", "conversation", "person", "bookmark"];

interface Looked {
  /** Faults by view, then by page. */
  faults: Map<string, Record<string, string[]>>;
  /** For each page, the bytes sent and how far content shifted during loading. */
  weights: Record<string, { css: number; js: number; html: number; requests: number; shift: number }>;
  /** Links without the browser's key on pages that run scripts. */
  unkeyed: string[];
  /** The number of lines that these page views added to the audit log. */
  auditLines: number;
}

let looked: Promise<Looked> | undefined;

/** Loads each page once, in one tab, and then shows it in every view, because loading takes as long as checking. */
async function lookAtAll(): Promise<Looked> {
  const found: Looked = { faults: new Map(), weights: {}, unkeyed: [], auditLines: -(await lastAuditLine()) };
  const { page, complaints, foreignRequests } = await it.open("/dashboard");
  // Disables timers of 500 ms or more, so that nothing refreshes and the page is checked as loaded.
  await page.addInitScript("{ const soon = setTimeout; setTimeout = (run, ms) => (ms >= 500 ? 0 : soon(run, ms)); }");
  // Delays the stylesheet until the page is parsed. Otherwise a page that arrives slowly would draw rows that later
  // rows then shift. Routing also disables the cache.
  await page.route("**/*.css", async (route) => {
    // Polls from here, because waiting inside the page would evaluate text, which its CSP forbids.
    const parsed = isParsed(page);
    // A script that waits for the stylesheet blocks parsing. In that case the stylesheet is sent after 5 seconds.
    await Promise.race([parsed.catch(() => undefined), sleep(5000)]);
    await route.continue();
  });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(new URL(path, it.server.url).href);
    found.weights[name] = await page.evaluate(WEIGHT);
    found.unkeyed.push(...unkeyedLinks(path, await page.content()));
    await unfold(page);
    await inEachView(page, async (shown) => {
      const own = await axeViolations(page, shown);
      const sideways = await sidewaysScroll(page);
      if (sideways > 0) own.push(`scrolls ${sideways} px sideways`);
      own.push(...complaints.splice(0), ...foreignRequests.splice(0));
      const view = `${shown.scheme} ${shown.width}`;
      found.faults.set(view, { ...found.faults.get(view), ...(own.length > 0 ? { [name]: own } : {}) });
    });
  }
  found.auditLines += await lastAuditLine();
  return found;
}

const lookedAtAll = (): Promise<Looked> => {
  looked ??= lookAtAll();
  return looked;
};

const lastAuditLine = async (): Promise<number> =>
  (await it.server.get("/v1/activity", { query: { limit: 1 } })).body.data[0].n;

async function isParsed(page: Page): Promise<void> {
  while ((await page.evaluate("document.readyState")) === "loading") await sleep(10);
}

/** Includes shifts up to the second frame after loading. */
const WEIGHT = `new Promise((resolve) => {
  const bytesOf = (ending) => performance.getEntriesByType("resource")
    .reduce((sum, { name, encodedBodySize }) => sum + (name.endsWith(ending) ? encodedBodySize : 0), 0);
  let shift = 0;
  const add = (entries) => { for (const { value } of entries) shift += value; };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => {
    add(observer.takeRecords());
    const html = performance.getEntriesByType("navigation")[0].decodedBodySize;
    const requests = 1 + performance.getEntriesByType("resource").filter(({ initiatorType }) => !["img", "image"].includes(initiatorType)).length;
    resolve({ css: bytesOf(".css"), js: bytesOf(".js"), html, requests, shift });
  }));
})`;

const unkeyedLinks = (path: string, html: string): string[] =>
  [...html.matchAll(/\s(?:href|action|src)="([^"]*)"/g)]
    .map(([, link]) => link!)
    .filter((link) => /^(?:\/|http:\/\/127)/.test(link) && !link.startsWith("/assets/"))
    .filter((link) => !link.startsWith(it.keyed("/")))
    .map((link) => `${path}: ${link}`);

describe("P-06 every page", () => {
  test("P-06 is in the list of tested pages", () => {
    const addresses = Object.values(pages).map((address) => address.split("?")[0]!);
    const unseen = OWNER_PAGES.filter(({ path }) => {
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
      return !addresses.some((address) => pattern.test(address));
    });
    expect(unseen.map(({ path }) => path)).toEqual([]);
  });

  test("V-01 every kind is in the demo home, and the list includes a stream page and a record page for it", async () => {
    const unseen = new Map<string, string[]>();
    for (const { connection_id, name, kind } of await it.server.all("/v1/streams")) {
      if (kind === undefined || !OWN_VIEWS.includes(kind)) continue;
      const seen = ["explore", "records"].filter((where) => {
        const address = new RegExp(
          `^/dashboard/${where}/${connection_id}/${name}(?:${where === "records" ? "/" : "$|\\?"})`,
        );
        return Object.values(pages).some((path) => address.test(path));
      });
      unseen.set(
        kind,
        (unseen.get(kind) ?? ["explore", "records"]).filter((where) => !seen.includes(where)),
      );
    }
    expect([...unseen.keys()].sort()).toEqual([...OWN_VIEWS].sort());
    expect([...unseen].filter(([, left]) => left.length > 0)).toEqual([]);
  });

  test("V-01 every kind with a time has its card on the timeline", async () => {
    const { page } = await it.open("/dashboard", { javaScript: false });
    const cardless = [];
    for (const kind of OWN_VIEWS.filter((one) => !TIMELESS.includes(one))) {
      const answer = await page.request.get(it.server.url + it.keyed(`/dashboard?kind=${kind}`));
      if (!(await answer.text()).includes('<li class="item timed')) cardless.push(kind);
    }
    expect(cardless).toEqual([]);
  });

  for (const scheme of SCHEMES) {
    for (const width of WIDTHS) {
      test(`P-06 V-01 has no axe violations, errors, foreign requests or sideways scrolling in ${scheme} at ${width} px`, async () => {
        expect((await lookedAtAll()).faults.get(`${scheme} ${width}`)).toEqual({});
      });
    }
  }

  test("P-06 has a JSON form, requested with .json or Accept, for the owner's session and owner tokens only", async () => {
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
  test("P-06 V-01 a page needs at most 150 KB and 6 requests without pictures, 30 KB of scripts and a 14 KB stylesheet, and does not shift after loading", async () => {
    for (const [name, { css, js, html, requests, shift }] of Object.entries((await lookedAtAll()).weights)) {
      expect(css, name).toBeGreaterThan(1000);
      expect(css, name).toBeLessThanOrEqual(14_000);
      expect(js, name).toBeGreaterThan(100);
      expect(js, name).toBeLessThanOrEqual(30_000);
      expect(html, name).toBeLessThanOrEqual(150_000);
      expect(requests, name).toBeLessThanOrEqual(6);
      // Too small a shift to see.
      expect(shift, name).toBeLessThan(0.001);
    }
  });
});

describe("pages that the owner opens", () => {
  test("P-08 the owner's page views are not logged, so the log shows what apps read", async () => {
    // The one allowed line belongs to the previous visit.
    expect((await lookedAtAll()).auditLines).toBeLessThanOrEqual(1);
  });
});

describe("G-03 the browser's key", () => {
  test("G-03 is in every link, form and picture on every page, with and without JavaScript", async () => {
    const { page } = await it.open("/dashboard", { javaScript: false });
    const outside = [...(await lookedAtAll()).unkeyed];
    // A page without scripts stays exactly as it was sent.
    for (const path of Object.values(pages))
      outside.push(...unkeyedLinks(path, await (await page.request.get(it.server.url + it.keyed(path))).text()));
    expect(outside).toEqual([]);
  });
});

describe("E-23 connect an AI app", () => {
  test("E-23 E-25 the address is prominent and copied as shown; the commands match the docs; owner tokens are not mentioned", async () => {
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
    expect(await page.locator('.nav a[href$="/dashboard/connect"]').count()).toBe(1);
  });

  test("C-09 X-11 both lenses have their address, install links and commands, without JavaScript", async () => {
    for (const [lens, path] of [
      ["records", "/dashboard/connect"],
      ["files", "/dashboard/connect?lens=files"],
    ] as const) {
      const { page, complaints } = await it.open(path, { javaScript: false });
      const gate = gateOf(it.server.url, lens);
      expect(await page.locator("#mcp-address").innerText()).toBe(gate.url);
      const links = await page
        .locator(".connect-links a")
        .evaluateAll((found) => found.map((link) => link.getAttribute("href")));
      expect(links).toEqual(["vscode", "cursor", "goose"].map((id) => clientSetup(id as ClientId).link!(gate)));
      const shown = (await page.locator("pre").allTextContents()).join("\n");
      for (const line of shellSetup("claude-code", gate)) expect(shown).toContain(line);
      for (const { id } of CLIENTS) expect(shown).toContain(`pdpp setup ${id}${lens === "files" ? " --files" : ""}`);
      expect(await page.locator('.tabs [aria-current="page"]').innerText()).toBe(
        lens === "files" ? "Your disks" : "Your records",
      );
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  test("E-23 the page waits, and reports without a reload that an app has connected", async () => {
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

  test("E-23 says plainly that an app on another machine cannot reach this computer's local address", async () => {
    const { page } = await it.open("/dashboard/connect");
    expect(await page.locator(".alert").innerText()).toContain("cannot reach this address");
    expect(await page.locator("main").innerText()).toContain("pdpp serve --public-url");
  });
});
