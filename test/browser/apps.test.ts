// Apps and grants in a real browser: what each app may read and has read, revoking in one step, and the receipt.
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
  /** Reads the mail and returns the HTTP status. */
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

describe("P-06 V-07 revoking a grant", () => {
  test.each([true, false])(
    "P-06 P-08 an app reads, the owner revokes its grant in one step, the next read is refused, and the page shows the revocation; JavaScript %s",
    async (javaScript) => {
      const reader = await app(`Reader ${javaScript}`);
      expect(await reader.reads()).toBe(200);
      const { page } = await it.open("/dashboard/apps", { javaScript });
      const card = page.locator("article.app", { hasText: `Reader ${javaScript}` });
      expect(await card.locator(".may").innerText()).toBe("May see Everything from Personal mail");
      expect(await card.locator(".last-seen").innerText()).toMatch(
        /^Last Read the 3 newest emails from Personal mail .* 3 records in total/,
      );
      await card.getByRole("button", { name: /^Revoke/ }).click();
      const effect = page.getByRole("status");
      const said = await effect.innerText();
      expect(said).toMatch(/Revoked\. The next request from “Reader (true|false)” under this grant is refused/);
      expect(said).toContain("It no longer sees: Everything from Personal mail.");
      expect(said).toContain("It last read your data just now. It has read 3 records in total");
      expect(said).not.toContain("Still works");
      expect(await reader.reads()).toBe(403);
      await page.goto(it.server.url + appPath(reader));
      expect(await page.locator(".page-head").innerText()).toContain("No longer connected");
      expect(await page.locator("main").innerText()).toMatch(/asked for emails from Personal mail: refused/);
      await page.goto(`${it.server.url}/dashboard/grants/${reader.grantId}`);
      expect(await page.locator("main").innerText()).toMatch(/Revoked[\s\S]*You revoked this grant\./);
      expect(await page.getByRole("button", { name: /^Revoke/ }).count()).toBe(0);
    },
  );

  test("V-07 a revocation can be undone within a minute, and the same token works again", async () => {
    const reader = await app("Undone");
    const { page } = await it.open(`/dashboard/grants/${reader.grantId}`, { javaScript: false });
    await page.getByRole("button", { name: /^Revoke/ }).click();
    expect(await reader.reads()).toBe(403);
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await page.getByRole("status").innerText()).toMatch(/Undone\. “Undone” can read again/);
    expect(await reader.reads()).toBe(200);
  });

  test("V-07 a grant can be paused and resumed; while paused, its requests are refused", async () => {
    const reader = await app("Paused one");
    const { page } = await it.open("/dashboard/apps", { javaScript: false });
    const card = page.locator("article.app", { hasText: "Paused one" });
    await card.getByRole("button", { name: /^Pause/ }).click();
    expect(await page.getByRole("status").innerText()).toContain("refused until you resume it");
    expect(await reader.reads()).toBe(403);
    expect(await card.innerText()).toContain("Paused");
    await card.getByRole("button", { name: /^Resume/ }).click();
    expect(await page.getByRole("status").innerText()).toContain("“Paused one” can read again");
    expect(await reader.reads()).toBe(200);
  });

  test("V-07 after one of an app's two grants is revoked, the page says what still works", async () => {
    const [one, other] = [await app("Twice"), await app("Twice", { selections: [{ connection_id: bank }] })];
    const { page } = await it.open(`/dashboard/grants/${one.grantId}`);
    await page.getByRole("button", { name: /^Revoke/ }).click();
    const said = await page.getByRole("status").innerText();
    expect(said).toMatch(/Still works:\s+“Twice” 2 still sees: Everything from .*Liffey/);
    expect(await one.reads()).toBe(403);
    const accounts = { token: other.token, query: { connection_id: bank } };
    expect((await it.server.get("/v1/streams/accounts/records", accounts)).status).toBe(200);
  });

  test("P-06 P-04 one grant of a package can be revoked alone, and the others can be revoked on the app's page", async () => {
    const selections = [
      { connection_id: mail, stream: "messages" },
      { connection_id: bank, stream: "accounts" },
    ];
    const reader = await app("Both", { selections });
    const { page } = await it.open(`/dashboard/grants/${reader.grantId}`);
    await page.locator(".grant-part", { hasText: "Personal mail" }).getByRole("button").click();
    await page.waitForURL(/done=revoked/);
    expect(await page.getByRole("status").innerText()).toMatch(/Personal mail\. It never read any of this\./);
    // The app gets the same response for a revoked connection as for an unknown one.
    expect(await reader.reads()).toBe(404);
    const accounts = { token: reader.token, query: { connection_id: bank } };
    expect((await it.server.get("/v1/streams/accounts/records", accounts)).status).toBe(200);
    await page.goto(it.server.url + appPath(reader));
    await page.getByRole("button", { name: /^Revoke/ }).click();
    await page.waitForURL(/done=revoked/);
    expect((await it.server.get("/v1/streams/accounts/records", accounts)).status).toBe(403);
    expect((await twin(appPath(reader))).app.connected).toBe(false);
  });

  test("P-06 a grant that was already revoked is reported as such", async () => {
    const { page } = await it.open("/dashboard/apps?done=gone");
    expect(await page.getByRole("status").innerText()).toBe("There was nothing left to change.");
    await page.goto(`${it.server.url}/dashboard/apps?done=revoked&id=grt_x`);
    expect(await page.getByRole("status").innerText()).toBe("There was nothing left to change.");
  });
});

