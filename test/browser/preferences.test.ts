// The owner's preferences in a real browser: theme, time zone and date language, which apply from the first response.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { embeddingServer } from "../embedding-server.ts";
import { HOME_OWNER } from "../harness.ts";
import { axeViolations, follow, sidewaysScroll } from "./browser.ts";
import { type DashboardWorld, dashboardWorld, OWNER } from "./dashboard-world.ts";
import { ended, runImport, sendImport } from "./sent-files.ts";

const SETTINGS = "/dashboard/settings";
let it: DashboardWorld;
beforeAll(async () => {
  it = await dashboardWorld({ empty: true });
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

async function choose(page: Page, theme: string, zone: string, language: string): Promise<void> {
  await page.locator("#look").getByLabel(theme, { exact: true }).check();
  await page.getByLabel("Time zone").selectOption(zone);
  await page.getByLabel("Date language").selectOption(language);
  await follow(page.locator("#look").getByRole("button", { name: "Save" }));
}

describe("V-13 theme and dates", () => {
  test("V-13 theme, time zone and date language can be chosen without JavaScript, and a new browser uses them from its first response", async () => {
    const { page, complaints } = await it.open(SETTINGS, { javaScript: false });
    await choose(page, "Dark", "Asia/Tokyo", "de");
    expect(await page.locator("main > [role=status]").innerText()).toContain("Saved");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    expect(complaints).toEqual([]);

    // A new browser, with a light theme and another time zone.
    const other = await it.browser.context({ scheme: "light" });
    const fresh = await other.newPage();
    const documents: string[] = [];
    fresh.on("response", (answer) => {
      if (answer.request().isNavigationRequest() && answer.status() === 200) documents.push(answer.url());
    });
    await fresh.goto(`${it.server.url}/login?return_to=${SETTINGS}`);
    await fresh.locator('input[name="name"]').fill(OWNER.name);
    await fresh.locator('input[name="password"]').fill(OWNER.password);
    await follow(fresh.getByRole("button", { name: "Sign in" }));
    await fresh.waitForURL(/settings/);
    expect(documents.filter((url) => url.includes(SETTINGS) && !url.includes("login"))).toHaveLength(1);
    const now = fresh.locator("#look time").first();
    const at = new Date((await now.getAttribute("datetime"))!);
    const words = new Intl.DateTimeFormat("de", {
      timeZone: "Asia/Tokyo",
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    }).format(at);
    expect([await now.innerText(), await now.getAttribute("lang")]).toEqual([words, "de"]);
    const background = "getComputedStyle(document.documentElement).backgroundColor";
    expect(await fresh.evaluate(background)).toBe("rgb(18, 20, 22)");
    expect(await axeViolations(fresh)).toEqual([]);
    expect((await it.server.get(`${SETTINGS}.json`)).body.preferences).toEqual({
      theme: "dark",
      time_zone: "Asia/Tokyo",
      date_language: "de",
    });

    await choose(fresh, "Light", "", "en-GB");
    await fresh.emulateMedia({ colorScheme: "dark" });
    expect(await fresh.evaluate(background)).toBe("rgb(248, 247, 244)");
    await fresh.setViewportSize({ width: 390, height: 844 });
    expect(await sidewaysScroll(fresh)).toBe(0);
  });

  test("V-13 an unknown time zone or language is refused with a message that quotes it, and nothing changes", async () => {
    const before = (await it.server.get(`${SETTINGS}.json`)).body.preferences;
    const { page } = await it.open(SETTINGS, { javaScript: false });
    const csrf = await page.locator('#look input[name="csrf"]').inputValue();
    const wrongs: Record<string, string>[] = [
      { time_zone: "Mars/Phobos" },
      { date_language: "not a tag" },
      { theme: "pink" },
    ];
    for (const wrong of wrongs) {
      const answer = await page.request.post(it.server.url + it.keyed(SETTINGS), {
        form: { csrf, do: "look", theme: "dark", ...wrong },
        headers: { origin: it.server.url, accept: "text/html" },
      });
      expect(answer.status()).toBe(400);
    }
    expect((await it.server.get(`${SETTINGS}.json`)).body.preferences).toEqual(before);
  });
});

describe("R-06 search by meaning", () => {
  test("R-06 a model can be set, viewed and removed in Settings, which warns that private text is sent to the model's endpoint", async () => {
    const endpoint = await embeddingServer();
    try {
      const { page } = await it.open(SETTINGS, { javaScript: false });
      const card = page.locator("#search-model");
      await follow(card.locator("summary"));
      expect(await card.innerText()).toContain(
        "Passages from your records, and each search, are sent to this endpoint",
      );
      await card.getByLabel("Endpoint", { exact: true }).fill("https://models.example/v1");
      await card.getByLabel("Name of the model").fill("small");
      await follow(card.getByRole("button", { name: "Set model" }));
      expect(await page.getByRole("alert").first().innerText()).toContain("odels.example is another machine");
      await follow(card.locator("summary"));
      await card.getByLabel("Endpoint", { exact: true }).fill(endpoint.url);
      await card.getByLabel("Name of the model").fill("small");
      await follow(card.getByRole("button", { name: "Set model" }));
      expect(await card.innerText()).toMatch(/small[\s\S]*sends passages of your records[\s\S]*This|this machine/);
      expect((await it.server.get(`${SETTINGS}.json`)).body.searchModel).toMatchObject({
        name: "small",
        remote: false,
      });
      await follow(card.getByRole("button", { name: /^Remove/ }));
      expect(await page.locator("main > [role=status]").innerText()).toContain("The model has been removed");
      expect((await it.server.get(`${SETTINGS}.json`)).body.searchModel).toBeUndefined();
    } finally {
      await endpoint.close();
    }
  });
});

test("V-13 the help page explains the product and lists the keyboard shortcuts, on a phone too", async () => {
  const { page, complaints } = await it.open("/dashboard/help", { width: 360, javaScript: false });
  const text = await page.locator("main").innerText();
  for (const words of ["What is this?", "How do I stop an app?", "Next item in a list"]) expect(text).toContain(words);
  expect(await sidewaysScroll(page)).toBe(0);
  expect(complaints).toEqual([]);
  for (const link of await page.locator("main a").all()) {
    const answer = await page.request.get(new URL((await link.getAttribute("href"))!, page.url()).href);
    expect([await link.getAttribute("href"), answer.status()]).toEqual([expect.any(String), 200]);
  }
});

test("V-10 V-13 an import suggests the browser's time zone, the one from Settings, or the answer to an earlier import of the same chat", async () => {
  const suggested = async (): Promise<{ page: Page; id: string; zone: string }> => {
    const chat = "20/06/2026, 18:02 - Orla Byrne: The ferry leaves at nine\n";
    const id = await sendImport(it.server, { "WhatsApp Chat with Orla Byrne.txt": chat });
    const { page } = await it.open(`/dashboard/import/${id}`, { zone: "America/New_York" });
    const zone = page.getByLabel("Which time zone applies?");
    await zone.waitFor();
    return { page, id, zone: await zone.inputValue() };
  };
  expect((await suggested()).zone).toBe("America/New_York");
  await it.server.host.call("setPreferences", { theme: "system", time_zone: "Asia/Tokyo" }, HOME_OWNER);
  const { page, id, zone } = await suggested();
  expect(zone).toBe("Asia/Tokyo");
  // Without an answer the server's own zone would apply, so the browser refuses to submit an empty one.
  await page.getByLabel("Which time zone applies?").fill("");
  await page.getByRole("button", { name: "Start the import" }).click();
  expect((await it.server.get(`/v1/imports/${id}`)).body.status).toBe("open");
  await runImport(it.server, id, { answers: { time_zone: "Europe/Dublin" } });
  const again = await suggested();
  expect(again.zone).toBe("Europe/Dublin");
  await again.page.getByRole("button", { name: "Start the import" }).click();
  const { imports } = await ended(it.server, again.id);
  expect(imports[0].progress.counts).toMatchObject({ imported: 0, changed: 0, unchanged: 2 });
  await it.server.host.call("setPreferences", { theme: "system" }, HOME_OWNER);
});
