// Connectors in a real browser, without JavaScript: running one now, answering its questions, and settings whose
// secrets are never shown.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { addHostile, SECRET, stored } from "../connectors/hostile-connector.ts";
import { follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";

let it: DashboardWorld;
beforeAll(async () => {
  it = await dashboardWorld();
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

const connection = (id: string): string => `/dashboard/connections/${id}`;

describe("P-05, P-06 connectors on the dashboard", () => {
  test("P-06 a click starts a run, and the run's page shows the result", async () => {
    const { connectionId } = await addHostile(it.server.host, "told");
    const { page } = await it.open(connection(connectionId), { javaScript: false });
    expect(await page.locator("main").innerText()).toContain("It has not run yet.");
    await page.getByRole("button", { name: "Update now" }).click();
    await page.waitForURL(/\/dashboard\/runs\/job_/);
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator("main").innerText();
      })
      .toMatch(/succeeded[\s\S]*1 new record[\s\S]*Skipped[\s\S]*too large[\s\S]*Gaps[\s\S]*2019 is missing[\s\S]*Log/);
  });

  test("P-06 a question appears on the overview, the connection's page and the run's page, and can be answered there", async () => {
    const { connectionId } = await addHostile(it.server.host, "otp");
    await it.server.call("POST", `/v1/connections/${connectionId}/runs`, { body: {} });
    const { page } = await it.open("/dashboard", { javaScript: false });
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator("main").innerText();
      })
      .toContain("needs an answer: The code from your phone");
    await follow(page.getByRole("link", { name: "Answer" }));
    await page.waitForURL(/\/dashboard\/runs\/job_/);
    await page.goto(`${it.server.url}${connection(connectionId)}`);
    await page.getByLabel("code").fill("914-673");
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL(/\/dashboard\/runs\/job_/);
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator("main").innerText();
      })
      .toMatch(/succeeded[\s\S]*the code was \[redacted\]/);
    expect((await stored(it.server.host, connectionId))[0].data.text).toBe("success 7");
  });

  test("P-06, SECURITY row 20: settings can be viewed and changed, and a secret is never on a page", async () => {
    const { connectionId } = await addHostile(it.server.host, "signs-in", { settings: { count: 3 } });
    const address = `${connection(connectionId)}/connector`;
    const { page } = await it.open(address, { javaScript: false });
    await page.getByLabel("How many").fill("5");
    await page.getByLabel("Password").fill(SECRET);
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/done=saved/);
    expect(await page.getByLabel("How many").inputValue()).toBe("5");
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("");
    expect(await page.content()).not.toContain("hunter2");
    await page.getByLabel("How many").fill("many");
    await follow(page.getByRole("button", { name: "Save" }));
    expect(await page.getByRole("alert").innerText()).toContain("Count must be a whole number");
    const twin = await it.server.get(`${address}.json`);
    expect(twin.text).not.toContain("hunter2");
    await page.goto(`${it.server.url}${address}`);
    await page.getByRole("button", { name: "Update now" }).click();
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator("main").innerText();
      })
      .toMatch(/succeeded[\s\S]*signed in: success/);
  });

  test("P-06 a run can be stopped", async () => {
    const { connectionId } = await addHostile(it.server.host, "never-finishes");
    const { page } = await it.open(`${connection(connectionId)}/connector`, { javaScript: false });
    await page.getByRole("button", { name: "Update now" }).click();
    await page.getByRole("button", { name: "Stop it" }).click();
    await expect.poll(() => page.locator("main").innerText()).toContain("it was cancelled");
  });
});
