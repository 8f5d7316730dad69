// Apps and grants in a real browser: what each may read, what it read, taking it back in one step, and the receipt.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { runSnippets } from "./snippet-runs.ts";

let it: DashboardWorld;
let mail: string;
let bank: string;
beforeAll(async () => {
  it = await dashboardWorld();
  const connections = await it.server.all("/v1/connections");
  const of = (key: string): string => connections.find(({ connector_key }) => connector_key === key).connection_id;
  [mail, bank] = [of("mail"), of("bank")];
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

interface TestApp {
  token: string;
  clientId: string;
  grantId: string;
  /** Status of a read of the mail. */
  reads(): Promise<number>;
}

async function app(client_name: string, request: object = {}): Promise<TestApp> {
  const issued = await it.server.grant({
    selections: [{ connection_id: mail, stream: "messages" }],
    client_name,
    ...request,
  });
  const token = issued.access_token as string;
  return {
    token,
    clientId: issued.grants[0].client.client_id,
    grantId: issued.grant_id ?? issued.grant_package_id,
    reads: async () =>
      (await it.server.get("/v1/streams/messages/records", { token, query: { connection_id: mail, limit: 3 } })).status,
  };
}

const appPath = ({ clientId }: TestApp): string => `/dashboard/apps/${encodeURIComponent(clientId)}`;
const twin = async (path: string): Promise<Loose> => (await it.server.get(`${path}.json`)).body;

describe("P-06 taking back", () => {
  test.each([true, false])(
    "P-06 P-08 an app reads, the owner revokes in one step, the next read is refused, and the page shows it; JavaScript %s",
    async (javaScript) => {
      const reader = await app(`Reader ${javaScript}`);
      expect(await reader.reads()).toBe(200);
      const { page } = await it.open("/dashboard/apps", { javaScript });
      const card = page.locator("article.app", { hasText: `Reader ${javaScript}` });
      expect(await card.innerText()).toMatch(/last read .* · 3 records/);
      await card.getByRole("button", { name: /^Revoke/ }).click();
      const effect = page.getByRole("status");
      expect(await effect.innerText()).toMatch(/Revoked\. The next request of “Reader (true|false)” is refused/);
      expect(await effect.innerText()).toContain("It last read just now, and took 3 records in all");
      expect(await effect.innerText()).toMatch(/It reads no more:\s+Personal mail\s+messages/);
      expect(await reader.reads()).toBe(403);
      await page.goto(it.server.url + appPath(reader));
      expect(await page.locator(".page-head").innerText()).toContain("Reads no more");
      expect(await page.locator("main").innerText()).toMatch(/records of “messages”: denied, grant_revoked/);
      await page.goto(`${it.server.url}/dashboard/grants/${reader.grantId}`);
      expect(await page.locator("main").innerText()).toMatch(/Revoked[\s\S]*You revoked it\./);
      expect(await page.getByRole("button", { name: /^Revoke/ }).count()).toBe(0);
    },
  );

  test("P-06 P-04 one grant of a package alone, then the rest from the app's own page", async () => {
    const selections = [
      { connection_id: mail, stream: "messages" },
      { connection_id: bank, stream: "accounts" },
    ];
    const reader = await app("Both", { selections });
    const { page } = await it.open(`/dashboard/grants/${reader.grantId}`);
    await page.locator(".of-connection", { hasText: "Personal mail" }).getByRole("button").click();
    await page.waitForURL(/done=revoked/);
    expect(await page.getByRole("status").innerText()).toMatch(/It never read any of it\.[\s\S]*Personal mail/);
    // Of a connection that it may not see it learns nothing.
    expect(await reader.reads()).toBe(404);
    const accounts = { token: reader.token, query: { connection_id: bank } };
    expect((await it.server.get("/v1/streams/accounts/records", accounts)).status).toBe(200);
    await page.goto(it.server.url + appPath(reader));
    await page.getByRole("button", { name: /^Revoke all/ }).click();
    await page.waitForURL(/done=revoked/);
    expect((await it.server.get("/v1/streams/accounts/records", accounts)).status).toBe(403);
    expect((await twin(appPath(reader))).app.active).toBe(false);
  });

  test("P-06 what is gone already says so", async () => {
    const { page } = await it.open("/dashboard/apps?done=gone");
    expect(await page.getByRole("status").innerText()).toBe("There was nothing left to revoke.");
    await page.goto(`${it.server.url}/dashboard/apps?done=revoked&id=grt_x`);
    expect(await page.getByRole("status").innerText()).toBe("There was nothing left to revoke.");
  });
});

describe("P-06 one app", () => {
  test("P-08 what it read, by day and by stream, leads to the lines of the log", async () => {
    const reader = await app("Diligent");
    await reader.reads();
    await reader.reads();
    await it.server.get("/v1/streams/threads/records", { token: reader.token, query: { connection_id: mail } });
    const { page } = await it.open(appPath(reader));
    const day = page.getByRole("region", { name: "Days" }).locator("tbody tr");
    expect((await day.innerText()).split("\t").slice(1)).toEqual([
      "messages of Personal mail",
      "2",
      "6",
      expect.stringMatching(/KB$/),
      "1",
    ]);
    await follow(day.getByRole("link"));
    expect(await page.locator("#log tbody tr").count()).toBe(3);
    await page.goBack();
    await follow(page.getByRole("region", { name: "Streams" }).getByRole("link", { name: "messages" }));
    expect(await page.locator("#log tbody tr").count()).toBe(2);
    await page.goBack();
    await follow(page.locator(".tile", { hasText: "Denied" }).getByRole("link"));
    expect(await page.locator("#log tbody").innerText()).toContain("“threads” of Personal mail");
    const { app: shown, days, streams } = await twin(appPath(reader));
    expect([shown.calls, shown.denied, shown.records, days.length]).toEqual([2, 1, 6, 30]);
    expect(days.at(-1)).toMatchObject({ calls: 2, denied: 1, records: 6, bytes: streams[0].bytes });
    expect(streams).toMatchObject([{ connection: "Personal mail", stream: "messages", calls: 2, records: 6 }]);
  });

  test("P-06 apps of one name are told apart: id, first allowed, last read", async () => {
    const [one, other] = [await app("Terminal"), await app("Terminal")];
    await other.reads();
    const { page } = await it.open("/dashboard/apps");
    const cards = page.locator("article.app", { hasText: "“Terminal”" });
    const texts = await cards.allInnerTexts();
    expect(texts).toHaveLength(2);
    for (const { clientId } of [one, other])
      expect(texts.filter((text) => text.includes(clientId.slice(0, 12)))).toHaveLength(1);
    for (const text of texts) expect(text).toMatch(/First allowed [\s\S]*1 other app goes by this name/);
    expect([texts[0], texts[1]]).toEqual([expect.stringMatching(/last read/), expect.stringMatching(/never read/)]);
    await page.goto(`${it.server.url}/dashboard/activity?who=${other.clientId}`);
    expect(await page.locator("#log tbody").innerText()).toContain(`“Terminal” ${other.clientId.slice(0, 12)}`);
  });

  test("P-06 an app, a grant and a request that are none say where to look", async () => {
    const gone = {
      "/dashboard/apps/cli_none": "/dashboard/apps",
      "/dashboard/grants/grt_none": "/dashboard/apps",
      "/dashboard/activity/req_none": "/dashboard/activity",
    };
    for (const [path, back] of Object.entries(gone)) {
      const { page } = await it.open(path);
      expect(await page.locator("h1").innerText()).toBe("Not there");
      expect(await page.locator("main a.button").getAttribute("href")).toBe(it.keyed(back));
    }
  });
});

describe("P-06 one grant", () => {
  test("P-06 terms, limits and use; the receipt keeps the words of its day", async () => {
    const messages = await it.server.get("/v1/streams/messages/records", { query: { connection_id: mail, limit: 1 } });
    const narrow = {
      connection_id: mail,
      stream: "messages",
      fields: ["subject", "sent_at"],
      since: "2020-01-01T00:00:00Z",
      resources: [messages.body.data[0].id],
    };
    const reader = await app("Narrow", {
      selections: [narrow],
      purpose_description: "weekly summary <b>",
      expires_in_seconds: 86_400,
    });
    expect(await reader.reads()).toBe(200);
    const path = `/dashboard/grants/${reader.grantId}`;
    await it.server.call("PATCH", `/v1/connections/${mail}`, { body: { display_name: "Old post" } });
    try {
      const { page } = await it.open(path, { width: 360 });
      const terms = await page.locator(".facts.card").innerText();
      expect(terms).toMatch(/Purpose\s+weekly summary <b>/);
      expect(terms).toMatch(/Has read\s+1 record, .* in 1 call; 0 denied/);
      expect(terms).not.toContain("until you revoke it");
      const allowed = await page.locator(".granted").innerText();
      expect(allowed).toContain("Old post");
      expect(allowed).toMatch(/subject/);
      expect(allowed).toContain("sent_at from 2020-01-01T00:00:00Z on");
      expect(allowed).toContain("only 1 record");
      const receipt = await page.locator(".receipt").innerText();
      expect(receipt).toContain("“Narrow” may read");
      expect(receipt).toContain("Personal mail");
      expect(receipt).not.toContain("Old post");
      expect(await twin(path)).toMatchObject({
        id: reader.grantId,
        isPackage: false,
        receipt: { app: "Narrow", purpose: "weekly summary <b>", reads: [{ connection: "Personal mail" }] },
        parts: [{ status: "active", streams: [{ connection: "Old post", recordsRead: 1 }] }],
      });
    } finally {
      await it.server.call("PATCH", `/v1/connections/${mail}`, { body: { display_name: "Personal mail" } });
    }
  });

  test("P-06 what the pages say to run elsewhere runs", async () => {
    const reader = await app("Elsewhere");
    for (const path of ["/dashboard/apps", appPath(reader), `/dashboard/grants/${reader.grantId}`]) {
      const { page } = await it.open(path);
      expect(await runSnippets(page, it.server)).toBe(2);
    }
  });
});
