// Settings in a real browser: the password, sessions, backups and restoring, health, and owner tokens.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { restoreHome } from "../../src/engine/backup/restore.ts";
import { isRestoreReady } from "../../src/engine/backup/staged-restore.ts";
import { HOME_OWNER, type Loose, testServer } from "../harness.ts";
import { follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld, OWNER } from "./dashboard-world.ts";
import { runSnippets } from "./snippet-runs.ts";

const SETTINGS = "/dashboard/settings";
let it: DashboardWorld;
let password = OWNER.password;
beforeAll(async () => {
  it = await dashboardWorld();
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

const twin = async (): Promise<Loose> => (await it.server.get(`${SETTINGS}.json`)).body;

/** Signs in again in a separate browser context. */
async function signedIn(javaScript = true): Promise<{ context: BrowserContext; page: Page }> {
  const context = await it.browser.context({ javaScript });
  const page = await context.newPage();
  await page.goto(`${it.server.url}/login?return_to=${SETTINGS}`);
  await signIn(page);
  return { context, page };
}

async function signIn(page: Page): Promise<void> {
  await page.locator('input[name="name"]').fill(OWNER.name);
  await page.locator('input[name="password"]').fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/settings/);
}

async function isIn(page: Page): Promise<boolean> {
  await page.goto(page.url().replace(/(\/~[\w-]{22}).*/, `$1${SETTINGS}`));
  return (await page.locator(".owner-name").count()) === 1;
}

describe("P-06 the server", () => {
  test("P-06 a click makes a backup that is listed, is readable only by the owner, and can be restored into a working server", async () => {
    const { page } = await it.open(SETTINGS, { javaScript: false });
    expect(await page.locator("#backups").innerText()).toContain("No backups yet");
    await page.getByRole("button", { name: "Back up now" }).click();
    await expect
      .poll(
        async () => {
          await page.goto(`${it.server.url}${SETTINGS}`);
          return page.locator("#backups").innerText();
        },
        { interval: 300 },
      )
      .toMatch(/Last backup [\s\S]*Backed up .*: [\d,]+ records, [\d,]+ files, [\d.]+ MB/);
    const { backups } = await twin();
    expect(backups.kept).toHaveLength(1);
    const [{ directory, records, bytes }] = backups.kept;
    expect(await page.locator("#backups").innerText()).toContain(directory);
    expect(readdirSync(join(it.server.home, "backups"))).toHaveLength(1);
    expect([statSync(directory).mode & 0o077, bytes > 1_000_000]).toEqual([0, true]);
    const folder = mkdtempSync(join(tmpdir(), "pdpp-settings-"));
    try {
      const home = join(folder, "restored");
      await restoreHome({ directory, home, moveAside: false });
      const restored = await testServer({ home });
      const rows = await restored.all("/v1/streams", { token: it.server.owner });
      expect(rows.reduce((sum, row) => sum + row.record_count, 0)).toBe(records);
      await restored.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("O-06 a backup can be downloaded with a passphrase, and restored on the page with the password", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pdpp-settings-"));
    try {
      const { page } = await signedIn(false);
      await follow(page.locator("#download-0 > summary"));
      await page.locator('#download-0 input[name="passphrase"]').fill("a long passphrase");
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.locator("#download-0").getByRole("button", { name: "Download" }).click(),
      ]);
      const file = join(folder, saved.suggestedFilename());
      await saved.saveAs(file);
      expect(file).toMatch(/postern-backup-\d{4}-\d\d-\d\d\.tar\.age$/);
      await follow(page.locator("#restore > summary"));
      const restore = async (given: string, passphrase: string): Promise<string> => {
        if (!(await page.locator('#restore input[name="file"]').isVisible()))
          await follow(page.locator("#restore > summary"));
        await page.locator('#restore input[name="present"]').fill(given);
        await page.locator('#restore input[name="passphrase"]').fill(passphrase);
        await page.locator('#restore input[name="file"]').setInputFiles(file);
        await follow(page.locator("#restore").getByRole("button", { name: "Restore" }));
        return page.locator("main").innerText();
      };
      expect(await restore("not the password", "a long passphrase")).toContain("password");
      expect(await restore(password, "another passphrase")).toContain("does not open the backup");
      expect(isRestoreReady(it.server.home)).toBe(false);
      expect(await restore(password, "a long passphrase")).toContain("Restored the backup");
      expect(isRestoreReady(it.server.home)).toBe(true);
      rmSync(join(it.server.home, "restore-ready"), { recursive: true });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("P-06 on request, shows the findings of pdpp doctor", async () => {
    const { page } = await it.open(SETTINGS);
    await page.locator("#health button").click();
    await page.locator("#health .alert.good").waitFor();
    await page.locator("#checks summary").click();
    const text = await page.locator("#checks").innerText();
    for (const check of ["disk space", "records.db", "audit chain", "blobs"]) expect(text).toContain(check);
    expect((await twin()).health.result).toMatchObject({ ok: true, home: it.server.home });
  });

  test("P-06 the page shows the address, the version and the home, and its commands work", async () => {
    const { page } = await it.open(SETTINGS, { width: 360 });
    const text = await page.locator("main").innerText();
    expect(text).toContain("only this machine can reach this server");
    expect(text).toMatch(/Version\s+\d+\.\d+\.\d+/);
    expect(text).toContain(it.server.home);
    expect(await runSnippets(page, it.server)).toBe(2);
    expect(JSON.stringify(await twin())).not.toContain("scrypt");
    const named = await testServer({ publicUrl: "https://data.example.org" });
    const json = await named.get(`${SETTINGS}.json`);
    expect(json.body.address).toMatchObject({ publicUrl: "https://data.example.org" });
    await named.close();
  });

  test("E-23 owner tokens are collapsed; they can be revoked here, and created in a terminal", async () => {
    const made = await it.server.host.call("issueOwnerToken", {}, HOME_OWNER);
    const { page } = await it.open(SETTINGS, { javaScript: false });
    const row = page.locator("#tokens li", { hasText: made.token_id });
    expect(await row.isVisible()).toBe(false);
    await follow(page.locator("#owner-tokens > summary"));
    expect(await page.locator("#tokens").innerText()).toContain("pdpp owner token");
    await follow(row.getByRole("button"));
    expect(await page.locator("main > [role=status]").innerText()).toContain("Revoked");
    expect((await it.server.get("/v1/schema", { token: made.access_token })).status).toBe(401);
  });

  test("P-06 submitting an empty or invalid form changes nothing", async () => {
    const { page } = await it.open(SETTINGS, { javaScript: false });
    const csrf = await page.locator('#backups input[name="csrf"]').first().inputValue();
    for (const what of ["", "constructor", "nonsense"]) {
      const answer = await page.request.post(it.server.url + it.keyed(SETTINGS), {
        form: { csrf, do: what },
        headers: { origin: it.server.url },
      });
      expect(answer.status()).toBe(400);
    }
  });
});

describe("P-06 sessions", () => {
  test("P-06 the page lists where the owner is signed in, and one session or all others can be ended", async () => {
    const [mine, theirs, third] = [await signedIn(false), await signedIn(), await signedIn()];
    const { page } = mine;
    await page.reload();
    const rows = page.locator("#sessions li");
    const before = await rows.count();
    expect(before).toBeGreaterThanOrEqual(4);
    expect(await rows.filter({ hasText: "This browser" }).count()).toBe(1);
    expect(await rows.first().innerText()).toMatch(/Headless Chrome on Linux[\s\S]*since /);
    const newest = (await twin()).sessions[0].sessionId;
    await follow(rows.filter({ hasText: newest }).getByRole("button"));
    expect(await page.locator("main > [role=status]").innerText()).toContain("session has been signed out");
    expect([await isIn(third.page), await isIn(theirs.page)]).toEqual([false, true]);
    await follow(page.getByRole("button", { name: "End all others" }));
    expect(await page.locator("main > [role=status]").innerText()).toContain("Signed out everywhere else");
    expect([await isIn(theirs.page), await isIn(page)]).toEqual([false, true]);
    expect((await twin()).sessions).toHaveLength(1);
  });
});

describe("P-06 the password", () => {
  const fill = async (page: Page, present: string, next: string, again = next): Promise<void> => {
    const form = page.locator("form", { has: page.locator('input[name="again"]') });
    if (!(await form.isVisible())) await page.getByText("Change password").first().click();
    await form.locator('input[name="present"]').fill(present);
    await page.locator('input[name="password"]').fill(next);
    await page.locator('input[name="again"]').fill(again);
    await page.getByRole("button", { name: "Change password" }).click();
  };

  test("P-06 changing it requires the current password, and the new one twice with at least ten characters", async () => {
    const { page } = await signedIn();
    await fill(page, "not my password", "a new one, long enough");
    expect(await page.getByRole("alert").innerText()).toContain("That is not your password");
    await fill(page, password, "a new one, long enough", "another one, long too");
    expect(await page.getByRole("alert").innerText()).toContain("two new passwords do not match");
    await page.evaluate(
      "for (const field of document.querySelectorAll('[minlength]')) field.removeAttribute('minlength')",
    );
    await fill(page, password, "short");
    expect(await page.getByRole("alert").innerText()).toContain("fewer than 10 characters");
    expect(await isIn(page)).toBe(true);
  });

  test("P-06 changing it ends every session; the new password works, the old one does not, and apps keep working", async () => {
    const { access_token: token } = await it.server.grant({ all: true, client_name: "Goes on" });
    const [mine, other] = [await signedIn(false), await signedIn()];
    const old = password;
    await fill(mine.page, password, "correct donkey battery");
    expect(mine.page.url()).toContain("/login");
    expect(await isIn(other.page)).toBe(false);
    await mine.page.locator('input[name="name"]').fill(OWNER.name);
    await mine.page.locator('input[name="password"]').fill(old);
    await follow(mine.page.getByRole("button", { name: "Sign in" }));
    expect(await mine.page.locator("[role=alert]").innerText()).toContain("is wrong");
    password = "correct donkey battery";
    await signIn(mine.page);
    expect(await mine.page.locator("main > [role=status]").innerText()).toContain("The password has been changed");
    expect((await it.server.get("/v1/schema", { token })).status).toBe(200);
  });

  test("P-06 wrong passwords in a signed-in browser are counted like those at sign-in", async () => {
    const { page } = await signedIn();
    const said: string[] = [];
    // Another attempt is allowed every 30 seconds, so a slow machine needs a few more attempts to reach the limit.
    while (!said.at(-1)?.includes("many wrong passwords") && said.length < 40) {
      await fill(page, `guess ${said.length}`, "a new one, long enough");
      said.push(await page.getByRole("alert").innerText());
    }
    expect(said.at(-1)).toMatch(/[Tt]oo many wrong passwords\. Try again in \d+ seconds/);
  });
});
