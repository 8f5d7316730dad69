// P-06 a stream in a real browser: filters, sorting, columns, pages, charts, downloads and snippets. The state is in
// the URL.
import { parse } from "csv-parse/sync";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { AUTHORS, BOOKS, LOANS, library } from "../library.ts";
import { follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { headers, pathOf, propertyOf, rowsOf, runSnippets, twin } from "./explore-world.ts";

let it: DashboardWorld;
let mails: string;
/** The address of the stream as a table, with columns that can be sorted and chosen. */
let table: string;
let bookings: string;
let books: string;
let mail: string;

beforeAll(async () => {
  it = await dashboardWorld();
  const connections = await it.server.all("/v1/connections");
  const of = (key: string): string => connections.find(({ connector_key }) => connector_key === key).connection_id;
  mail = of("mail");
  mails = `/dashboard/explore/${mail}/messages`;
  table = `${mails}?show=table`;
  bookings = `/dashboard/explore/${of("bank")}/transactions`;
  await it.server.register("library", library);
  const shelf = await it.server.connect("library", "Home shelf");
  await it.server.ingest("books", shelf, BOOKS);
  await it.server.ingest("authors", shelf, AUTHORS);
  await it.server.ingest("loans", shelf, LOANS);
  books = `/dashboard/explore/${shelf}/books`;
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

/** Returns the REST response to the same query. */
async function records(query: Record<string, string>): Promise<Loose> {
  return (
    await it.server.get("/v1/streams/messages/records", { query: { connection_id: mail, count: "exact", ...query } })
  ).body;
}

describe("P-06 a stream as a table", () => {
  test.each([true, false])("P-06 can be filtered by fields of every type; JavaScript %s", async (javaScript) => {
    const { page, complaints } = await it.open(table, { javaScript });
    await page.locator("summary", { hasText: "Filter" }).click();
    const form = page.locator("form", { has: page.locator(".filter-grid") });
    const inbox = await records({ "filter[folder]": "Inbox" });
    await form.getByLabel("Folder").selectOption({ label: `Inbox (${inbox.meta.count.value})` });
    await form.getByLabel("from", { exact: true }).fill("2025-03-01");
    await form.getByLabel("until").fill("2025-03-31");
    await form.getByLabel("at least").fill("600");
    await follow(form.getByRole("button", { name: "Apply" }));
    await page.waitForURL(/filter/);
    const same = await records({
      "filter[folder]": "Inbox",
      "filter[sent_at][gte]": "2025-03-01",
      "filter[sent_at][lt]": "2025-04-01",
      "filter[size_bytes][gte]": "600",
    });
    expect(same.meta.count.value).toBeGreaterThan(3);
    expect(await page.locator(".lead").innerText()).toContain(`${same.meta.count.value} records match`);
    const subjects = (await rowsOf(page)).map(([subject]) => subject);
    expect(subjects).toEqual(same.data.map(({ data }: Loose) => data.subject));
    // Blank form fields are ignored, and each filter can be removed separately.
    const chips = page.getByRole("list", { name: "Filters" }).getByRole("link");
    expect(await chips.allInnerTexts()).toEqual([
      "Sent from 1 Mar 2025 ×",
      "Sent until 31 Mar 2025 ×",
      "Folder is Inbox ×",
      "Size ≥ 600 ×",
      "Clear all",
    ]);
    await follow(page.getByRole("link", { name: "Remove: Folder is Inbox" }));
    expect(pathOf(page)).not.toContain("folder");
    await follow(page.getByRole("link", { name: "Clear all" }));
    expect(await page.locator(".lead").innerText()).toContain("2,159 records ·");
    expect(complaints).toEqual([]);
  });

  test("P-06 can be sorted by a column header in both directions", async () => {
    const { page } = await it.open(`${table}&filter[folder]=Inbox`);
    expect(await page.locator("th[aria-sort]").innerText()).toBe("Sent ↓");
    await follow(page.getByRole("link", { name: "From", exact: true }));
    expect(await page.locator("th[aria-sort=ascending]").innerText()).toBe("From ↑");
    const up = await records({ "filter[folder]": "Inbox", sort: "from_name", limit: "50" });
    expect((await rowsOf(page)).map(([subject]) => subject)).toEqual(up.data.map(({ data }: Loose) => data.subject));
    await follow(page.getByRole("link", { name: "From", exact: true }));
    expect(await page.locator("th[aria-sort=descending]").innerText()).toBe("From ↓");
    expect(new URL(page.url()).searchParams.get("filter[folder]")).toBe("Inbox");
    // Free text cannot be sorted.
    expect(await page.getByRole("columnheader", { name: "Subject" }).getByRole("link").count()).toBe(0);
  });

  test("P-06 V-01 V-12 shows the chosen columns, remembers them in every browser, and lets the owner undo the choice", async () => {
    const { page } = await it.open(table, { javaScript: false });
    expect(await headers(page)).toEqual(["Subject", "Sent", "From", "To", "Folder"]);
    await page.locator("summary", { hasText: "Columns" }).click();
    await page.getByRole("checkbox", { name: "To", exact: true }).uncheck();
    await page.getByRole("checkbox", { name: "Sent" }).uncheck();
    await page.getByRole("checkbox", { name: "Size" }).check();
    await follow(page.getByRole("button", { name: "Show these" }));
    expect(await headers(page)).toEqual(["Subject", "From", "Folder", "Size"]);
    const shown = await rowsOf(page);
    const { page: other } = await it.open(table);
    expect(await rowsOf(other)).toEqual(shown);
    await page.locator("summary", { hasText: "Columns" }).click();
    await follow(page.getByRole("button", { name: "Default columns" }));
    expect(await headers(page)).toEqual(["Subject", "Sent", "From", "To", "Folder"]);
    expect(pathOf(page).replace(/&undo=.*/, "")).toBe(table);
    const undo = () => follow(page.locator(".toast").getByRole("button", { name: "Undo" }));
    await undo();
    expect(await headers(page)).toEqual(["Subject", "From", "Folder", "Size"]);
    await undo();
    expect(await headers(page)).toEqual(["Subject", "Sent", "From", "To", "Folder"]);
  });

  test("P-06 pages through every record once, and back to the first", async () => {
    const { page } = await it.open(`${mails}?filter[folder]=Archive&limit=25&sort=from_name`);
    const first = await rowsOf(page);
    const links: string[] = [];
    for (;;) {
      links.push(...(await propertyOf(page, "table.records tbody th a", "pathname")));
      const next = page.getByRole("link", { name: "Next page" });
      if ((await next.count()) === 0) break;
      await follow(next);
    }
    const all = await it.server.all("/v1/streams/messages/records", {
      query: { connection_id: mail, "filter[folder]": "Archive", sort: "from_name", limit: 100 },
    });
    expect(links.map((link) => decodeURIComponent(link.split("/").at(-1)!))).toEqual(all.map(({ id }) => id));
    expect(all.length).toBeGreaterThan(60);
    await page.goBack();
    await follow(page.getByRole("link", { name: "First page" }));
    expect(await rowsOf(page)).toEqual(first);
  });

  test("P-06 a row links to its record, whose breadcrumbs link back to the stream and the connection", async () => {
    const { page } = await it.open(table);
    const [[subject]] = (await rowsOf(page)) as [[string]];
    await follow(page.locator("table.records tbody th a").first());
    expect(await page.locator("h1").innerText()).toBe(subject);
    await follow(page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Emails" }));
    expect(pathOf(page)).toBe(mails);
    await follow(page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Personal mail" }));
    expect(pathOf(page)).toBe(`/dashboard/connections/${mail}`);
  });

  test("P-06 reports invalid parts of the URL and applies the rest", async () => {
    const { page } = await it.open(
      `${table}&filter[folder]=Inbox&filter[size_bytes][gte]=many&filter[nope]=1&cursor=x&sort=body`,
    );
    const told = await page.locator(".alert.warn").innerText();
    for (const part of [
      "Size needs a number",
      "no field “nope”",
      "Sorting by “body” is not possible",
      "this is the first page",
    ])
      expect(told).toContain(part);
    expect(await rowsOf(page)).toHaveLength(50);
    const odd = [
      "?filter[sent_at]=x",
      "?limit=-1",
      "?fields=",
      "?show=nothing&year=0",
      "?filter[[]]=1",
      "?since[sent_at]=now",
      "?filter[from_name]=%00",
    ];
    for (const search of odd) {
      const answer = await page.goto(new URL(mails + search, it.server.url).href);
      expect([search, answer!.status()]).toEqual([search, 200]);
    }
    const none = await page.goto(new URL(`/dashboard/explore/${mail}/nothing`, it.server.url).href);
    expect(none!.status()).toBe(404);
  });

  test("P-06 shows values of every kind, and marks missing ones", async () => {
    const { page } = await it.open(
      `${books}?fields=title,genre,pages,price,lent,bought_on,published_at,extra&sort=pages`,
    );
    const rows = await rowsOf(page);
    expect(rows[0]).toEqual(["gamma", "essay", "0", "0", "No", "1 Apr 2024", "31 Mar 2024, 01:30", "–"]);
    // A record without a name is shown with its id.
    expect(rows.map(([title]) => title)).toContain("b08");
    expect(rows.at(-1)!.slice(1, 4)).toEqual(["novel", "–", "–"]);
  });

  test("P-06 a stream's citation links to it", async () => {
    const { page } = await it.open(`/dashboard/records/${mail}/messages`);
    expect(await page.locator("h1").innerText()).toBe("Emails");
  });
});

describe("P-06 downloading a view", () => {
  test("P-06 a download contains exactly the view's records, in its order, with its columns", async () => {
    const view = `${mails}?filter[folder]=Inbox&since[sent_at]=2025-03-01&until[sent_at]=2025-03-31&sort=from_name&limit=100&fields=subject,from_name,unread`;
    const { page } = await it.open(view);
    const rows = await rowsOf(page);
    expect(rows.length).toBeGreaterThan(10);
    const taken: Record<string, string> = {};
    for (const name of ["CSV", "JSON lines"]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
      const parts: Buffer[] = [];
      for await (const part of await download.createReadStream()) parts.push(part as Buffer);
      taken[name] = Buffer.concat(parts).toString("utf8");
    }
    const csv = parse(taken.CSV!, { columns: true, bom: true }) as Record<string, string>[];
    expect(csv.map(({ subject, from_name }) => [subject, from_name])).toEqual(
      rows.map(([subject, from]) => [subject, from]),
    );
    expect(Object.keys(csv[0]!)).not.toContain("body");
    const lines = taken["JSON lines"]!.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ data }) => [data.subject, data.from_name])).toEqual(
      rows.map(([subject, from]) => [subject, from]),
    );
  });
});

describe("P-06 a stream as charts", () => {
  test("P-06 the charts agree with the aggregations, in the owner's time zone", async () => {
    const zone = "America/New_York";
    const context = await it.context();
    await context.addCookies([{ name: "pdpp_zone", value: encodeURIComponent(zone), url: it.server.url }]);
    const path = `${bookings}?show=charts&filter[category]=coffee&year=2025`;
    const answer = await context.request.get(it.server.url + it.keyed(path), {
      headers: { Accept: "application/json" },
    });
    const { timeline, charts, count } = (await answer.json()) as Loose;
    const ask = async (query: Record<string, string>): Promise<Loose> =>
      (
        await it.server.get("/v1/streams/transactions/aggregate", {
          query: { connection_id: bookings.split("/")[3]!, "filter[category]": "coffee", limit: 100, ...query },
        })
      ).body;
    const time = { metric: "count", group_by_time: "booked_on", time_zone: zone };
    // V-10: money is summed, not counted.
    const months = await ask({ ...time, metric: "sum", field: "amount", granularity: "month" });
    expect(count).toBe(months.filtered_record_count);
    expect(timeline.buckets.map(({ label, count: own }: Loose) => [label, own])).toEqual(
      months.groups.map(({ key, value }: Loose) => [key, -value]),
    );
    for (const [from, to] of [
      ["2025-01-01", "2025-04-01"],
      ["2025-04-01", "2025-07-01"],
      ["2025-07-01", "2025-10-01"],
    ] as const) {
      const days = await ask({
        ...time,
        granularity: "day",
        "filter[booked_on][gte]": from,
        "filter[booked_on][lt]": to,
      });
      for (const { key, count: own } of days.groups) expect([key, charts.heat.days[key]]).toEqual([key, own]);
    }
    for (const { field, values, others } of charts.top) {
      const found = await ask({ metric: "count", group_by: field, limit: "8" });
      expect([field, values]).toEqual([
        field,
        found.groups.map(({ key, count: own }: Loose) => ({ value: key, count: own })),
      ]);
      expect(others).toBe(found.other_count);
    }
    const amount = charts.figures.find(({ field }: Loose) => field === "amount").metrics;
    for (const { metric, value } of amount)
      expect([metric, value]).toEqual([metric, (await ask({ metric, field: "amount" })).value]);
  });

  test("P-06 clicking a bar filters by its time, and the chart then has finer steps; clicking a value filters by that value", async () => {
    const { page } = await it.open(bookings);
    const amount = (label: string): number => Number(label.split(": ")[1]!.replaceAll(/[€,]/g, ""));
    const bar = page.getByRole("link", { name: /^Mar 2025: / });
    const spent = amount((await bar.getAttribute("aria-label"))!);
    await bar.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/since/);
    expect(await page.locator(".lead").innerText()).toMatch(/\d records match/);
    const days = page.getByRole("group", { name: "Spent by day" }).getByRole("link");
    const perDay = await propertyOf(page, ".bars a", "ariaLabel");
    expect(await days.count()).toBe(perDay.length);
    expect(perDay.reduce((sum, label) => sum + amount(label), 0)).toBeCloseTo(spent, 2);
    await follow(page.getByRole("link", { name: "Charts" }));
    const category = page.getByRole("list", { name: "Category" }).getByRole("link").first();
    const name = await category.innerText();
    await follow(category);
    expect(new URL(page.url()).searchParams.get("filter[category]")).toBe(name);
    expect(await page.locator(".ledger").count()).toBe(1);
  });
});

