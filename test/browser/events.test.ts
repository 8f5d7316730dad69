// Change notifications in a real browser, with and without JavaScript: subscriptions and their log; testing, pausing,
// replaying and deleting them; and private addresses.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Receiver, repeatChallenge, startReceiver, subscribed, until, verified } from "../events/receiver.ts";
import type { Loose } from "../harness.ts";
import { axeViolations, follow, inEachView, sidewaysScroll, unfold } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { runSnippets } from "./snippet-runs.ts";

const EVENTS = "/dashboard/settings/events";
let it: DashboardWorld;
let receiver: Receiver;
let mail: string;
let id: string;

beforeAll(async () => {
  it = await dashboardWorld();
  receiver = await startReceiver();
  const connections = await it.server.all("/v1/connections");
  mail = connections.find(({ connector_key }) => connector_key === "mail").connection_id;
  const app = await it.server.grant({
    selections: [{ connection_id: mail, stream: "messages" }],
    client_name: "Inbox ‮watch",
  });
  const streams = [{ stream: "messages", connection_id: mail }];
  ({ id } = await subscribed(it.server, app, receiver, { streams }));
});
afterEach(() => it.browser.closePages());
afterAll(async () => {
  await it?.close();
  await receiver?.close();
});

const twin = async (path: string): Promise<Loose> => (await it.server.get(`${path}.json`)).body;
const at = (): string => `${EVENTS}/${id}`;

describe("P-06 F-06 change notifications", () => {
  test("P-06 F-06 are described in words (app, data, address and status) and can be reached from Settings and from the app's page", async () => {
    const { page } = await it.open("/dashboard/settings", { javaScript: false });
    await follow(page.getByRole("link", { name: "Change notifications" }));
    const text = await page.locator("main").innerText();
    expect(text).toMatch(/Inbox watch/);
    expect(text).toContain(receiver.url);
    expect(text).toMatch(/Notified of messages of .+, at/);
    await follow(page.getByRole("link", { name: "The app", exact: true }));
    expect(await page.locator("#events").innerText()).toContain("messages of");
    await follow(page.locator("#events a[href*=sub_]"));
    expect(await page.locator("h1").innerText()).toContain("Events for Inbox watch");
    expect(await page.locator("#log").innerText()).toMatch(/Challenge\s+Delivered 200 in/);
  });

  test("P-06 F-06 sending a test, pausing, resuming and sending again work without JavaScript, and the log shows the results", async () => {
    const { page } = await it.open(at(), { javaScript: false });
    await follow(page.getByRole("button", { name: "Send a test event" }));
    expect(await page.locator(".alert.good").innerText()).toContain("is being sent");
    await until(() => receiver.events.some(({ type }) => type === "dev.pdpp.subscription.test"));
    await follow(page.getByRole("button", { name: "Pause" }));
    expect((await twin(at())).subscription.status).toBe("paused");
    expect(await page.getByRole("button", { name: "Send a test event" }).count()).toBe(0);
    await page.getByRole("button", { name: "Resume" }).click();
    const [message] = (
      await it.server.get("/v1/streams/messages/records", { query: { limit: 1, connection_id: mail } })
    ).body.data;
    await it.server.call("DELETE", `/v1/streams/messages/records/${encodeURIComponent(message.id)}`, {
      query: { connection_id: mail },
    });
    const told = await until(() => receiver.events.find(({ type }) => type === "dev.pdpp.stream.changed"));
    await until(async () => (await twin(at())).subscription.waiting === 0);
    await page.goto(`${it.server.url}${at()}`);
    await page.getByRole("button", { name: `Send again ${told.id}` }).click();
    await until(() => receiver.events.filter((one) => one.id === told.id).length === 2);
  });

  test("P-06 F-06 the log updates without a reload", async () => {
    const { page } = await it.open(at());
    receiver.answer = (_delivery, response) => void setTimeout(() => response.writeHead(204).end(), 300);
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.locator("#log tbody tr").first().locator("text=204 in").waitFor();
  });

  test("P-06 F-06 a private address can be allowed for an app and removed again; an invalid address is refused on the page", async () => {
    const { page } = await it.open(EVENTS, { javaScript: false });
    await page.getByLabel("Host and port").fill("192.168.1.20:8123");
    await follow(page.getByRole("button", { name: "Allow" }));
    expect(await page.locator("#hosts").innerText()).toContain("192.168.1.20:8123");
    await follow(page.getByRole("button", { name: /^Remove 192\.168\.1\.20:8123 for / }));
    expect(await page.locator("#hosts").innerText()).not.toContain("192.168.1.20:8123");
    await page.getByLabel("Host and port").fill("http://nas/hook");
    await follow(page.getByRole("button", { name: "Allow" }));
    expect(await page.locator("main").innerText()).toMatch(/is not HOST:PORT/);
  });

  test("P-06 F-06 have no axe violations, errors, foreign requests or sideways scrolling in any view", async () => {
    for (const path of [EVENTS, at()]) {
      const { page, complaints, foreignRequests } = await it.open(path);
      await unfold(page);
      await inEachView(page, async (view) => {
        const found = [...(await axeViolations(page, view)), ...complaints, ...foreignRequests];
        expect([path, view, found, await sidewaysScroll(page)]).toEqual([path, view, [], 0]);
      });
    }
  });

  test("P-06 F-06 the commands suggested on the pages work, and deleting ends the subscription", async () => {
    const { page } = await it.open(at());
    await unfold(page);
    await runSnippets(page, it.server);
    await follow(page.getByRole("button", { name: "Delete" }));
    expect(await page.locator(".alert.good").innerText()).toContain("Its waiting events will not be sent");
    expect((await twin(EVENTS)).subscriptions).toEqual([]);
    expect((await it.server.get(`/v1/event-subscriptions/${id}`)).status).toBe(404);
  });

  test("V-12 F-06 a deleted subscription can be restored with its log, its secret, and the changes made in the meantime", async () => {
    receiver.answer = repeatChallenge;
    const app = await it.server.grant({ selections: [{ connection_id: mail, stream: "messages" }] });
    const { id: own, secret } = await subscribed(it.server, app, receiver, {});
    const log = (await twin(`${EVENTS}/${own}`)).deliveries;
    const { page } = await it.open(`${EVENTS}/${own}`, { javaScript: false });
    await follow(page.getByRole("button", { name: "Delete" }));
    const told = receiver.events.length;
    const [message] = (
      await it.server.get("/v1/streams/messages/records", { query: { limit: 1, connection_id: mail } })
    ).body.data;
    await it.server.call("DELETE", `/v1/streams/messages/records/${encodeURIComponent(message.id)}`, {
      query: { connection_id: mail },
    });
    await follow(page.locator(".toast").getByRole("button", { name: "Undo" }));
    expect((await twin(EVENTS)).subscriptions.map((one: Loose) => one.subscriptionId)).toEqual([own]);
    await until(() => receiver.events.length > told);
    expect(verified(secret, receiver.deliveries.at(-1)!).type).toBe("dev.pdpp.stream.changed");
    const after = (await twin(`${EVENTS}/${own}`)).deliveries;
    expect(after.slice(-log.length)).toEqual(log);
  });
});
