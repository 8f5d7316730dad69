// Schedules in a real browser, without JavaScript: creating, running now, pausing and removing them, and showing
// questions for the owner.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { addHostile } from "../connectors/hostile-connector.ts";
import { follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";

const SCHEDULES = "/dashboard/schedules";
let it: DashboardWorld;
let folder: string;
beforeAll(async () => {
  it = await dashboardWorld();
  folder = mkdtempSync(join(tmpdir(), "pdpp-watched-"));
});
afterEach(() => it.browser.closePages());
afterAll(async () => {
  await it?.close();
  rmSync(folder, { recursive: true, force: true });
});

const says = (page: Page) =>
  expect.poll(async () => {
    await page.goto(`${it.server.url}${SCHEDULES}`);
    return page.locator("main").innerText();
  });

describe("P-05, P-06 schedules on the dashboard", () => {
  test("P-06 a folder can be watched, and its schedule run now, paused, resumed and removed", async () => {
    const { page } = await it.open(SCHEDULES, { javaScript: false });
    await page.getByRole("textbox", { name: "Folder" }).fill("Exports");
    await follow(page.getByRole("button", { name: "Watch it" }));
    expect(await page.getByRole("alert").innerText()).toContain("is not the absolute path of a folder");
    await page.getByRole("textbox", { name: "Folder" }).fill("/nope");
    await follow(page.getByRole("button", { name: "Watch it" }));
    expect(await page.getByRole("alert").innerText()).toBe(
      'The folder "/nope" does not exist. Create the folder first, or correct its path.',
    );
    await page.goto(`${it.server.url}${SCHEDULES}`);
    await page.getByRole("textbox", { name: "Folder" }).fill(folder);
    await page.getByRole("button", { name: "Watch it" }).click();
    await page.waitForURL(/done=set/);
    await says(page).toContain("nothing new");
    for (const [button, done] of [
      ["Run now", "Started."],
      ["Pause", "Paused."],
      ["Resume", "Resumed."],
      ["Remove", "Removed the schedule."],
    ] as const) {
      await says(page).not.toContain("Running…");
      await page.getByRole("button", { name: `${button} ${folder}` }).click();
      await page.waitForURL(/done=/);
      expect(await page.locator("main").innerText()).toContain(done);
    }
    expect(await page.getByText(folder).count()).toBe(0);
  });

  test("V-12 pausing and removing can be undone, and the schedule keeps its settings", async () => {
    const { page } = await it.open(SCHEDULES, { javaScript: false });
    const kept = { folder, as: "mail", cron: "0 6 * * *", time_zone: "Europe/Dublin" };
    await it.server.call("POST", "/v1/schedules", { body: kept });
    await page.goto(`${it.server.url}${SCHEDULES}`);
    const undo = () => follow(page.locator(".toast").getByRole("button", { name: "Undo" }));
    const card = page.locator("li.card", { hasText: folder });
    await follow(page.getByRole("button", { name: `Pause ${folder}` }));
    expect(await card.innerText()).toContain("Paused");
    await undo();
    expect(await card.innerText()).not.toContain("Paused");
    await undo();
    await follow(page.getByRole("button", { name: `Remove ${folder}` }));
    expect(await card.count()).toBe(0);
    await undo();
    expect(await card.innerText()).toContain("Paused");
    const [schedule] = await it.server.all("/v1/schedules");
    const { folder: path, as, ...timing } = kept;
    expect(schedule).toMatchObject({ target: { kind: "folder", path, as }, status: "paused", ...timing });
    await it.server.call("DELETE", `/v1/schedules/${schedule.schedule_id}`);
  });

  test("P-01, P-06 a connector with a question is shown as waiting for the owner, and a stopped connector is not shown as failed", async () => {
    const asks = await addHostile(it.server.host, "otp");
    const { page } = await it.open(SCHEDULES, { javaScript: false });
    await page.locator("select[name=connection_id]").selectOption(asks.connectionId);
    await page.getByRole("button", { name: "Schedule it" }).click();
    await page.waitForURL(/done=set/);
    await says(page).toContain("The connector asks: The code from your phone");
    const { data } = (await it.server.get(`/v1/connections/${asks.connectionId}/runs`)).body;
    await it.server.call("POST", `/v1/runs/${data[0].run_id}/cancel`);
    await says(page).toMatch(/Stopped[\s\S]*it was cancelled/);
    await it.server.call("DELETE", `/v1/connections/${asks.connectionId}`);
    await says(page).not.toContain(asks.connectionId);
  });
});