describe("P-06 a stream outside the dashboard", () => {
  test("P-06 the snippets of a table read the same records", async () => {
    const view = await twin(
      it.server,
      `${mails}?filter[folder]=Inbox&filter[size_bytes][gte]=600&since[sent_at]=2025-03-01&until[sent_at]=2025-03-31&sort=-size_bytes&fields=subject,sent_at`,
    );
    expect(view.rows.length).toBeGreaterThan(5);
    const ran = await runSnippets(it.server, view.snippets);
    const ids = view.rows.map(({ id }: Loose) => id);
    for (const [name, { data }] of Object.entries(ran))
      expect([name, data.map((record: Loose) => record.id ?? record.data.id)]).toEqual([name, ids]);
    expect(ran.curl.data.map(({ data }: Loose) => data.subject)).toEqual(
      view.rows.map(({ data }: Loose) => data.subject),
    );
    expect([ran.curl.meta.count.value, ran.command.meta.count.value, ran.tool.count.value ?? ran.tool.count]).toEqual([
      view.count,
      view.count,
      view.count,
    ]);
  });

  test("P-06 the snippets of charts return the same counts", async () => {
    const view = await twin(it.server, `${mails}?show=charts&filter[folder]=Inbox`);
    const ran = await runSnippets(it.server, view.snippets);
    const counted = view.timeline.buckets.map(({ label, count }: Loose) => [label, count]);
    for (const { groups } of [ran.curl, ran.command, ran.tool.data])
      expect(groups.map(({ key, count }: Loose) => [key, count])).toEqual(
        counted.filter(([, count]: Loose) => count > 0),
      );
  });

  test("P-06 its JSON form has the page's data, without markup or form tokens", async () => {
    const { page } = await it.open(`${table}&filter[folder]=Inbox`);
    const view = await twin(it.server, `${table}&filter[folder]=Inbox`);
    expect((await rowsOf(page)).map(([subject]) => subject)).toEqual(view.rows.map(({ data }: Loose) => data.subject));
    const text = JSON.stringify(view);
    expect(text).not.toMatch(/<\w+ class|csrf/);
    const refused = await fetch(new URL(`${mails}.json`, it.server.url));
    expect(refused.status).toBe(401);
  });

  test("P-06 the owner's own reads do not appear in the apps' activity", async () => {
    const before = (await it.server.get("/v1/activity", { query: { limit: 1 } })).body.data[0].n;
    await it.open(mails);
    await it.open(`${mails}?show=charts`);
    const { data } = (await it.server.get("/v1/activity", { query: { limit: 5 } })).body;
    expect(data.filter(({ n, action }: Loose) => n > before && action !== "activity")).toEqual([]);
  });
});