describe("P-06 one app", () => {
  test("P-08 the reads by day and by stream link to their log lines", async () => {
    const reader = await app("Diligent");
    await reader.reads();
    await reader.reads();
    await it.server.get("/v1/streams/threads/records", { token: reader.token, query: { connection_id: mail } });
    const { page } = await it.open(appPath(reader));
    const day = page.getByRole("region", { name: "Days" }).locator("tbody tr");
    expect((await day.innerText()).split("\t").slice(1)).toEqual([
      "Emails of Personal mail",
      "2",
      "6",
      expect.stringMatching(/KB$/),
      "1",
    ]);
    await follow(day.getByRole("link"));
    expect(await page.locator("#log tbody tr").count()).toBe(3);
    await page.goBack();
    await follow(page.getByRole("region", { name: "Totals" }).getByRole("link", { name: "Emails" }));
    expect(await page.locator("#log tbody tr").count()).toBe(2);
    await page.goBack();
    await follow(page.locator(".tile", { hasText: "Refused" }).getByRole("link"));
    expect(await page.locator("#log tbody").innerText()).toContain("“threads” of Personal mail");
    const { app: shown, days, streams } = await twin(appPath(reader));
    expect([shown.calls, shown.denied, shown.records, days.length]).toEqual([2, 1, 6, 30]);
    expect(days.at(-1)).toMatchObject({ calls: 2, denied: 1, records: 6, bytes: streams[0].bytes });
    expect(streams).toMatchObject([
      { connection: "Personal mail", what: "Emails", stream: "messages", calls: 2, records: 6 },
    ]);
  });

  test("P-06 V-05 apps with the same name are numbered, in the log too; ids appear only under Technical details", async () => {
    const [one, other] = [await app("Terminal"), await app("Terminal")];
    await other.reads();
    const { page } = await it.open("/dashboard/apps");
    const cards = page.locator("article.app", { hasText: "“Terminal”" });
    const texts = await cards.allInnerTexts();
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(/^“Terminal” 2\n[\s\S]*Last Read the 3 newest emails/);
    expect(texts[1]).toMatch(/^“Terminal”\n[\s\S]*It has not asked for anything yet/);
    for (const text of texts) expect(text).toContain("1 other app uses this name");
    expect(texts.join()).not.toMatch(/\b(?:cli|grt|cin)_/);
    await cards.last().getByText("Technical details").click();
    expect(await cards.last().innerText()).toContain(one.clientId);
    await page.goto(`${it.server.url}/dashboard/activity?who=${other.clientId}`);
    expect(await page.locator("#log tbody").innerText()).toContain("“Terminal” 2");
  });

  test("P-06 the page for an unknown app, grant or request says where to look instead", async () => {
    const gone = {
      "/dashboard/apps/cli_none": "/dashboard/apps",
      "/dashboard/grants/grt_none": "/dashboard/apps",
      "/dashboard/activity/req_none": "/dashboard/activity",
    };
    for (const [path, back] of Object.entries(gone)) {
      const { page } = await it.open(path);
      expect(await page.locator("h1").innerText()).toBe("Not found");
      expect(await page.locator("main a.button").getAttribute("href")).toBe(it.keyed(back));
    }
  });
});

describe("P-06 one grant", () => {
  test("P-06 V-05 shows the grant's sentence, terms and use; the agreed text keeps its original words; field names stay hidden", async () => {
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
      const head = page.locator(".grant-head");
      const sentence = "One of the emails from Old post since 1 January 2020, only subjects and dates";
      expect(await head.locator(".may").innerText()).toBe(`May see ${sentence}`);
      const terms = await head.locator(".facts").innerText();
      expect(terms).toMatch(/Purpose\s+weekly summary <b>/);
      expect(terms).toMatch(/Has seen\s+1 record in 1 request; 0 refused/);
      expect(terms).not.toContain("until you revoke it");
      // The agreed text keeps the connection name from when the grant was given.
      expect(terms).toContain(sentence.replace("Old post", "Personal mail"));
      const plain = await page.locator("main").innerText();
      expect(plain).not.toMatch(/sent_at|\d{4}-\d\d-\d\d|\b(?:grt|cli|cin)_/);
      await page.getByText("Technical details").click();
      const details = await page.locator(".technical").innerText();
      expect(details).toContain("sent_at since 2020-01-01T00:00:00Z");
      expect(details).toContain("only 1 record");
      expect(await twin(path)).toMatchObject({
        id: reader.grantId,
        isPackage: false,
        agreed: [{ connection: "Personal mail" }],
        parts: [{ status: "active", streams: [{ read: { connection: "Old post" }, recordsRead: 1 }] }],
      });
    } finally {
      await it.server.call("PATCH", `/v1/connections/${mail}`, { body: { display_name: "Personal mail" } });
    }
  });

  test("P-06 the commands suggested on the pages work", async () => {
    const reader = await app("Elsewhere");
    for (const path of ["/dashboard/apps", appPath(reader), `/dashboard/grants/${reader.grantId}`]) {
      const { page } = await it.open(path);
      expect(await runSnippets(page, it.server)).toBe(2);
    }
  });
});
