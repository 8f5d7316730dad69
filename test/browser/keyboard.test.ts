// The dashboard by keyboard in a real browser: the command palette, lists, skip links, and undo after a change, with
// and without JavaScript.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { axeViolations, follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";

let it: DashboardWorld;
beforeAll(async () => {
  it = await dashboardWorld();
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('href') ?? document.activeElement.id");

async function choose(page: Page, typed: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to or search" }).pressSequentially(typed);
  await page.locator('#palette-list [role="option"]', { hasText: option }).first().waitFor();
  const selected = page.locator('[role="option"][aria-selected="true"]');
  while (!(await selected.innerText()).match(option)) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

test("V-12 Ctrl-K opens pages, sources, streams, people and a search, using only the keyboard", async () => {
  const { page, complaints } = await it.open("/dashboard/settings");
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: "Go to or search" });
  await page.locator('#palette-list [role="option"]').first().waitFor();
  expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("combobox");
  expect(await page.locator(`#${await box.getAttribute("aria-activedescendant")}`).getAttribute("aria-selected")).toBe(
    "true",
  );
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  expect(await page.locator("dialog[open]").count()).toBe(0);

  await choose(page, "help", /Help and keys/);
  await page.waitForURL(/\/dashboard\/help$/);
  await choose(page, "transac", /transactions/i);
  await page.waitForURL(/\/dashboard\/explore\/[^/]+\/transactions$/);
  await choose(page, "priya", /Person/);
  await page.waitForURL(/\/dashboard\/people\//);
  await choose(page, "lisbon tickets", /Search for/);
  await page.waitForURL(/\/dashboard\/explore\?q=lisbon%20tickets$/);
  expect(complaints).toEqual([]);
});

test("V-12 without JavaScript, the command palette is a page", async () => {
  const { page } = await it.open("/dashboard", { javaScript: false });
  await follow(page.getByRole("link", { name: /^Go to/ }));
  expect(await page.locator(".destinations a").count()).toBeGreaterThan(20);
  await follow(page.locator(".destinations a", { hasText: "Help and keys" }));
  expect(await page.locator("h1").innerText()).toBe("Help");
});

test("V-12 slash searches, j and k move through the hits, Enter opens one, Esc leaves, and ? shows the shortcuts", async () => {
  const { page } = await it.open("/dashboard/explore?q=lisbon");
  await page.keyboard.press("/");
  expect(await page.evaluate("document.activeElement.type")).toBe("search");
  await page.keyboard.press("Escape");
  const hits = await page
    .locator(".hits > li")
    .evaluateAll((rows) => rows.map((row) => row.querySelector("a")!.getAttribute("href")));
  for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
  expect(await focused(page)).toBe(hits[1]);
  await page.keyboard.press("Escape");
  expect(await focused(page)).toBe("main");
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.waitFor();
  expect(await keys.innerText()).toMatch(/Ctrl\s+K[\s\S]*Next item in a list/);
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === new URL(hits[0]!, url).pathname);
  // A letter typed into a text box is not a shortcut.
  await page.goto(`${it.server.url}/dashboard/explore`);
  await page.keyboard.press("/");
  await page.keyboard.type("jk?");
  expect(await page.locator('input[type="search"]').first().inputValue()).toBe("jk?");
});

test("V-12 the first record on the timeline is four key presses away", async () => {
  const { page } = await it.open("/dashboard", { javaScript: false });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  expect(await focused(page)).toMatch(/#list$/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.getElementById('list').contains(document.activeElement)")).toBe(true);
});

test("V-12 a change offers Undo without JavaScript, and a forged undo address offers nothing", async () => {
  const { page } = await it.open("/dashboard/settings", { javaScript: false });
  const theme = (): Promise<string | null> => page.locator("html").getAttribute("data-theme");
  await page.locator("#look").getByLabel("Dark", { exact: true }).check();
  await follow(page.locator("#look").getByRole("button", { name: "Save" }));
  expect(await theme()).toBe("dark");
  const address = page.url();
  await follow(page.locator(".toast").getByRole("button", { name: "Undo" }));
  expect(await theme()).toBeNull();
  const forged = address.replace(/undo=[^.]+/, `undo=${Buffer.from('[["do","health"]]').toString("base64url")}`);
  await page.goto(forged);
  expect(await page.locator(".toast").count()).toBe(0);

  const [{ connection_id, display_name }] = await it.server.all("/v1/connections");
  await page.goto(`${it.server.url}/dashboard/connections/${connection_id}`);
  const rename = page.locator("form", { has: page.locator('input[name="name"]') });
  if (!(await rename.isVisible())) await page.locator("details", { has: rename }).locator("summary").first().click();
  await rename.locator('input[name="name"]').fill("Another name");
  await follow(rename.getByRole("button"));
  expect(await page.locator("h1").innerText()).toBe("Another name");
  await follow(page.locator(".toast").getByRole("button", { name: "Undo" }));
  expect(await page.locator("h1").innerText()).toBe(display_name);
});

test("pages and their JSON are compressed, but API responses and event streams are not", async () => {
  const { page } = await it.open("/dashboard/help");
  const encodingOf = async (path: string, headers: Record<string, string> = {}): Promise<string | null> => {
    const answer = await fetch(it.server.url + path, { headers: { "accept-encoding": "gzip", ...headers } });
    await answer.body?.cancel();
    return answer.headers.get("content-encoding");
  };
  const [shown] = await Promise.all([
    page.waitForResponse(/dashboard\/map$/),
    page.goto(`${it.server.url}/dashboard/map`),
  ]);
  expect(await shown.headerValue("content-encoding")).toMatch(/^(?:zstd|br|gzip)$/);
  const sent = (await shown.request().sizes()).responseBodySize;
  expect(sent).toBeLessThan((await shown.body()).length / 3);
  const authorization = `Bearer ${it.server.owner}`;
  expect(await encodingOf("/dashboard/connections.json", { authorization })).toBe("gzip");
  expect(await encodingOf("/v1/streams", { authorization })).toBeNull();
});
