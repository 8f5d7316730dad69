// Local dates and amounts on the first page and on a phone, and sums over time for kinds where a count says little.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { HOME_OWNER, type Loose } from "../harness.ts";
import { axeViolations, sidewaysScroll } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";

let it: DashboardWorld;
const ids = new Map<string, string>();

beforeAll(async () => {
  it = await dashboardWorld();
  for (const { display_name, connection_id } of await it.server.all("/v1/connections"))
    ids.set(display_name, connection_id);
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

const stream = (connection: string, name: string, query = ""): string =>
  `/dashboard/explore/${ids.get(connection)}/${name}${query}`;

async function recordPage(connection: string, name: string, query: Record<string, string>): Promise<string> {
  const connection_id = ids.get(connection)!;
  const { body } = await it.server.get(`/v1/streams/${name}/records`, { query: { connection_id, limit: 1, ...query } });
  return `/dashboard/records/${connection_id}/${name}/${encodeURIComponent(body.data[0].id)}`;
}

describe("V-10 dates and amounts are shown in the owner's locale", () => {
  test("V-10 the first page in a new browser uses the browser's time zone, and a reload does not change it", async () => {
    const shown = async (zone: string): Promise<string[]> => {
      const { page } = await it.open(await recordPage("WhatsApp", "messages", {}), { zone });
      await page.locator("h1").waitFor();
      const first = await page.locator("main time").first().innerText();
      await page.reload();
      return [first, await page.locator("main time").first().innerText()];
    };
    const [dublin, again] = await shown("Europe/Dublin");
    const [auckland, there] = await shown("Pacific/Auckland");
    expect(again).toBe(dublin);
    expect(there).toBe(auckland);
    expect(auckland).not.toBe(dublin);
  });

  test("V-10 a time zone chosen in Settings applies on the first page without JavaScript", async () => {
    await it.server.host.call("setPreferences", { theme: "system", time_zone: "Pacific/Auckland" }, HOME_OWNER);
    try {
      const path = await recordPage("WhatsApp", "messages", {});
      const told = async (javaScript: boolean): Promise<string> =>
        (await it.open(path, { javaScript, zone: "America/New_York" })).page.locator("main time").first().innerText();
      expect(await told(false)).toBe(await told(true));
    } finally {
      await it.server.host.call("setPreferences", { theme: "system" }, HOME_OWNER);
    }
  });

  test("V-10 a birthday stays on its day and an all-day event shows no time of day, west and east of Greenwich", async () => {
    const events = await it.server.all("/v1/streams/events/records", {
      query: { connection_id: ids.get("Calendar")! },
    });
    const whole = events.find(({ data }: Loose) => data.all_day === true);
    const contacts = await it.server.all("/v1/streams/contacts/records", {
      query: { connection_id: ids.get("Contacts")! },
    });
    const born = contacts.find(({ data }: Loose) => typeof data.birthday === "string");
    for (const zone of ["America/Los_Angeles", "Pacific/Auckland"]) {
      const read = async (name: string, connection: string, id: string): Promise<string> =>
        (await it.open(`/dashboard/records/${ids.get(connection)}/${name}/${encodeURIComponent(id)}`, { zone })).page
          .locator("main")
          .innerText();
      const day = new Date(`${born.data.birthday.slice(0, 10)}T00:00:00Z`);
      const month = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(day);
      expect(await read("contacts", "Contacts", born.id)).toContain(`${day.getUTCDate()} ${month}`);
      const text = await read("events", "Calendar", whole.id);
      expect(text.split("All fields")[0]).not.toMatch(/\b\d\d:\d\d\b/);
    }
  });

  test("V-10 a photo shows only the camera's time", async () => {
    const { page } = await it.open(await recordPage("Phone pictures", "photos", {}), { zone: "Pacific/Auckland" });
    const text = await page.locator("main").innerText();
    expect(text).toContain("Taken");
    expect(text).not.toContain("Local time");
    const clocks = new Set((text.split("All fields")[0]!.match(/\b\d\d:\d\d\b/g) ?? []).slice(0, 5));
    expect(clocks.size).toBe(1);
  });

  test("V-10 amounts have a sign, a colour and a currency", async () => {
    const { page } = await it.open(stream("Liffey Bank", "transactions"));
    const amounts = await page.locator(".items .item-aside").allInnerTexts();
    expect(amounts.length).toBeGreaterThan(10);
    for (const amount of amounts) expect(amount).toMatch(/^[−+]€[\d,]+\.\d\d$/);
    const colours = await page.evaluate<string[]>(
      "[...new Set([...document.querySelectorAll('.items .item-aside > *')].map((one) => `${one.textContent[0]} ${getComputedStyle(one).color}`))]",
    );
    expect(new Set(colours.map((one) => one.slice(2))).size).toBe(2);
  });
});

describe("V-11 on a phone", () => {
  const narrow = async (path: string): Promise<Page> => {
    const { page } = await it.open(path, { width: 360 });
    await page.setViewportSize({ width: 390, height: 844 });
    return page;
  };

  test("V-11 the navigation fits on one line", async () => {
    const page = await narrow("/dashboard");
    const tops = await page
      .locator(".nav a:visible")
      .evaluateAll((links) => [
        ...new Set(
          links.map((link) => Math.round((link.getBoundingClientRect().top + link.getBoundingClientRect().bottom) / 2)),
        ),
      ]);
    expect(tops).toHaveLength(1);
  });

  test("V-11 amounts, text and values are visible without scrolling sideways", async () => {
    for (const [path, selector] of [
      [stream("Liffey Bank", "transactions"), ".items .item-aside"],
      [stream("Orders", "orders"), ".items .item-aside"],
      [stream("Personal mail", "messages"), ".items .item-title"],
      [stream("WhatsApp", "messages", "?filter[chat_name]=Supper+Club"), ".bubble"],
      [stream("Apple Health", "records"), ".items .item-aside"],
      [stream("Tuneharbour", "listens"), ".items .item-title"],
      ["/dashboard/map", ".map-list .item-title"],
    ] as const) {
      const page = await narrow(path);
      expect(await sidewaysScroll(page), path).toBe(0);
      const shown = page.locator(selector);
      expect(await shown.count(), path).toBeGreaterThan(3);
      for (const box of await Promise.all((await shown.all()).slice(0, 8).map((one) => one.boundingBox())))
        expect(box!.x >= 0 && box!.x + box!.width <= 390 && box!.width > 20, path).toBe(true);
    }
  });
});

describe("V-01 money", () => {
  test("V-01 accounts show the balance from the last line of each statement", async () => {
    const { page } = await it.open(stream("Liffey Bank", "accounts"));
    expect(await page.locator(".items .item").count()).toBe(2);
    for (const [account, transactions] of Map.groupBy(
      await it.server.all("/v1/streams/transactions/records", { query: { connection_id: ids.get("Liffey Bank")! } }),
      ({ data }: Loose) => data.account as string,
    )) {
      const cents = (amount: number): number => Math.round(amount * 100);
      const ends = new Set(transactions.map(({ data }: Loose) => cents(data.balance)));
      const begins = transactions.map(({ data }: Loose) => cents(data.balance) - cents(data.amount));
      const opening = begins.find((begin) => !ends.has(begin))!;
      const sum = transactions.reduce((total: number, { data }: Loose) => total + cents(data.amount), opening);
      const row = page.locator(".items .item", { has: page.locator(`a[href$="/${encodeURIComponent(account)}"]`) });
      expect(await row.locator(".item-aside").innerText()).toBe(
        (sum / 100).toLocaleString("en", { style: "currency", currency: "EUR" }),
      );
    }
  });

  test("V-01 orders are listed with shop, items and total, and each order has a page", async () => {
    const { page } = await it.open(stream("Orders", "orders"));
    const [order] = (
      await it.server.get("/v1/streams/orders/records", { query: { connection_id: ids.get("Orders")!, limit: 1 } })
    ).body.data;
    expect(await sidewaysScroll(page)).toBe(0);
    const row = page.locator(".items .item").first();
    expect(await row.innerText()).toContain(order.data.shop);
    expect(await row.locator(".item-aside").innerText()).toMatch(/^€[\d,]+\.\d\d$/);
    await row.locator("a").click();
    await page.waitForURL(/\/dashboard\/records\//);
    expect(await page.locator("h1").innerText()).toBe(order.data.shop);
    const text = (await page.locator("main").innerText()).split("All fields")[0]!;
    expect(text).toMatch(/Shop\s+.*[\s\S]*Ordered\s+.*[\s\S]*Items\s+/);
    expect(text).not.toContain("order_id");
  });
});

describe("V-01 sums over time", () => {
  test("V-01 each kind of measurement has a chart, and a click opens it", async () => {
    const { page, complaints } = await it.open(stream("Apple Health", "records"));
    expect(await page.locator(".metrics h2").allInnerTexts()).toEqual([
      "Resting heart rate",
      "Step count",
      "Body mass",
    ]);
    expect(await page.locator(".metrics .line").count()).toBe(2);
    expect(await page.locator(".metrics").innerText()).toMatch(/Average by month, last \d\d(\.\d+)? kg/);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Body mass" }).first().click();
    await page.locator(".chip").waitFor();
    expect(new Set(await page.locator(".items .item-title").allInnerTexts())).toEqual(new Set(["Body mass"]));
    expect(complaints).toEqual([]);
  });

  test("V-01 the durations of workouts and plays are summed", async () => {
    for (const [path, name, field] of [
      [stream("Apple Health", "workouts"), "workouts", "duration_minutes"],
      [stream("Tuneharbour", "listens"), "listens", undefined],
    ] as const) {
      const { page } = await it.open(path);
      expect(await page.locator(".activity .note").innerText()).toMatch(/^(Training|Playing) time by month$/);
      if (field === undefined) continue;
      const twin = (await it.server.get(`${path}.json`)).body;
      const { body } = await it.server.get(`/v1/streams/${name}/aggregate`, {
        query: {
          connection_id: ids.get("Apple Health")!,
          metric: "sum",
          field,
          group_by_time: "start",
          granularity: "month",
          limit: 100,
        },
      });
      const sums = new Map<string, number>(body.groups.map(({ key, value }: Loose) => [key, value]));
      for (const { label, count } of twin.timeline.buckets) expect(count).toBeCloseTo(sums.get(label) ?? 0, 6);
    }
  });
});
