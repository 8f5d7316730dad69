// A first visit, click by click: set up, import, find a message, see its day, connect an app to one mailbox, see what
// the app read, narrow its grant, and revoke it.
import * as oauth from "oauth4webapi";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { photosExport } from "../../src/demo/sources/photos.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type TestServer, testServer } from "../harness.ts";
import { ask, discover, exchange, REDIRECT, register } from "../oauth/world.ts";
import { follow, startBrowser, type TestBrowser, watch } from "./browser.ts";
import { OWNER } from "./dashboard-world.ts";

const CLICKS_MAX = 25;

let server: TestServer;
let browser: TestBrowser;
beforeAll(async () => {
  [server, browser] = await Promise.all([testServer(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const CHAT = [
  "20/06/2026, 18:02 - Orla Byrne: The ferry leaves at nine",
  "20/06/2026, 18:12 - Nora Keane: I bring the sandwiches",
  "21/06/2026, 09:40 - Orla Byrne: We are on the upper deck",
].join("\n");

const mail = (subject: string, day: number): string =>
  [
    `From orla@example.org Sat Jun ${day} 10:00:00 2026`,
    "From: Orla Byrne <orla@example.org>",
    "To: Nora Keane <nora@example.com>",
    `Subject: ${subject}`,
    `Date: ${day} Jun 2026 10:00:00 +0000`,
    `Message-ID: <${day}@example.org>`,
    "",
    `About ${subject}.`,
    "",
  ].join("\n");

/** The files as the file dialog returns them. */
function exportFiles(): { name: string; mimeType: string; buffer: Buffer }[] {
  const photos = photosExport().files()[Symbol.iterator]();
  const pictures = [photos.next().value, photos.next().value];
  const file = (name: string, content: string | Uint8Array) => ({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(content as string),
  });
  return [
    file("WhatsApp Chat with Orla Byrne.txt", CHAT),
    file("Inbox.mbox", [mail("Ferry", 13), mail("Tickets", 20), mail("Photos", 27)].join("\n")),
    ...pictures.map(({ path, content }) => file(path.split("/").at(-1)!, content)),
  ];
}

test("V-01 V-02 V-05 V-06 V-07 a first visit, from setup to a revoked app, takes at most 25 clicks", async () => {
  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    clicks++;
    await follow(target);
  };
  const enter = async (page: Page): Promise<void> => {
    clicks++;
    await page.keyboard.press("Enter");
    await page.waitForLoadState();
  };
  const { page, complaints } = await watch(await browser.context(), server.url);
  const main = page.locator("main");
  const nav = (name: string): Locator => page.locator(".nav").getByRole("link", { name, exact: true });

  // Set up.
  await page.goto(await newSetupLink(server.host, server.url));
  await page.getByLabel("Your name").fill(OWNER.name);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await click(page.getByRole("button", { name: "Set up" }));
  await page.waitForURL(/\/dashboard$/);

  // Import a chat, a mailbox and photos.
  await click(main.getByRole("link", { name: "Import files" }));
  const chosen = page.waitForEvent("filechooser");
  await click(page.getByRole("button", { name: "Choose files" }));
  await (await chosen).setFiles(exportFiles());
  await page.locator(".plan").first().waitFor();
  await click(page.getByRole("button", { name: "Start the import" }));
  await page.locator("#import:not([data-live]) .tiles").first().waitFor();
  expect(await main.innerText()).not.toMatch(/Failed\s+[1-9]/);

  // Find a message, and see its day.
  await page.keyboard.press("/");
  await page.getByRole("searchbox").first().fill("sandwiches");
  await enter(page);
  await click(page.locator(".hit a").first());
  expect(await page.locator("h1").innerText()).toContain("I bring the sandwiches");
  await click(page.getByRole("link", { name: /on the timeline$/ }));
  expect(await page.locator(".day").allInnerTexts()).toEqual([expect.stringContaining("I bring the sandwiches")]);
  expect(await page.locator(".day").innerText()).toContain("Tickets");

  // Connect an app to one mailbox. The app opens the consent page in another tab.
  await click(nav("Connect an AI app"));
  const as = await discover(server.url);
  const client = await register({ as }, { client_name: "Mail helper" });
  const asked = await ask({ as }, client, { resource: `${server.url}/mcp` });
  const consent = await page.context().newPage();
  clicks++;
  await consent.goto(asked.href);
  await click(consent.locator("label.whole", { hasText: "Mail" }));
  const back = consent.waitForRequest((request) => request.url().startsWith(REDIRECT));
  clicks++;
  await consent.getByRole("button", { name: "Allow", exact: true }).click();
  const params = oauth.validateAuthResponse(as, client, new URL((await back).url()), asked.state);
  await consent.close();
  const { access_token: token } = await exchange({ as }, { ...asked, params });
  const read = (fields: object = {}) =>
    server.get("/v1/streams/messages/records", { token, query: { limit: 2, ...fields } });
  expect((await read()).body.data).toHaveLength(2);

  // See what the app read.
  await click(nav("Apps"));
  const card = page.locator("article.app", { hasText: "Mail helper" });
  expect(await card.locator(".last-seen").innerText()).toContain("Read the 2 newest emails");
  await click(card.locator("h2 a"));
  await click(page.getByRole("link", { name: "All requests, with the records" }));
  expect(await main.innerText()).toMatch(/Photos[\s\S]*Tickets/);
  expect(await main.innerText()).not.toContain("sandwiches");

  // Narrow the grant so that it excludes mail text.
  await click(nav("Apps"));
  await click(card.getByRole("link", { name: /^Edit/ }));
  clicks++;
  await page.getByLabel(/^Details of Emails/).selectOption("no-content");
  await click(page.getByRole("button", { name: "Save" }));
  expect((await read()).body.data[0].data).not.toHaveProperty("body");

  // Revoke the grant.
  await click(nav("Apps"));
  await click(card.getByRole("button", { name: /^Revoke/ }));
  expect(await page.getByRole("status").innerText()).toContain("Revoked.");
  expect((await read()).status).toBe(403);
  expect(complaints).toEqual([]);
  expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
});
