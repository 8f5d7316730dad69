// P-06 Explore in a real browser: searching everything, narrowing, and browsing streams. The state is in the URL.
import { parse } from "csv-parse/sync";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { recordPath } from "../../src/core/record-path.ts";
import { recordUrl } from "../../src/surfaces/mcp/record-url.ts";
import type { Loose } from "../harness.ts";
import { library } from "../library.ts";
import { follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { idWhere, layoutShift, pathOf, propertyOf, runSnippets, twin, withoutKey } from "./explore-world.ts";

let it: DashboardWorld;
let connections: Loose[];
const of = (key: string): string => connections.find(({ connector_key }) => connector_key === key).connection_id;

beforeAll(async () => {
  it = await dashboardWorld();
  connections = await it.server.all("/v1/connections");
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

describe("V-03 a person's page", () => {
  test("V-03 shows first and last contact, counts and days across all sources, and can be narrowed by kind and month, without JavaScript", async () => {
    const { body } = await it.server.get("/v1/people", { query: { q: "Priya Raman" } });
    const [person] = body.data;
    const { page, complaints } = await it.open(`/dashboard/people/${encodeURIComponent(person.person_id)}`, {
      javaScript: false,
    });
    expect(await page.locator("h1").innerText()).toBe("Priya Raman");
    const counts = await it.server.get("/v1/timeline/counts", {
      query: { granularity: "month", with: person.person_id },
    });
    const all = await it.server.all("/v1/timeline", { query: { with: person.person_id, limit: 100 } });
    const total = counts.body.groups.reduce((sum: number, group: Loose) => sum + group.count, 0);
    expect(total).toBe(all.length);
    expect(await page.locator(".person-head").innerText()).toContain(`${total.toLocaleString("en-US")} records`);
    expect(await page.locator(".rank li").count()).toBeGreaterThan(1);
    expect(await page.locator(".chart a").count()).toBe(counts.body.groups.length);
    const chats = page.locator(".kind-filters a", { hasText: "Chats" });
    const messages = all.filter(({ stream }) => stream === "messages").length;
    expect(messages).toBeGreaterThan(0);
    await follow(chats);
    expect(new URL(page.url()).searchParams.get("kind")).toBe("message");
    expect(await page.locator(".kind-filters .chosen").innerText()).toMatch(/^Chats [\d,]+$/);
    await follow(page.locator(".chart a").last());
    expect(await page.locator(".chip").count()).toBe(1);
    expect(await page.locator(".day").count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  test("V-03 V-12 K-12 a record links to its people; on a person's page, an identifier can be split off, another person can be merged in, and both can be undone", async () => {
    const { body } = await it.server.get("/v1/people", { query: { q: "Priya Raman" } });
    const [person] = body.data;
    const { body: mails } = await it.server.get("/v1/search", { query: { q: 'from:"Priya Raman" kind:email' } });
    const { connection_id, stream, record_key } = mails.data[0];
    const { page } = await it.open(recordPath({ connection_id, stream, id: record_key }));
    await follow(page.locator("#people + ul").getByRole("link", { name: "Priya Raman" }).first());
    expect(await page.locator("h1").innerText()).toBe("Priya Raman");
    const known = page.locator("[aria-labelledby=identifiers] li");
    const before = await known.count();
    expect(before).toBe(person.identifiers.length);
    const { id, text } = person.identifiers.at(-1);
    await follow(page.getByRole("button", { name: `Split off ${text}` }));
    expect(await known.count()).toBe(before - 1);
    await follow(page.getByRole("button", { name: "Undo" }));
    expect(await known.count()).toBe(before);
    expect((await it.server.get("/v1/people", { query: { q: id } })).body.data[0].identifiers).toHaveLength(before);
    await page.getByRole("searchbox", { name: "The other person" }).fill("Oisín Doyle");
    await follow(page.locator("#merge ~ form").getByRole("button", { name: "Find" }));
    await follow(page.getByRole("button", { name: /^Merge Oisín/ }));
    expect(await page.locator("[role=status]").innerText()).toContain("one person");
    const merged = (await it.server.get("/v1/people", { query: { q: person.person_id } })).body.data[0];
    expect(merged.identifiers.length).toBeGreaterThan(before);
    await follow(page.getByRole("button", { name: "Undo" }));
    expect(await known.count()).toBe(before);
    const apart = (await it.server.get("/v1/people", { query: { q: person.person_id } })).body.data[0];
    expect(apart.identifiers).toEqual(person.identifiers);
    const nobody = await it.server.get("/dashboard/people/address%3Anobody%40example%2Ecom.json");
    expect([nobody.status, nobody.body.error.code]).toEqual([404, "not_found"]);
  });
});

describe("V-02 the home page is a timeline", () => {
  test("V-02 a day shows its records, with chats grouped into bursts, and can be narrowed by kind, source and person, without JavaScript", async () => {
    const { page, complaints } = await it.open("/dashboard?at=2026-06-20", { javaScript: false });
    const day = page.locator(".day");
    const text = await day.innerText();
    for (const part of ["Cian and Saoirse's wedding", "Claddagh church, Galway", "4 messages", "−€161.62"])
      expect(text).toContain(part);
    expect(text).not.toMatch(/Messages · 2026/);
    expect(await day.locator(".item").count()).toBeLessThan(12);
    await follow(page.getByRole("link", { name: "Chats", exact: true }));
    expect(new URL(page.url()).searchParams.get("kind")).toBe("message");
    expect(await day.innerText()).not.toContain("wedding");
    await follow(page.getByRole("link", { name: "Chats", exact: true }));
    await page.locator("summary", { hasText: "Source and person" }).click();
    await page.getByLabel("With").fill("Priya Raman");
    await follow(page.getByRole("button", { name: "Show" }));
    expect(await day.innerText()).toContain("He owes me an apology about the curtain.");
    expect(await day.innerText()).not.toContain("Bord Solas");
    expect(complaints).toEqual([]);
  });

  test("V-02 zooms out from days to a month and a year, and shows the same day in earlier years", async () => {
    const { page } = await it.open("/dashboard");
    expect(await page.locator(".search-form input[type=search]").count()).toBe(1);
    expect(await page.locator("#earlier").count()).toBe(1);
    await follow(page.getByRole("navigation", { name: "Years and months" }).getByRole("link", { name: "Jun 2026" }));
    expect(new URL(page.url()).searchParams.get("at")).toBe("2026-06");
    await follow(
      page.getByRole("navigation", { name: "Days of June 2026" }).getByRole("link", { name: "20 June 2026" }),
    );
    expect(await page.locator(".zoomed h2").innerText()).toBe("Saturday, 20 June 2026");
    await follow(page.locator(".zoomed").getByRole("link", { name: "June 2026" }));
    await follow(page.locator(".zoomed").getByRole("link", { name: "2026" }));
    expect(new URL(page.url()).searchParams.get("at")).toBe("2026");
    await follow(page.getByRole("link", { name: "Earlier", exact: true }));
    expect(await page.locator(".day").count()).toBeGreaterThan(0);
    const { items } = await twin(it.server, "/dashboard?at=2026-06-20");
    expect(items.some(({ kind }: Loose) => kind === "file" || kind === "person")).toBe(false);
  });
});

describe("P-06 a search over everything", () => {
  test("P-06 leads from the search box to a facet, a hit and its record; going back and reloading keep the state", async () => {
    const { page, complaints, foreignRequests } = await it.open("/dashboard");
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.name")).toBe("q");
    await page.getByRole("searchbox", { name: "Search everything" }).fill("lisbon");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?q=lisbon$/);
    const all = await it.server.get("/v1/search", { query: { q: "lisbon", limit: 1, facets: "true" } });
    expect(await page.getByRole("status").innerText()).toContain(`${all.body.meta.count.value} records found`);

    const mix = all.body.meta.facets.streams.filter(({ connection_id }: Loose) => connection_id === of("calendar"));
    const inCalendar = mix.reduce((sum: number, { count }: Loose) => sum + count, 0);
    const facets = page.getByRole("complementary", { name: "Narrow down" });
    await follow(facets.getByRole("link", { name: `Calendar ${inCalendar}` }));
    expect(new URL(page.url()).searchParams.get("connection")).toBe(of("calendar"));
    expect(await page.getByRole("status").innerText()).toContain(`${inCalendar} records found`);
    // The other sources can still be chosen.
    expect(await facets.getByRole("link").count()).toBeGreaterThan(5);
    const state = pathOf(page);
    const titles = await page.locator(".hit h2").allInnerTexts();
    expect(titles).toHaveLength(inCalendar);
    await page.reload();
    expect([pathOf(page), await page.locator(".hit h2").allInnerTexts()]).toEqual([state, titles]);

    await follow(page.locator(".hit h2 a").first());
    expect(pathOf(page)).toMatch(new RegExp(`^/dashboard/records/${of("calendar")}/events/`));
    expect(await page.locator("h1").innerText()).toBe(titles[0]);
    await page.goBack();
    expect(pathOf(page)).toBe(state);
    await follow(page.getByRole("link", { name: "Remove: in Calendar" }));
    expect(pathOf(page)).toBe("/dashboard/explore?q=lisbon");
    expect([complaints, foreignRequests]).toEqual([[], []]);
  });

  test("P-06 can be narrowed to a month by clicking its bar, and the filter can be removed", async () => {
    const { page } = await it.open("/dashboard/explore?q=lisbon");
    const { months } = (await it.server.get("/v1/search", { query: { q: "lisbon", facets: "true" } })).body.meta.facets;
    const bars = page.getByRole("group", { name: "Hits by month" }).getByRole("link");
    expect(await bars.count()).toBe(months.length);
    const may = months.find(({ month }: Loose) => month === "2025-05").count;
    await page.getByRole("link", { name: `May 2025: ${may}` }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/since=2025-05-01&until=2025-05-31/);
    expect(await page.getByRole("status").innerText()).toContain(`${may} records found`);
    // The other months can still be chosen.
    expect(await bars.count()).toBe(months.length);
    await follow(page.getByRole("link", { name: /^Remove: from 1 May 2025 until 31 May 2025/ }));
    expect(pathOf(page)).toBe("/dashboard/explore?q=lisbon");
  });

  test('P-06 "More" shows every hit exactly once, in the chosen order', async () => {
    const { page } = await it.open("/dashboard/explore?q=dinner");
    await follow(page.getByRole("link", { name: "Newest first" }));
    const { count } = (await twin(it.server, pathOf(page))).search;
    const seen: string[] = [];
    const times: string[] = [];
    for (;;) {
      seen.push(...(await propertyOf(page, ".hit h2 a", "href")));
      times.push(...(await propertyOf(page, ".hit > .note time", "dateTime")));
      const more = page.getByRole("link", { name: "More", exact: true });
      if ((await more.count()) === 0) break;
      await follow(more);
    }
    expect([seen.length, new Set(seen).size]).toEqual([count, count]);
    expect(times).toEqual([...times].sort().reverse());
    await follow(page.getByRole("link", { name: "First hits" }));
    expect(pathOf(page)).toBe("/dashboard/explore?q=dinner&order=newest");
  });

  test("P-06 reports what was relaxed, suggests another spelling, and offers alternatives if nothing is found", async () => {
    const { page } = await it.open("/dashboard/explore?q=lisbn");
    expect(await page.locator(".alert.warn").innerText()).toContain("similar spelling");
    await follow(page.getByRole("link", { name: "lisbon", exact: true }));
    expect(pathOf(page)).toBe("/dashboard/explore?q=lisbon");
    await page.goto(new URL("/dashboard/explore?q=lisbon+quaternion", it.server.url).href);
    expect(await page.locator(".alert.warn").innerText()).toContain("No record contains quaternion");
    await page.goto(new URL("/dashboard/explore?q=lisbon+after:soon", it.server.url).href);
    expect(await page.locator(".alert.warn").innerText()).toContain("A date in the query was not understood");
  });

  test("P-06 highlights matches, shows further passages, and opens a long text at the match", async () => {
    const { page } = await it.open("/dashboard/explore?q=%22ice+machine+of+the+yacht%22");
    const { hits } = (await twin(it.server, pathOf(page))).search;
    expect(await page.locator("mark").allInnerTexts()).toContain("ice machine of the yacht");
    const place = hits[0].passages[0];
    expect(place.truncated).toBe(true);
    await follow(page.getByRole("link", { name: /^Read on/ }).first());
    await page.waitForURL(/#field-/);
    expect(await page.locator(`[id="field-${place.field_path}"]`).innerText()).toContain("ice machine of the yacht");
  });

  test("P-06 tolerates malformed URLs", async () => {
    const { page } = await it.open("/dashboard/explore?q=lisbon&cursor=nonsense");
    expect(await page.locator(".alert.warn").innerText()).toContain("these are the first hits");
    const odd = [
      "?q=",
      "?q=%00",
      "?since=2024-13-01",
      "?year=99999",
      "?q=a&stream=nope",
      "?q=a&order=sideways",
      "?cursor=x",
    ];
    for (const search of [...odd, `?q=${"x".repeat(3000)}`]) {
      const answer = await page.goto(new URL(`/dashboard/explore${search}`, it.server.url).href);
      expect([search, answer!.status()]).toEqual([search, 200]);
    }
    const gone = await page.goto(new URL("/dashboard/explore?q=a&connection=cin_nobody", it.server.url).href);
    expect(gone!.status()).toBe(404);
  });

  test("P-06 works without JavaScript", async () => {
    const { page } = await it.open("/dashboard/explore", { javaScript: false });
    await page.getByRole("searchbox").fill("lisbon");
    await follow(page.getByRole("button", { name: "Search" }));
    await follow(page.getByRole("link", { name: /^Calendar \d/ }));
    expect(await page.locator(".hit").count()).toBe(3);
  });

  test("P-06 the suggested commands find the same records", async () => {
    const { search } = await twin(
      it.server,
      `/dashboard/explore?q=lisbon&connection=${of("calendar")}&stream=events&order=newest&since=2025-01-01`,
    );
    const ran = await runSnippets(it.server, search.snippets);
    const ids = search.hits.map(({ href }: Loose) => decodeURIComponent(href.split("/").at(-1)));
    expect(ids.length).toBeGreaterThan(2);
    expect(ran.curl.data.map(({ record_key }: Loose) => record_key)).toEqual(ids);
    expect(ran.command.data.map(({ record_key }: Loose) => record_key)).toEqual(ids);
    expect(ran.tool.results.map(({ record_id }: Loose) => record_id)).toEqual(ids);
  });

  test("P-06 a search that begins with a dash also works as a command", async () => {
    const { search } = await twin(it.server, "/dashboard/explore?q=-hotel+lisbon");
    const ran = await runSnippets(it.server, search.snippets);
    expect(ran.command.meta.count.value).toBe(search.count);
  });
});

describe("P-06 before a search", () => {
  test("P-06 every stream with records can be browsed and shows its count", async () => {
    const { page, complaints } = await it.open("/dashboard/explore");
    const streams = await it.server.all("/v1/streams");
    const links = await propertyOf(page, ".browse li a", "pathname");
    const counts = await propertyOf(page, ".browse li .number", "innerText");
    const shown = links.map((link, index) => [withoutKey(link), counts[index]]);
    const filled = streams.filter(({ record_count }) => record_count > 0);
    const expected = filled.map(({ connection_id, name, record_count }) => [
      `/dashboard/explore/${connection_id}/${name}`,
      record_count.toLocaleString("en"),
    ]);
    expect(shown.sort()).toEqual(expected.sort());
    await follow(page.getByRole("link", { name: "Listening" }));
    expect(await page.locator("h1").innerText()).toBe("Listening");
    expect(complaints).toEqual([]);
  });

  test("P-06 the charts agree with the aggregations", async () => {
    const { home } = await twin(it.server, "/dashboard/explore?year=2025");
    const byMonth = new Map<string, number>();
    const byDay = new Map<string, number>();
    for (const { connection_id, name } of await it.server.all("/v1/streams")) {
      const { body } = await it.server.get(`/v1/streams/${name}`, { query: { connection_id } });
      const field = body.roles?.time?.[0] ?? body.consent_time_field ?? body.cursor_field;
      const can = body.field_capabilities[field];
      if (!can?.aggregation.group_by_time || !can.range_filter.includes("gte")) continue;
      const query = { connection_id, metric: "count", group_by_time: field, limit: 100 };
      const months = await it.server.get(`/v1/streams/${name}/aggregate`, {
        query: { ...query, granularity: "month" },
      });
      // Records without a time do not appear in any chart.
      for (const { key, count } of months.body.groups)
        if (key !== null) byMonth.set(key, (byMonth.get(key) ?? 0) + count);
      const march = { [`filter[${field}][gte]`]: "2025-03-01", [`filter[${field}][lt]`]: "2025-04-01" };
      const days = await it.server.get(`/v1/streams/${name}/aggregate`, {
        query: { ...query, ...march, granularity: "day" },
      });
      for (const { key, count } of days.body.groups) byDay.set(key, (byDay.get(key) ?? 0) + count);
    }
    const shown = Object.fromEntries(home.activity.buckets.map(({ label, count }: Loose) => [label, count]));
    expect([home.activity.step, shown]).toEqual(["month", Object.fromEntries(byMonth)]);
    const march = Object.entries(home.heat.days).filter(([day]) => day.startsWith("2025-03"));
    expect(Object.fromEntries(march)).toEqual(Object.fromEntries(byDay));
    expect([home.heat.until, home.left]).toEqual(["2025-12-31", 0]);
  });

  test("P-06 clicking a bar of the chart shows the records from that time", async () => {
    const { page } = await it.open("/dashboard/explore");
    await page.getByRole("link", { name: /^May 2025: / }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/since=2025-05-01&until=2025-05-31/);
    expect(await page.locator(".hit").count()).toBe(20);
    // Without a search query there is no ranking.
    expect(await page.getByRole("link", { name: "Best first" }).count()).toBe(0);
  });

  test("P-06 nothing shifts while an Explore page loads", async () => {
    const notes = { connection_id: of("notes"), stream: "notes" };
    const paths = [
      "/dashboard/explore",
      "/dashboard/explore?q=lisbon",
      `/dashboard/explore/${of("mail")}/messages`,
      `/dashboard/records/${of("notes")}/notes/${await idWhere(it.server, notes, "path", "Postcards/IE-5565.md")}`,
    ];
    for (const path of paths) {
      const { page } = await it.open(path);
      expect([path, await layoutShift(page)]).toEqual([path, 0]);
    }
  });

  test("P-06 for an empty home, the page leads to importing", async () => {
    const empty = await dashboardWorld({ empty: true });
    try {
      const { page } = await empty.open("/dashboard/explore");
      await follow(page.locator(".empty").getByRole("link", { name: "Import files" }));
      expect(pathOf(page)).toBe("/dashboard/import");
    } finally {
      await empty.close();
    }
  });
});

describe("P-06 downloading the results of a search", () => {
  test("P-06 the CSV and JSON Lines files contain every hit of every page, in the displayed order, and the download is logged", async () => {
    const path = "/dashboard/explore?q=dublin&order=newest";
    const { page } = await it.open(path);
    const shown: string[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const { search } = await twin(it.server, next);
      shown.push(...search.hits.map(({ href }: Loose) => it.server.url + href));
      next = search.next === undefined ? undefined : `${path}&cursor=${encodeURIComponent(search.next)}`;
    }
    expect(shown.length).toBeGreaterThan(100);
    const taken: Record<string, string> = {};
    for (const name of ["CSV", "JSON lines"]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
      const parts: Buffer[] = [];
      for await (const part of await download.createReadStream()) parts.push(part as Buffer);
      taken[name] = Buffer.concat(parts).toString("utf8");
    }
    const csv = parse(taken.CSV!, { columns: true }) as Record<string, string>[];
    const lines = taken["JSON lines"]!.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(csv.map(({ url }) => url)).toEqual(shown);
    expect(lines.map(({ url }) => url)).toEqual(shown);
    expect(lines.map(({ title }) => title)).toContain(await page.locator(".hit h2").first().innerText());
    const { data } = (await it.server.get("/v1/activity", { query: { actor: "owner", limit: 5 } })).body;
    expect(data.map(({ action }: Loose) => action)).toContain("search");
  });

  test("P-06 only the owner can download, and pages without a list have no download", async () => {
    const stranger = await fetch(`${it.server.url}/dashboard/explore.csv?q=dublin`, {
      headers: { Accept: "text/html" },
    });
    expect([stranger.status, await stranger.text()]).toEqual([401, expect.not.stringContaining("record_id")]);
    for (const path of ["/dashboard/explore.csv", "/dashboard/settings.csv"]) {
      const { page } = await it.open(path);
      expect([path, await page.locator("h1").innerText()]).toEqual([path, "Not found"]);
    }
  });
});

test("P-06 a record whose id ends in .json has a page, a citation and a JSON form", async () => {
  await it.server.register("library", library);
  const shelf = await it.server.connect("library", "Shelf of files");
  await it.server.ingest("books", shelf, [{ key: "package.json", data: { id: "package.json", title: "Heronwort" } }]);
  const { page } = await it.open("/dashboard/explore?q=heronwort");
  await follow(page.locator(".hit a").first());
  expect(await page.locator("h1").innerText()).toBe("Heronwort");
  const place = { connection_id: shelf, stream: "books", id: "package.json" };
  expect(withoutKey(page.url())).toBe(recordUrl(it.server.url, place));
  expect((await twin(it.server, withoutKey(page.url()))).recordId).toBe("package.json");
});
