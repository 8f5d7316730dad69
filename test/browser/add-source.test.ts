// Adding a source in a real browser, without JavaScript: testing the connection, saving it, watching the first run, and
// refused input.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type DavServer, PASSWORD, startDavServer } from "../../src/connectors/dav/dav-server.fixture.ts";
import { startMailServer } from "../../src/connectors/imap/mail-server.fixture.ts";
import { mail } from "../../src/connectors/imap/mailbox.fixture.ts";
import { hostileFolder } from "../connectors/hostile-connector.ts";
import { follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";

let it: DashboardWorld;
let dav: DavServer;
beforeAll(async () => {
  [it, dav] = await Promise.all([dashboardWorld({ empty: true }), startDavServer()]);
  await dav.makeCollection("calendar", "home", "At home");
  await dav.makeCollection("addressbook", "people", "People");
  const event = [
    "BEGIN:VEVENT",
    "UID:1@x",
    "DTSTAMP:20260101T000000Z",
    "DTSTART:20260505T100000Z",
    "SUMMARY:Dentist",
    "END:VEVENT",
  ];
  await dav.put("home", "1.ics", ["BEGIN:VCALENDAR", "VERSION:2.0", ...event, "END:VCALENDAR", ""].join("\r\n"));
  await dav.put("people", "1.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:ada\r\nFN:Ada Byron\r\nEND:VCARD\r\n");
});
afterEach(() => it.browser.closePages());
afterAll(async () => {
  await dav?.close();
  await it?.close();
});

const main = (page: Page): Promise<string> => page.locator("main").innerText();
const press = (page: Page, name: string): Promise<void> => follow(page.getByRole("button", { name }));

/** Reloads the connection's page until its first run has ended. */
const afterFirstRun = (page: Page) =>
  expect.poll(async () => {
    await page.reload();
    return main(page);
  });

describe("V-09, I-09 adding a source", () => {
  test("V-09 every way to add a source is one click from the connections page; a calendar is tested, added and read", async () => {
    const { page } = await it.open("/dashboard/connections", { javaScript: false });
    await follow(page.getByRole("link", { name: "Add a source" }));
    for (const name of ["Upload files", "Mailbox", "Calendar", "Contacts", "Watched folder", "Your own connector"])
      expect(await page.getByRole("link", { name, exact: true }).count(), name).toBe(1);
    await follow(page.getByRole("link", { name: "Calendar", exact: true }));

    await page.getByLabel("Server address").fill(dav.url);
    await page.getByLabel("User name").fill(dav.user);
    await page.getByLabel("App password").fill("the wrong one");
    await press(page, "Test the connection");
    expect(await page.getByRole("alert").innerText()).toMatch(
      /^That did not work\. 127\.0\.0\.1:\d+ did not accept the user name or the password\..*app password/,
    );
    expect(await page.content()).not.toContain("the wrong one");
    expect(await page.getByLabel("Server address").inputValue()).toBe(dav.url);

    await page.getByLabel("App password").fill(PASSWORD);
    await press(page, "Test the connection");
    expect(await page.getByRole("status").innerText()).toMatch(
      /^It works\. Signed in to 127\.0\.0\.1:\d+ as anna: 1 calendar \(At home\)\./,
    );
    expect(await page.content()).not.toContain(PASSWORD);

    // The password from the test is reused, so the owner does not have to type it again.
    await press(page, "Add it");
    await page.waitForURL(/done=added/);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Calendar: anna");
    await afterFirstRun(page).toMatch(/succeeded[\s\S]*2 new records[\s\S]*Updated every hour, next/);
    await page.goto(`${it.server.url}/dashboard/connections`);
    expect(await main(page)).toMatch(/Calendar: anna[\s\S]*succeeded[\s\S]*2 new records · Updated every hour/);
  });

  test("V-09 contacts can be added without a test or schedule, and the run asks for the password on the page", async () => {
    const { page } = await it.open("/dashboard/add?from=carddav", { javaScript: false });
    await page.getByLabel("Server address").fill(dav.url);
    await page.getByLabel("User name").fill(dav.user);
    await page.getByLabel("How often").selectOption({ label: "only when I start it" });
    await page.getByLabel("Name of the connection").fill("Everybody");
    await press(page, "Add without testing");
    await page.waitForURL(/done=added/);
    await afterFirstRun(page).toContain("The connector needs an answer");
    await page.getByLabel("App password").fill(PASSWORD);
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL(/\/dashboard\/runs\//);
    await afterFirstRun(page).toMatch(/succeeded[\s\S]*1 new record/);
  });

  test("V-09 testing a mailbox shows the server, the folders and the number of messages", async () => {
    const server = await startMailServer();
    server.append("INBOX", mail("1@example.com"));
    const { page } = await it.open("/dashboard/add?from=imap", { javaScript: false });
    await page.getByLabel("Mail server").fill("127.0.0.1");
    await page.getByLabel("User name").fill("testuser");
    await page.getByLabel("App password", { exact: true }).fill("testpass");
    await page.locator("details#more summary").click();
    await page.getByLabel("Port").fill(String(server.port));
    await page.getByLabel("Security").selectOption("none");
    await press(page, "Test the connection");
    await server.close();
    expect(await page.getByRole("status").innerText()).toMatch(
      /^It works\. Signed in to 127\.0\.0\.1 as testuser: \d+ folders?, 1 message in the inbox\./,
    );
    // Changing the server requires the password again.
    await page.getByLabel("Mail server").fill("localhost");
    await press(page, "Add it");
    expect(await page.getByRole("alert").innerText()).toContain("Enter the password again.");
  });

  test("V-09 a connector given by path is shown before it is added, and missing folders and paths are reported", async () => {
    const { page } = await it.open("/dashboard/add?from=path", { javaScript: false });
    await page.getByLabel("Connector folder").fill("/nope");
    await press(page, "Show it");
    expect(await main(page)).toContain("There is no connector");
    await page.goto(`${it.server.url}/dashboard/add?from=path`);
    await page.getByLabel("Connector folder").fill(hostileFolder("told"));
    await press(page, "Show it");
    expect(await main(page)).toMatch(
      /Hostile 1\.0\.0[\s\S]*Add only programs that you trust\.[\s\S]*reach the network/,
    );
    await press(page, "Add it");
    await page.waitForURL(/done=added/);

    const folder = mkdtempSync(join(tmpdir(), "pdpp-watched-"));
    await page.goto(`${it.server.url}/dashboard/add?from=folder`);
    await page.getByLabel("Folder on the server").fill("/nope");
    await press(page, "Watch it");
    expect(await page.getByRole("alert").innerText()).toContain('The folder "/nope" does not exist.');
    await page.getByLabel("Folder on the server").fill(folder);
    await press(page, "Watch it");
    await page.waitForURL(/\/dashboard\/schedules\?done=set/);
    rmSync(folder, { recursive: true });
  });
});
