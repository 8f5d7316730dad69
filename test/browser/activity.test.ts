// The activity page in a real browser: live updates, filters, links to requests, and verification of the log.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { runSnippets } from "./snippet-runs.ts";

let it: DashboardWorld;
let mail: string;
let token: string;
let clientId: string;
beforeAll(async () => {
  it = await dashboardWorld();
  const connections = await it.server.all("/v1/connections");
  mail = connections.find(({ connector_key }) => connector_key === "mail").connection_id;
  const issued = await it.server.grant({ selections: [{ connection_id: mail }], client_name: "Watched" });
  token = issued.access_token;
  clientId = issued.grants[0].client.client_id;
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

const read = (id: string, stream = "messages"): Promise<Loose> =>
  it.server.get(`/v1/streams/${stream}/records`, {
    token,
    query: { connection_id: mail, limit: 2 },
    headers: { "Request-Id": id },
  });
const path = (search: string): string => `/dashboard/activity?${search}`;
const twin = async (search: string): Promise<Loose> => (await it.server.get(`/dashboard/activity.json?${search}`)).body;
const requests = (view: Loose): string[] => view.lines.map(({ requestId }: Loose) => requestId);

test("P-06 P-08 when an app reads while the page is open, the line appears without a reload", async () => {
  const { page } = await it.open("/dashboard/activity");
  await page.evaluate("globalThis.stayed = true");
  await read("live-read");
  const line = page.locator('#log a[href$="/dashboard/activity/live-read"]');
  await line.waitFor();
  expect(await page.locator("#log tbody tr").first().innerText()).toMatch(
    /“Watched”\s+Read records\s+messages of Personal mail\s+2/,
  );
  expect(await page.evaluate("globalThis.stayed")).toBe(true);
  await line.focus();
  await read("live-again");
  await page.locator('#log a[href$="/dashboard/activity/live-again"]').waitFor();
  expect(await page.evaluate("document.activeElement.getAttribute('href')")).toBe(
    it.keyed("/dashboard/activity/live-read"),
  );
});

test("P-08 imports of the demo data are logged with the actor Demo, not the owner", async () => {
  const { data } = (await it.server.get("/v1/activity", { query: { actor: "owner", limit: 100 } })).body;
  const filling = data.find(({ request_id }: Loose) => request_id.startsWith("demo_"));
  const { page } = await it.open(`/dashboard/activity/${filling.request_id}`);
  expect(await page.locator(".facts").first().innerText()).toMatch(/Who\s+Demo/);
});

test("P-08 a request id links to the request, and a denied request links to its explanation", async () => {
  await read("one-request");
  await read("denied-request", "ledger");
  const { page } = await it.open("/dashboard/activity?who=app");
  await follow(page.locator('#log a[href$="/dashboard/activity/one-request"]'));
  expect(await page.locator("h1").innerText()).toBe("Read the 2 newest emails from Personal mail");
  expect(await page.locator(".facts").first().innerText()).toMatch(/Who\s+“Watched”[\s\S]*Received\s+2 records/);
  await page.getByText("Technical details").click();
  expect(await page.locator(".technical .facts").innerText()).toMatch(/Request\s+one-request[\s\S]*Grants\s+grt_/);
  await page.goto(`${it.server.url}/dashboard/activity/denied-request`);
  await follow(page.getByRole("link", { name: /See why/ }));
  expect(await page.locator("h1").innerText()).toBe("Why it was refused");
});

test("P-08 a request that read several streams is shown as one request with a line for each stream", async () => {
  const everything = await it.server.grant({ all: true, client_name: "Searcher" });
  const headers = { "Request-Id": "many-streams" };
  await it.server.get("/v1/search", { token: everything.access_token, query: { q: "lisbon" }, headers });
  const { page } = await it.open("/dashboard/activity/many-streams");
  await page.getByText("Technical details").click();
  const rows = page.locator(".log tbody tr");
  const count = await rows.count();
  expect(count).toBeGreaterThan(2);
  expect(await page.locator(".log .again").count()).toBe(count - 1);
  expect((await it.server.get("/dashboard/activity/many-streams.json")).body.lines).toHaveLength(count);
});

test("V-06 an app's reads: a burst is one entry, each request is described in words with its records, and deleted records are counted", async () => {
  const connection_id = await it.server.connect("mail", "Second mail");
  const { access_token, grants } = await it.server.grant({ selections: [{ connection_id }], client_name: "Curious" });
  const sent = (n: number): object => ({
    id: `m${n}`,
    subject: `Letter ${n}`,
    sent_at: `2026-03-0${n}T10:00:00Z`,
    body: "Dear Nora",
  });
  await it.server.ingest(
    "messages",
    connection_id,
    [1, 2, 3].map((n) => ({ key: `m${n}`, data: sent(n) as Record<string, unknown> })),
  );
  const ask = (query: Loose): Promise<Loose> =>
    it.server.get("/v1/streams/messages/records", { token: access_token, query: { connection_id, ...query } });
  await it.server.get("/v1/search", { token: access_token, query: { q: "dear" } });
  await ask({ "filter[sent_at][gte]": "2026-03-02T00:00:00Z" });
  await it.server.ingest("messages", connection_id, [{ key: "m3", op: "delete" }]);
  const address = `/dashboard/apps/${grants[0].client.client_id}/seen`;
  const { page } = await it.open(address, { javaScript: false, width: 360 });
  const burst = page.locator(".seen-burst");
  expect(await burst.count()).toBe(1);
  expect(await burst.locator("header").innerText()).toMatch(
    /2 requests · 5 records\s+Searched for “dear” in emails; and read the 2 newest emails from Second mail since 2 March 2026/,
  );
  const [searched, read] = await burst.locator(".seen-request").all();
  expect(await searched!.locator(".item-title").allInnerTexts()).toEqual(
    expect.arrayContaining(["Letter 1", "Letter 2"]),
  );
  expect(await read!.locator(".item-title").allInnerTexts()).toEqual(["Letter 2"]);
  expect(await read!.innerText()).toContain("1 record no longer exists here.");
  await follow(read!.locator(".item-title"));
  expect(await page.locator("h1").innerText()).toBe("Letter 2");
});

test("P-06 P-08 filters work alone and combined, are part of the URL, and need no JavaScript", async () => {
  await read("filter-ok");
  await read("filter-denied", "ledger");
  const { page } = await it.open("/dashboard/activity", { javaScript: false, width: 360 });
  await page.locator(".filters summary").click();
  await page.locator("select[name=who]").selectOption({ label: "“Watched”" });
  await page.locator("select[name=outcome]").selectOption("denied");
  await page.locator("input[name=since]").fill("2020-01-01");
  await follow(page.getByRole("button", { name: "Show" }));
  expect(new URL(page.url()).searchParams.get("who")).toBe(clientId);
  expect(await page.locator("#log tbody").innerText()).toContain("“ledger”");
  expect(await page.locator("#log tbody").innerText()).not.toContain("messages");
  expect(await page.locator("select[name=who]").inputValue()).toBe(clientId);
  const of = async (search: string): Promise<string[]> => requests(await twin(`who=${clientId}&${search}`));
  expect(await of("stream=ledger")).toEqual(expect.arrayContaining(["filter-denied"]));
  expect(await of("stream=ledger")).not.toContain("filter-ok");
  expect(await of("action=records&outcome=ok")).toContain("filter-ok");
  expect(await of("action=search")).toEqual([]);
  expect(await of("connection_id=cin_other")).toEqual([]);
  expect(await of("until=2020-01-01")).toEqual([]);
  expect(await of("request_id=filter-ok")).toEqual(["filter-ok"]);
  expect(await of("since=nonsense&before=x&outcome=maybe&until=2026-13-45")).toContain("filter-ok");
  expect((await twin("who=owner")).lines.every((line: Loose) => line.app === undefined)).toBe(true);
  await page.goto(it.server.url + path("stream=nowhere"));
  await follow(page.getByRole("link", { name: "Show everything" }));
  expect(await page.locator("#log tbody tr").count()).toBeGreaterThan(10);
});

test("P-06 numbered pages go back in time", async () => {
  for (let n = 0; n < 55; n++) await read(`paged-${n}`);
  const { page } = await it.open(`/dashboard/activity?who=${clientId}`);
  const first = await page.locator("#log tbody tr").count();
  expect(first).toBe(50);
  await follow(page.getByRole("link", { name: "Earlier" }));
  expect(await page.locator(`#log a[href$="/dashboard/activity/paged-4"]`).count()).toBe(1);
  expect(await page.locator(`#log a[href$="/dashboard/activity/paged-10"]`).count()).toBe(0);
  expect(await page.locator("[data-live]").count()).toBe(0);
  await follow(page.getByRole("link", { name: "Newest" }));
  expect(await page.locator(`#log a[href$="/dashboard/activity/paged-54"]`).count()).toBe(1);
});

test("P-08 the owner can verify the log on the page, and the suggested commands work", async () => {
  const { page } = await it.open("/dashboard/activity?who=app", { javaScript: false });
  await follow(page.locator("#chain button"));
  // The check runs in the background, so on a busy machine the page first says that it is running.
  await expect
    .poll(async () => {
      const said = await page.locator("#chain [role=status]").innerText();
      if (said.startsWith("Checking")) await page.reload();
      return said;
    })
    .toMatch(/Intact: [\d,]+ lines, each chained/);
  expect(new URL(page.url()).searchParams.get("who")).toBe("app");
  expect(await runSnippets(page, it.server)).toBe(2);
  await page.goto(`${it.server.url}/dashboard/activity/one-request`);
  expect(await runSnippets(page, it.server)).toBe(2);
  const database = new DatabaseSync(join(it.server.home, "audit.db"));
  database.exec("UPDATE entry SET body = replace(body, '\"records\":2', '\"records\":1') WHERE n = 30");
  database.exec("UPDATE entry SET at = at + 1 WHERE n = 31");
  database.close();
  await page.goto(`${it.server.url}/dashboard/activity`);
  await follow(page.locator("#chain button"));
  expect(await page.locator("#chain [role=alert]").innerText()).toMatch(
    /Broken at line 3[01]: entry 3[01] was changed/,
  );
  expect((await twin("")).check.result).toMatchObject({ intact: false });
});
